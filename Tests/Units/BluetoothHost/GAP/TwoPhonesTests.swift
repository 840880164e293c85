import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Two phones on one air")
struct TwoPhonesTests {
    /// A central and a peripheral whose controllers hear each other.
    private struct Air {
        var central: AccessRun
        var peripheral: AccessRun

        init(isExtended: Bool) {
            central = AccessRun(ControllerModel(isExtended: isExtended))
            peripheral = AccessRun(ControllerModel(isExtended: isExtended), identity: .numbered(2))
        }

        /// The central hears one advertisement, or its connection request is heard.
        mutating func pass(handle: Int) {
            guard case .some(.some(let bytes)) = peripheral.controller.advertisedAddress else { return }
            let address = PeerAddress(bytes, isRandom: true)
            if central.controller.initiatingTo == address, let own = central.access.addresses.current {
                central.connects(handle)
                peripheral.accepts(handle, from: own)
            } else if central.controller.isScanning {
                central.receive(.advertisingReports([.test(address, peripheral.controller.advertisingData)]))
                central.receive(.advertisingReports([.response(address, peripheral.controller.scanResponse)]))
            }
        }
    }

    @Test(
        "One hears the other, connects, loses it at a new address, and finds it by its identity",
        .shows("GAP/BROB/OBSV/BV-06-C", "GAP/DISC/RPA/BV-01-C", "GAP/CONN/GCEP/BV-06-C", "GAP/CONN/UCON/BV-06-C"),
        arguments: [false, true])
    func journey(isExtended: Bool) throws {
        var air = Air(isExtended: isExtended)
        let service = BluetoothUUID(short: 0x180F)
        air.peripheral.act { $0.advertise(AdvertisingContent(name: "Kim’s phone", services: [service]), at: $1) }
        air.central.act { $0.scan(ScanSettings(), at: $1) }
        air.pass(handle: 1)
        let heard = try #require(air.central.takeHeard().discoveries.first)
        #expect(heard.advertisement.name == "Kim’s phone")
        #expect(heard.advertisement.serviceUUIDs == [service])
        #expect(heard.isConnectable)
        air.central.act { $0.connect(to: heard.device, at: $1) }
        air.pass(handle: 1)
        let here = try #require(air.central.takeHeard().links.first)
        let there = try #require(air.peripheral.takeHeard().links.first)
        #expect(here.peer == there.local && here.local == there.peer)
        #expect(here.role == .central && there.role == .peripheral)

        // They bond, and the link ends.
        air.central.access.add(.numbered(2))
        air.peripheral.access.add(.numbered(1))
        air.central.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        let end = HCIEvent.disconnectionComplete(ConnectionHandle(1), status: .success, reason: .remoteUserEnded)
        air.peripheral.receive(end)
        #expect(air.peripheral.takeHeard() == [.closed(ConnectionHandle(1), .remoteUserEnded)])

        // Both have new addresses, and still know each other.
        air.central.advance(by: .seconds(900))
        air.peripheral.advance(by: .seconds(900))
        _ = (air.central.takeHeard(), air.peripheral.takeHeard())
        air.pass(handle: 2)
        let again = try #require(air.central.takeHeard().discoveries.first)
        #expect(again.device == DeviceIdentity.numbered(2).address)
        #expect(again.address != heard.address)
        air.central.act { $0.connect(to: again.device, at: $1) }
        air.pass(handle: 2)
        #expect(air.central.takeHeard().links.map(\.device) == [DeviceIdentity.numbered(2).address])
        #expect(air.peripheral.takeHeard().links.map(\.device) == [DeviceIdentity.numbered(1).address])
        #expect(air.central.controller.violations.isEmpty && air.peripheral.controller.violations.isEmpty)
    }
}
