import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("The search for a bonded device that has taken another address")
struct DeviceSearchTests {
    private static let peer = DeviceIdentity.numbered(0x30)

    /// A phone that has heard the device at its first private address, and now wants to connect without a scan of its
    /// own.
    private static func waiting(isAble: Bool) -> AccessRun {
        var run = AccessRun(ControllerModel(isAble: isAble))
        run.access.add(peer)
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.receive(.advertisingReports([.test(peer.address(1), [], kind: [.legacy, .connectable])]))
        run.act { $0.scan(nil, at: $1) }
        _ = run.takeHeard()
        run.act { $0.connect(to: peer.address, limit: .seconds(60), at: $1) }
        return run
    }

    private static let report = AdvertisingReport.test(peer.address(2), [], kind: [.legacy, .connectable])

    @Test("A scan beside the attempt finds the new address; the layers above do not hear it")
    func beside() {
        var run = Self.waiting(isAble: true)
        #expect(run.controller.isScanning)
        #expect(run.controller.initiatingTo == Self.peer.address(1))
        run.receive(.advertisingReports([Self.report]))
        #expect(run.controller.initiatingTo == Self.peer.address(2))
        #expect(run.heard.discoveries.isEmpty)
        run.connects(5)
        #expect(run.heard.links.first?.device == Self.peer.address)
        #expect(!run.controller.isScanning)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("Where the controller cannot do both, scan and attempt take turns")
    func inTurns() {
        var run = Self.waiting(isAble: false)
        #expect(!run.controller.isScanning)
        #expect(run.controller.initiatingTo == Self.peer.address(1))
        run.advance(by: DeviceSearch.turn)
        #expect(run.controller.isScanning)
        #expect(run.controller.initiatingTo == nil)
        run.advance(by: DeviceSearch.turn)
        #expect(!run.controller.isScanning)
        #expect(run.controller.initiatingTo == Self.peer.address(1))
        run.advance(by: DeviceSearch.turn)
        // The device ends the scan's turn.
        run.receive(.advertisingReports([Self.report]))
        #expect(!run.controller.isScanning)
        #expect(run.controller.initiatingTo == Self.peer.address(2))
        run.connects(5)
        #expect(run.heard.links.first?.device == Self.peer.address)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A device whose address stays is not searched for", arguments: [false, true])
    func fixedAddress(isAble: Bool) {
        var run = AccessRun(ControllerModel(isAble: isAble))
        run.access.add(Self.peer)
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.receive(.advertisingReports([.test(Self.peer.address, [], kind: [.legacy, .connectable])]))
        run.act { $0.scan(nil, at: $1) }
        run.act { $0.connect(to: Self.peer.address, at: $1) }
        run.advance(by: .seconds(5))
        #expect(!run.controller.isScanning)
        #expect(run.controller.initiatingTo == Self.peer.address)
    }

    @Test("The search ends with the attempt, and with the power", arguments: [false, true])
    func ends(isAble: Bool) {
        var run = Self.waiting(isAble: isAble)
        run.act { $0.cancel(Self.peer.address, at: $1) }
        run.advance(by: .seconds(5))
        #expect(!run.controller.isScanning && run.controller.initiatingTo == nil)
        run = Self.waiting(isAble: isAble)
        run.powerOff()
        #expect(run.access.deadline == nil)
    }
}
