import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Advertising")
struct AdvertiserTests {
    private static let content = AdvertisingContent(name: "Phone", services: [BluetoothUUID(short: 0x180F)])

    private static func advertising(isExtended: Bool = false) -> AccessRun {
        var run = AccessRun(ControllerModel(isExtended: isExtended))
        _ = (run.takeHeard(), run.takeCommands())
        run.act { $0.advertise(content, at: $1) }
        return run
    }

    @Test("Legacy advertising: parameters, both packets, then the start, which is told once")
    func legacy() throws {
        var run = AdvertiserTests.advertising()
        #expect(
            run.takeCommands().map(\.opcode) == [
                .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable,
            ])
        let plan = try #require(run.takeHeard().plans.first)
        #expect(run.controller.advertisingData == plan.data)
        #expect(run.controller.isAdvertising)
        // The same wish again is told again, and costs no command.
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        #expect(run.takeHeard().plans == [plan])
        #expect(run.takeCommands().isEmpty)
        run.act { $0.advertise(nil, at: $1) }
        #expect(run.takeCommands() == [.leSetAdvertisingEnable(false)])
        #expect(run.access.advertiser.isQuiet)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("An advertising set has the phone's private address and packets of Bluetooth 4")
    func extended() throws {
        var run = AdvertiserTests.advertising(isExtended: true)
        let commands = run.takeCommands()
        #expect(
            commands.map(\.opcode) == [
                .leSetExtendedAdvertisingParameters, .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingData,
                .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
            ])
        #expect(commands.first?.parameters[1] == 0x13)
        #expect(run.controller.setAddress == run.access.addresses.current?.address)
        #expect(run.takeHeard().plans.count == 1)
        run.act { $0.advertise(nil, at: $1) }
        #expect(run.takeCommands() == [.leSetExtendedAdvertisingEnable(false, [EnabledAdvertisingSet(0)])])
        #expect(run.controller.violations.isEmpty)
    }

    @Test("Other content ends advertising and begins it anew")
    func otherContent() {
        var run = AdvertiserTests.advertising()
        _ = (run.takeCommands(), run.takeHeard())
        run.act { $0.advertise(AdvertisingContent(name: "Other"), at: $1) }
        #expect(run.takeCommands().first == .leSetAdvertisingEnable(false))
        #expect(run.takeHeard().plans.map(\.shownName) == ["Other"])
        #expect(run.controller.violations.isEmpty)
    }

    @Test("An app in the background advertises less often", arguments: [false, true])
    func background(isExtended: Bool) {
        var run = AdvertiserTests.advertising(isExtended: isExtended)
        var content = AdvertiserTests.content
        content.isForeground = false
        run.act { $0.advertise(content, at: $1) }
        let first = isExtended ? 3 : 0
        let parameters: [HCIOpcode] = [.leSetAdvertisingParameters, .leSetExtendedAdvertisingParameters]
        let intervals = run.takeCommands().filter { parameters.contains($0.opcode) }.map {
            UInt16($0.parameters[first]) | UInt16($0.parameters[first + 1]) << 8
        }
        #expect(intervals == [244, 1636])
    }

    @Test("A wish that changes midway is carried out, and only what is in the air is told")
    func wishChangesMidway() {
        var run = AccessRun()
        _ = run.takeHeard()
        run.isSlow = true
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        run.answer()
        run.act { $0.advertise(AdvertisingContent(name: "Other"), at: $1) }
        while !run.unanswered.isEmpty { run.answer() }
        #expect(run.takeHeard().plans.map(\.shownName) == ["Other"])
        #expect(run.controller.advertisingData.suffix(7) == nameField("Other")[...])
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        run.answer()
        run.act { $0.advertise(nil, at: $1) }
        while !run.unanswered.isEmpty { run.answer() }
        #expect(run.access.advertiser.isQuiet)
        #expect(run.takeHeard().plans.isEmpty)
        #expect(!run.controller.isAdvertising)
    }

    @Test("Advertising goes on after a connection, without being told again", arguments: [false, true])
    func afterConnection(isExtended: Bool) throws {
        var run = AdvertiserTests.advertising(isExtended: isExtended)
        _ = run.takeHeard()
        run.accepts(3, from: .numbered(0x40))
        let link = try #require(run.heard.links.first)
        #expect(link.role == .peripheral)
        #expect(link.peer == .numbered(0x40))
        #expect(link.local == run.access.addresses.current)
        #expect(run.heard.plans.isEmpty)
        #expect(run.controller.isAdvertising)
        #expect(run.access.connector.linkCount == 1)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A phone that stops advertising after a connection needs a new wish", arguments: [false, true])
    func noRestart(isExtended: Bool) {
        var configuration = GenericAccess.Configuration()
        configuration.advertiser.restartsAfterConnection = false
        var run = AccessRun(ControllerModel(isExtended: isExtended), configuration: configuration)
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        run.accepts(3, from: .numbered(0x40))
        #expect(run.access.advertiser.plan == nil)
        #expect(!run.controller.isAdvertising)
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        #expect(run.controller.isAdvertising)
    }

    @Test("A set that ends without a link begins again; other sets and legacy controllers change nothing")
    func setTerminated() {
        var run = AdvertiserTests.advertising(isExtended: true)
        _ = run.takeCommands()
        run.receive(.advertisingSetTerminated(AdvertisingSetEnd(set: 5, status: .limitReached)))
        #expect(run.takeCommands().isEmpty)
        run.controller.advertisingEnds()
        run.receive(.advertisingSetTerminated(AdvertisingSetEnd(set: 0, status: .limitReached)))
        #expect(run.controller.isAdvertising)
        #expect(run.controller.violations.isEmpty)
        var legacy = AdvertiserTests.advertising()
        _ = legacy.takeCommands()
        legacy.receive(.advertisingSetTerminated(AdvertisingSetEnd(set: 0, status: .success)))
        #expect(legacy.takeCommands().isEmpty)
    }

    @Test(
        "Each refusal is told with the command's name, and advertising begins after a pause",
        arguments: [
            HCIOpcode.leSetExtendedAdvertisingParameters, .leSetAdvertisingSetRandomAddress,
            .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
        ])
    func refusal(opcode: HCIOpcode) {
        var run = AccessRun(ControllerModel(isExtended: true))
        _ = run.takeHeard()
        run.controller.refusals[opcode] = .memoryFull
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        #expect(run.heard.refusals == ["the controller refused \(opcode): the controller's memory is full (0x07)"])
        #expect(run.heard.plans.isEmpty)
        #expect(run.access.advertiser.deadline == .seconds(1))
        run.advance(by: .seconds(1))
        #expect(run.heard.plans.count == 1)
        #expect(run.controller.isAdvertising)
        #expect(run.access.advertiser.deadline == nil)
    }

    @Test("A controller that refuses without end is asked less and less often")
    func refusalsWithoutEnd() {
        var run = AccessRun()
        _ = run.takeHeard()
        run.act { $0.advertise(nil, at: $1) }
        run.controller.refusals[.leSetAdvertisingEnable] = .connectionLimit
        run.act { $0.advertise(AdvertiserTests.content, at: $1) }
        for _ in 0..<600 {
            run.controller.refusals[.leSetAdvertisingEnable] = .connectionLimit
            run.advance(by: .seconds(1))
        }
        // After 0, 1, 3, 7, 15, 31, 63 s, then every 32 s.
        #expect(run.heard.refusals.count == 23)
    }

    @Test("A refused end counts as the end")
    func refusedEnd() {
        var run = AdvertiserTests.advertising()
        run.controller.refusals[.leSetAdvertisingEnable] = .commandDisallowed
        run.act { $0.advertise(nil, at: $1) }
        #expect(run.heard.refusals.count == 1)
        #expect(run.access.advertiser.isQuiet)
        #expect(run.access.advertiser.deadline == nil)
    }
}
