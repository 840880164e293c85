import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// What a phone publishes, as an accessory's client sees it. The accessory is the central here, to keep it short.
@Suite("The phone's services on its links")
struct StackServicesTests {
    private static let first = BluetoothUUID(short: 0xFF00)
    private static let second = BluetoothUUID(short: 0xFF10)
    private static let value = BluetoothUUID(short: 0xFF11)

    private static func service(_ uuid: BluetoothUUID) -> ServiceDefinition {
        ServiceDefinition(
            uuid, [CharacteristicDefinition(value, [.read, .notify], value: .stored(Array("on".utf8)))])
    }

    /// Device 0 is a client that is bonded with device 1, which has the phone's own services and one more.
    private func air() throws -> (air: LocalAir, phone: DeviceAddress) {
        var client = HostPersonality()
        client.pairing.consent = .never
        var phone = client
        phone.pairing.capability = .noInputNoOutput
        client.pairing.capability = .noInputNoOutput
        var services = PhoneServices(name: "iPhone").database
        try services.add([Self.service(Self.first)])
        var air = LocalAir([client, phone], services: [AttributeDatabase(), services])
        let address = try connect(&air)
        let pairing = air.perform(0, .pair(address))
        guard case .success(.paired(_, isBonded: true))? = air.result(0, pairing) else { throw Unexpected() }
        return (air, try #require(air.devices[0].stack.connected.first))
    }

    private struct Unexpected: Error {}

    private func connect(_ air: inout LocalAir, to known: DeviceAddress? = nil) throws -> DeviceAddress {
        air.act(1) { $0.advertise(AdvertisingContent(name: "Phone"), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let heard = try #require(
            air.takeEvents(0).compactMap { if case .heard(let discovery) = $0 { discovery } else { nil } }.last)
        air.act(0) { $0.scan(nil, at: $1) }
        let id = air.perform(0, .connect(known ?? heard.device.address))
        guard case .success? = air.result(0, id) else { throw Unexpected() }
        return heard.device.address
    }

    private func services(_ air: inout LocalAir, of phone: DeviceAddress) -> [BluetoothUUID] {
        let id = air.perform(0, .gatt(phone, .discoverServices(nil)))
        guard case .success(.gatt(.services(let found)))? = air.result(0, id) else { return [] }
        return found.map(\.uuid)
    }

    private func addSecond(_ air: inout LocalAir) {
        air.act(1) { stack, now in
            let outputs = try? stack.changeServices(at: now) { database throws(AttributeDatabaseError) in
                try database.add([Self.service(Self.second)])
            }
            return outputs ?? []
        }
    }

    private func wasToldOfChange(_ events: [StackEvent]) -> Bool {
        events.contains { if case .servicesChanged = $0 { true } else { false } }
    }

    private func indications(_ events: [StackEvent]) -> [[UInt8]] {
        events.compactMap { if case .value(_, _, let value) = $0 { value } else { nil } }
    }

    @Test("A client hears of a new service, and finds it")
    func change() throws {
        var (air, phone) = try air()
        #expect(services(&air, of: phone).contains(Self.first))
        _ = air.takeEvents(0)
        addSecond(&air)
        #expect(wasToldOfChange(air.takeEvents(0)))
        #expect(services(&air, of: phone).contains(Self.second))
    }

    @Test("A bonded client hears of a change that it has missed, once, when it comes back and the link is encrypted")
    func missedChange() throws {
        var (air, phone) = try air()
        _ = services(&air, of: phone)
        _ = air.perform(0, .disconnect(phone))
        addSecond(&air)
        #expect(air.devices[1].stack.bonds.values.contains { $0.missedChange != nil })
        _ = air.takeEvents(0)
        _ = try connect(&air, to: phone)
        air.advance(by: .milliseconds(100))
        // The client has no table on the new link, so that it sees only the value: the handles of the new service.
        #expect(indications(air.takeEvents(0)) == [[14, 0, 17, 0]])
        #expect(!air.devices[1].stack.bonds.values.contains { $0.missedChange != nil })
        _ = air.perform(0, .disconnect(phone))
        _ = try connect(&air, to: phone)
        air.advance(by: .milliseconds(100))
        #expect(indications(air.takeEvents(0)).isEmpty)
    }

    @Test(
        "The name for devices with a bond is the person's; for others it is the plain one",
        .shows("GAP/IDLE/NAMP/BV-02-C"))
    func name() throws {
        var (air, phone) = try air()
        air.act(1) { stack, _ in
            stack.setName("Kim's iPhone")
            return []
        }
        let id = air.perform(0, .gatt(phone, .readByType(BluetoothUUID(short: 0x2A00), in: .all)))
        guard case .success(.gatt(.values(let values)))? = air.result(0, id) else { throw Unexpected() }
        #expect(values.first?.value == Array("Kim's iPhone".utf8))
        air.act(1) { stack, _ in
            stack.setName("Ada's iPhone")
            return []
        }
        let again = air.perform(0, .gatt(phone, .readByType(BluetoothUUID(short: 0x2A00), in: .all)))
        guard case .success(.gatt(.values(let renamed)))? = air.result(0, again) else { throw Unexpected() }
        #expect(renamed.first?.value == Array("Ada's iPhone".utf8))
    }

    @Test("A single request is answered as it is: a refusal asks for no pairing")
    func singleRequest() throws {
        var (air, phone) = try air()
        let read = air.perform(0, .gatt(phone, .request(.readRequest(handle: 3))))
        guard case .success(.gatt(.pdu(.readResponse)))? = air.result(0, read) else { throw Unexpected() }
        let refused = air.perform(0, .gatt(phone, .request(.readRequest(handle: 0xEEEE))))
        guard case .failure(.gatt(.refused(let error, _)))? = air.result(0, refused) else { throw Unexpected() }
        #expect(error == .invalidHandle)
    }
}
