import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Addresses, scans, connections and advertising take turns")
struct GenericAccessTests {
    private static let device = PeerAddress.numbered(0x50)
    private static let content = AdvertisingContent(name: "Phone")

    /// All three at work.
    private static func busy(isExtended: Bool, isAble: Bool = true) -> AccessRun {
        var run = AccessRun(ControllerModel(isExtended: isExtended, isAble: isAble))
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.advertise(content, at: $1) }
        run.act { $0.connect(to: device, limit: .seconds(3600), at: $1) }
        return run
    }

    @Test("Nothing begins before the controller has the phone's first address")
    func firstAddress() {
        var run = AccessRun(isOn: false)
        run.isSlow = true
        run.powerOn()
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.advertise(GenericAccessTests.content, at: $1) }
        run.act { $0.connect(to: GenericAccessTests.device, at: $1) }
        #expect(run.unanswered.map(\.command.opcode) == [.leSetRandomAddress])
        run.isSlow = false
        run.answer()
        #expect(run.controller.isScanning && run.controller.isAdvertising)
        #expect(run.controller.initiatingTo == GenericAccessTests.device)
        #expect(run.heard.addresses.count == 1)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A refused first address is tried again, and nothing begins until then")
    func refusedFirstAddress() {
        var run = AccessRun(isOn: false)
        run.controller.refusals[.leSetRandomAddress] = .controllerBusy
        // The reset keeps no refusals, so the phone is switched on by hand.
        run.pump(run.access.powerOn(run.controller.information, at: run.now))
        run.act { $0.scan(ScanSettings(), at: $1) }
        #expect(run.heard.refusals.count == 1)
        #expect(!run.controller.isScanning)
        run.advance(by: .seconds(1))
        #expect(run.controller.isScanning)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A new address pauses all that runs, and all goes on with it", arguments: [false, true], [false, true])
    func rotation(isExtended: Bool, isAble: Bool) {
        var run = GenericAccessTests.busy(isExtended: isExtended, isAble: isAble)
        let first = run.access.addresses.current
        run.advance(by: .seconds(900))
        let second = run.access.addresses.current
        #expect(second != first)
        #expect(run.controller.randomAddress == second?.address)
        #expect(run.controller.isScanning == isAble)
        #expect(run.controller.isAdvertising == isAble)
        if isAble { #expect(run.controller.advertisedAddress == .some(second?.address)) }
        #expect(run.controller.initiatingTo == GenericAccessTests.device)
        #expect(run.heard.failures.isEmpty)
        #expect(run.controller.violations.isEmpty)
        // The time before the change counts.
        #expect(run.access.connector.deadline == .seconds(3600))
    }

    @Test("The address changes only after the slowest answer of the controller")
    func slowController() {
        var run = GenericAccessTests.busy(isExtended: false)
        run.isSlow = true
        run.advance(by: .seconds(900))
        #expect(
            Set(run.unanswered.map(\.command.opcode))
                == [.leSetScanEnable, .leSetAdvertisingEnable, .leCreateConnectionCancel])
        for _ in 0..<3 {
            #expect(!run.commands.suffix(run.unanswered.count).contains { $0.opcode == .leSetRandomAddress })
            run.answer()
        }
        #expect(run.unanswered.map(\.command.opcode) == [.leSetRandomAddress])
        while !run.unanswered.isEmpty { run.answer() }
        #expect(run.controller.isScanning && run.controller.isAdvertising)
        #expect(run.controller.initiatingTo == GenericAccessTests.device)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A link that comes while an attempt pauses for a new address is a link")
    func linkDuringPause() {
        var run = AccessRun()
        run.act { $0.connect(to: GenericAccessTests.device, at: $1) }
        let local = run.access.addresses.current
        run.isSlow = true
        run.act { $0.changeAddress(at: $1) }
        run.connects(4)
        #expect(run.heard.links.map(\.local) == [local])
        run.isSlow = false
        while !run.unanswered.isEmpty { run.answer() }
        #expect(run.access.addresses.current != local)
        #expect(run.access.connector.attemptCount == 0)
    }

    @Test("A controller that cannot do both scans and advertises only while it does not connect")
    func unableController() {
        var run = GenericAccessTests.busy(isExtended: false, isAble: false)
        #expect(!run.controller.isScanning && !run.controller.isAdvertising)
        #expect(run.controller.initiatingTo == GenericAccessTests.device)
        run.connects(1)
        #expect(run.controller.isScanning && run.controller.isAdvertising)
        run.act { $0.connect(to: .numbered(0x51), limit: .seconds(5), at: $1) }
        #expect(!run.controller.isScanning)
        run.advance(by: .seconds(5))
        #expect(run.heard.failures == [.timeout(.seconds(5))])
        #expect(run.controller.isScanning && run.controller.isAdvertising)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A refused change keeps the old address, and all goes on with it")
    func refusedChange() {
        var run = GenericAccessTests.busy(isExtended: false)
        let first = run.access.addresses.current
        run.controller.refusals[.leSetRandomAddress] = .commandDisallowed
        run.advance(by: .seconds(900))
        #expect(run.access.addresses.current == first)
        #expect(run.controller.isScanning && run.controller.isAdvertising)
        run.advance(by: .seconds(1))
        #expect(run.access.addresses.current != first)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("Power off ends everything, in each state of a start", arguments: 0..<16, [false, true])
    func powerOff(answers: Int, isExtended: Bool) {
        var run = AccessRun(ControllerModel(isExtended: isExtended), isOn: false)
        run.isSlow = true
        run.powerOn()
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.advertise(GenericAccessTests.content, at: $1) }
        run.act { $0.connect(to: GenericAccessTests.device, at: $1) }
        run.act { $0.connect(to: .numbered(0x51), at: $1) }
        for _ in 0..<answers { run.answer() }
        let late = run.unanswered
        _ = run.takeHeard()
        run.powerOff()
        #expect(
            run.takeHeard() == [
                .failed(GenericAccessTests.device, .poweredOff), .failed(.numbered(0x51), .poweredOff),
            ])
        #expect(run.access.deadline == nil)
        // Late results and events mean nothing.
        for (_, purpose) in late { run.pump(run.access.completed(purpose, .success, at: run.now)) }
        run.receive(.leConnectionComplete(.test(1, peer: GenericAccessTests.device)))
        run.receive(.leConnectionComplete(.test(2, role: .peripheral, peer: GenericAccessTests.device)))
        run.receive(.advertisingReports([.test(GenericAccessTests.device, [])]))
        run.advance(by: .seconds(1000))
        #expect(run.heard.isEmpty && run.unanswered.isEmpty)
        // The wishes are forgotten, and new ones count.
        run.isSlow = false
        run.powerOn()
        #expect(!run.controller.isScanning && !run.controller.isAdvertising)
        run.act { $0.scan(ScanSettings(), at: $1) }
        #expect(run.controller.isScanning)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("Power off with links tells their end")
    func powerOffWithLinks() {
        var run = GenericAccessTests.busy(isExtended: true)
        run.connects(2)
        run.accepts(1, from: .numbered(0x60))
        _ = run.takeHeard()
        run.powerOff()
        #expect(
            run.takeHeard() == [
                .closed(ConnectionHandle(1), .localHostEnded), .closed(ConnectionHandle(2), .localHostEnded),
            ])
    }

    @Test("The result of a command from before a power-off is not told")
    func lateRefusal() {
        var run = GenericAccessTests.busy(isExtended: false)
        run.connects(2)
        run.isSlow = true
        run.act { $0.disconnect(ConnectionHandle(2), at: $1) }
        let late = run.unanswered
        #expect(late.count == 1)
        run.powerOff()
        _ = run.takeHeard()
        for (_, purpose) in late { run.pump(run.access.completed(purpose, .controllerBusy, at: run.now)) }
        #expect(run.heard.isEmpty)
    }

    @Test("The kind of an address is that of the bond, otherwise that of the last advertisement")
    func kindOfAddress() {
        var run = GenericAccessTests.busy(isExtended: false)
        let address = DeviceAddress.numbered(0x44)
        #expect(run.access.device(at: address) == nil)
        for isRandom in [true, false, true] {
            let peer = PeerAddress(address, isRandom: isRandom)
            run.receive(.advertisingReports([.test(peer, [], kind: [.legacy])]))
            #expect(run.access.device(at: address) == peer)
        }
        let bonded = PeerAddress(address, isRandom: false)
        run.access.add(DeviceIdentity(resolvingKey: .zero, address: bonded))
        #expect(run.access.device(at: address) == bonded)
    }

    @Test("Without power, wishes are refused or ignored")
    func noPower() {
        var run = AccessRun(isOn: false)
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.advertise(GenericAccessTests.content, at: $1) }
        run.act { $0.changeAddress(at: $1) }
        run.act { $0.cancel(GenericAccessTests.device, at: $1) }
        run.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        #expect(run.heard.isEmpty && run.commands.isEmpty)
        run.act { $0.connect(to: GenericAccessTests.device, at: $1) }
        #expect(run.heard.failures == [.poweredOff])
    }

    @Test("A bonded device that connects is opened under its identity")
    func bondedCentral() {
        var run = GenericAccessTests.busy(isExtended: false)
        let peer = DeviceIdentity.numbered(0x33)
        run.access.add(peer)
        run.accepts(1, from: peer.address(5))
        #expect(run.heard.links.map(\.device) == [peer.address])
        #expect(run.heard.links.map(\.peer) == [peer.address(5)])
    }

    @Test("A link from a device without an address is ended")
    func namelessCentral() {
        var run = GenericAccessTests.busy(isExtended: false)
        _ = run.takeCommands()
        run.controller.advertisingEnds()
        run.receive(.leConnectionComplete(.test(6, role: .peripheral)))
        #expect(run.takeCommands().contains(.disconnect(ConnectionHandle(6))))
        #expect(run.heard.links.isEmpty)
    }

    @Test("Extended commands need all of the controller's, and the phone's wish")
    func abilities() {
        let information = ControllerModel(isExtended: true).information
        #expect(ControllerAbilities(information).usesExtendedCommands)
        #expect(!ControllerAbilities(information, allowsExtended: false).usesExtendedCommands)
        var partial = information
        partial.supportedCommands = SupportedCommands([UInt8](repeating: 0xFF, count: 37))
        #expect(!ControllerAbilities(partial).usesExtendedCommands)
        #expect(!ControllerAbilities(ControllerInformation()).scansWhileConnecting)
    }
}
