import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Scans and what they hear")
struct ScannerTests {
    private static let device = PeerAddress.numbered(0x20)

    private static func scanning(
        _ settings: ScanSettings = ScanSettings(), isExtended: Bool = false
    ) -> AccessRun {
        var run = AccessRun(ControllerModel(isExtended: isExtended))
        _ = (run.takeHeard(), run.takeCommands())
        run.act { $0.scan(settings, at: $1) }
        return run
    }

    @Test("A scan begins with its parameters and ends, by legacy or extended commands", arguments: [false, true])
    func beginsAndEnds(isExtended: Bool) {
        var settings = ScanSettings()
        (settings.interval, settings.window, settings.dropsDuplicates) = (100, 50, true)
        var run = ScannerTests.scanning(settings, isExtended: isExtended)
        var parameters = ScanParameters()
        (parameters.interval, parameters.window) = (100, 50)
        let begin: [HCICommand] =
            isExtended
            ? [.leSetExtendedScanParameters(parameters), .leSetExtendedScanEnable(true, dropsDuplicates: true)]
            : [.leSetScanParameters(parameters), .leSetScanEnable(true, dropsDuplicates: true)]
        #expect(run.takeCommands() == begin)
        #expect(run.access.scanner.isScanning)
        // The same wish again changes nothing.
        run.act { $0.scan(settings, at: $1) }
        #expect(run.takeCommands().isEmpty)
        run.act { $0.scan(nil, at: $1) }
        #expect(!run.controller.isScanning)
        #expect(run.access.scanner.isQuiet)
        // The parameters are known already.
        run.act { $0.scan(settings, at: $1) }
        #expect(run.takeCommands().count == 2)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("Other settings end the scan and begin it anew")
    func otherSettings() {
        var run = ScannerTests.scanning()
        _ = run.takeCommands()
        var settings = ScanSettings()
        settings.window = 20
        run.act { $0.scan(settings, at: $1) }
        #expect(run.takeCommands().map(\.opcode) == [.leSetScanEnable, .leSetScanParameters, .leSetScanEnable])
        #expect(run.controller.isScanning)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A wish that changes while the controller works is carried out after its answer")
    func wishChangesMidway() {
        var run = AccessRun()
        run.isSlow = true
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.scan(nil, at: $1) }
        #expect(run.unanswered.count == 1)
        run.answer()
        #expect(run.unanswered.isEmpty)
        #expect(run.access.scanner.isQuiet)
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.scan(nil, at: $1) }
        run.answer()
        run.answer()
        #expect(!run.controller.isScanning)
        #expect(run.access.scanner.isQuiet)
    }

    @Test("An advertisement comes with its scan response, and each one is reported", .shows("GAP/BROB/OBSV/BV-02-C"))
    func report() throws {
        var run = ScannerTests.scanning()
        for _ in 0..<2 {
            run.receive(.advertisingReports([.test(ScannerTests.device, [2, 0x0A, 4, 3, 0x03, 0x0F, 0x18])]))
            run.receive(.advertisingReports([.response(ScannerTests.device, nameField("Die"))]))
        }
        let heard = run.takeHeard().discoveries
        try #require(heard.count == 2)
        #expect(heard[0].device == ScannerTests.device)
        #expect(heard[0].isConnectable)
        let advertisement = heard[0].advertisement
        #expect(advertisement.address == ScannerTests.device.address)
        #expect(advertisement.name == "Die")
        #expect(advertisement.serviceUUIDs == [BluetoothUUID(short: 0x180F)])
        #expect(advertisement.rssi == -60)
        #expect(advertisement.txPower == 4)
        #expect(heard[0] == heard[1])
    }

    @Test("A missed scan response keeps the last one, as long as the advertisement is the same")
    func missedResponse() throws {
        var run = ScannerTests.scanning()
        let (data, other): ([UInt8], [UInt8]) = ([2, 0x0A, 4], [2, 0x0A, 5])
        run.receive(.advertisingReports([.test(ScannerTests.device, data)]))
        run.receive(.advertisingReports([.response(ScannerTests.device, nameField("Die"))]))
        run.receive(.advertisingReports([.test(ScannerTests.device, data)]))
        #expect(run.takeHeard().discoveries.count == 1)
        run.advance(by: .milliseconds(50))
        #expect(run.takeHeard().discoveries.map(\.advertisement.name) == ["Die"])
        run.receive(.advertisingReports([.test(ScannerTests.device, other)]))
        run.advance(by: .milliseconds(50))
        #expect(run.takeHeard().discoveries.map(\.advertisement.name) == [nil])
        // The former content is not remembered beside the new one.
        run.receive(.advertisingReports([.test(ScannerTests.device, data)]))
        run.advance(by: .milliseconds(50))
        #expect(run.takeHeard().discoveries.map(\.advertisement.name) == [nil])
        // Another device with the same bytes has no name.
        run.receive(
            .advertisingReports([.test(ScannerTests.device, data), .response(ScannerTests.device, nameField("Die"))]))
        run.receive(.advertisingReports([.test(.numbered(0x21), data)]))
        run.advance(by: .milliseconds(50))
        #expect(run.takeHeard().discoveries.map(\.advertisement.name) == ["Die", nil])
    }

    @Test("An advertisement that is not scannable has no scan response of an earlier one")
    func notScannable() {
        var run = ScannerTests.scanning()
        run.receive(
            .advertisingReports([.test(ScannerTests.device, []), .response(ScannerTests.device, nameField("Die"))]))
        run.receive(.advertisingReports([.test(ScannerTests.device, [], kind: [.legacy])]))
        let heard = run.takeHeard().discoveries
        #expect(heard.map(\.advertisement.name) == ["Die", nil])
        #expect(heard.map(\.isConnectable) == [true, false])
    }

    @Test("A late scan response alone comes with the device's last advertisement")
    func lateResponse() {
        var run = ScannerTests.scanning()
        run.receive(.advertisingReports([.test(ScannerTests.device, [2, 0x0A, 4])]))
        run.advance(by: .milliseconds(60))
        run.receive(.advertisingReports([.response(ScannerTests.device, nameField("Die"))]))
        let heard = run.takeHeard().discoveries
        #expect(heard.map(\.advertisement.name) == [nil, "Die"])
        #expect(heard.map(\.advertisement.txPower) == [4, 4])
        #expect(heard.map(\.isConnectable) == [true, true])
    }

    @Test("A passive scan does not wait for scan responses", .shows("GAP/BROB/OBSV/BV-01-C"))
    func passive() {
        var settings = ScanSettings()
        settings.isActive = false
        var run = ScannerTests.scanning(settings)
        run.receive(.advertisingReports([.test(ScannerTests.device, nameField("Die"))]))
        #expect(run.takeHeard().discoveries.count == 1)
        #expect(run.takeCommands().first?.parameters.first == 0)
    }

    @Test("A bonded device is heard under its identity, at its private address")
    func bonded() throws {
        var run = ScannerTests.scanning()
        let peer = DeviceIdentity.numbered(0x30)
        run.access.add(peer)
        for seed in [1, 2] as [UInt64] {
            run.receive(
                .advertisingReports([.test(peer.address(seed), nameField("Die"), kind: [.legacy, .connectable])]))
            let heard = try #require(run.takeHeard().discoveries.first)
            #expect(heard.device == peer.address)
            #expect(heard.address == peer.address(seed))
            #expect(heard.advertisement.address == peer.address.address)
            #expect(run.access.addresses.currentAddress(of: peer.address) == peer.address(seed))
        }
        #expect(run.access.scanner.deviceCount == 1)
    }

    @Test("Nothing is heard without a scan: late reports are dropped")
    func lateReports() {
        var run = ScannerTests.scanning()
        run.receive(.advertisingReports([.test(ScannerTests.device, [])]))
        run.act { $0.scan(nil, at: $1) }
        run.receive(.advertisingReports([.test(ScannerTests.device, [], kind: [.legacy])]))
        run.advance(by: .seconds(1))
        #expect(run.takeHeard().discoveries.isEmpty)
        #expect(run.access.deadline.map { $0 > .seconds(800) } == true)
    }

    @Test("The power of the packet's header counts only without an advertised one")
    func txPower() {
        var run = ScannerTests.scanning()
        var report = AdvertisingReport.test(ScannerTests.device, [2, 0x0A, 4], kind: [.legacy])
        report.txPower = 9
        run.receive(.advertisingReports([report]))
        report.data = []
        run.receive(.advertisingReports([report]))
        #expect(run.takeHeard().discoveries.map(\.advertisement.txPower) == [4, 9])
    }

    @Test("A thousand devices leave a bounded table, and those heard last are in it")
    func manyDevices() throws {
        var configuration = GenericAccess.Configuration()
        configuration.scanner.mostDevices = 16
        var run = AccessRun(configuration: configuration)
        run.act { $0.scan(ScanSettings(), at: $1) }
        for number in 0..<1000 {
            let bytes: [UInt8] = [0xC0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
            let address = PeerAddress(try #require(DeviceAddress(bytes: bytes)), isRandom: true)
            run.receive(.advertisingReports([.test(address, []), .response(address, nameField("Die"))]))
        }
        #expect(run.access.scanner.deviceCount == 16)
        let last = PeerAddress(try #require(DeviceAddress(bytes: [0xC0, 0, 0, 0, 3, 0xE7])), isRandom: true)
        _ = run.takeHeard()
        run.receive(.advertisingReports([.test(last, [])]))
        run.advance(by: .milliseconds(50))
        #expect(run.takeHeard().discoveries.map(\.advertisement.name) == ["Die"])
    }

    @Test(
        "A refused command is told and tried again after a pause",
        arguments: [HCIOpcode.leSetScanParameters, .leSetScanEnable])
    func refusal(opcode: HCIOpcode) {
        var run = AccessRun()
        _ = run.takeHeard()
        run.controller.refusals[opcode] = .controllerBusy
        run.act { $0.scan(ScanSettings(), at: $1) }
        #expect(run.takeHeard().refusals == ["the controller refused \(opcode): the controller is busy (0x3A)"])
        #expect(run.access.deadline == .seconds(1))
        #expect(!run.controller.isScanning)
        run.advance(by: .seconds(1))
        #expect(run.controller.isScanning)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A refused end of a scan is told, and the scanner counts as quiet")
    func refusedEnd() {
        var run = ScannerTests.scanning()
        run.controller.refusals[.leSetScanEnable] = .commandDisallowed
        run.act { $0.scan(nil, at: $1) }
        #expect(run.heard.refusals.count == 1)
        #expect(run.access.scanner.isQuiet)
        #expect(run.access.scanner.deadline == nil)
    }

    @Test("A scan that the controller ends by itself begins again")
    func scanTimeout() {
        var run = ScannerTests.scanning(isExtended: true)
        _ = run.takeCommands()
        run.receive(.scanTimeout)
        #expect(run.takeCommands().map(\.opcode) == [.leSetExtendedScanEnable])
        #expect(run.access.scanner.isScanning)
    }
}
