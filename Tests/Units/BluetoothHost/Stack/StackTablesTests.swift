import RadioModel
import Testing

@testable import HILBluetoothHost

/// What a phone remembers of a device's services.
@Suite("Services over links")
struct StackTablesTests {
    private static let lamp = BluetoothUUID(short: 0xFF00)
    private static let value = BluetoothUUID(short: 0xFF01)
    private static let added = BluetoothUUID(short: 0xFF10)

    private struct Unexpected: Error {}

    /// A phone, and a peripheral with or without Service Changed.
    private func air(reportsChanges: Bool, _ phone: HostPersonality = .iPhone) throws -> LocalAir {
        let generic = ServiceDefinition(
            BluetoothUUID(short: 0x1801),
            [
                CharacteristicDefinition(
                    BluetoothUUID(short: reportsChanges ? 0x2A05 : 0x2B29), reportsChanges ? [.indicate] : [.read],
                    value: .stored([0]))
            ])
        let lamp = ServiceDefinition(
            Self.lamp, [CharacteristicDefinition(Self.value, [.read, .notify], value: .stored([1]))])
        return LocalAir(
            [phone, HostPersonality()], services: [AttributeDatabase(), try AttributeDatabase([generic, lamp])])
    }

    private func connect(_ air: inout LocalAir) throws -> DeviceAddress {
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp"), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let heard = air.takeEvents(0).compactMap { if case .heard(let discovery) = $0 { discovery } else { nil } }
        let device = try #require(heard.last).device.address
        air.act(0) { $0.scan(nil, at: $1) }
        let id = air.perform(0, .connect(device))
        guard case .success(.done)? = air.result(0, id) else { throw Unexpected() }
        return device
    }

    private func services(_ air: inout LocalAir, _ device: DeviceAddress) throws -> [DiscoveredService] {
        let id = air.perform(0, .gatt(device, .discoverServices(nil)))
        guard case .success(.gatt(.services(let found)))? = air.result(0, id) else { throw Unexpected() }
        return found
    }

    private func characteristics(_ air: inout LocalAir, _ device: DeviceAddress) throws -> [DiscoveredCharacteristic] {
        let lamp = try #require(try services(&air, device).first { $0.uuid == Self.lamp })
        let id = air.perform(0, .gatt(device, .discoverCharacteristics(service: lamp.handle, nil)))
        guard case .success(.gatt(.characteristics(let found)))? = air.result(0, id) else { throw Unexpected() }
        return found
    }

    /// The link is lost, and meanwhile the peripheral gets one more service.
    private func addService(_ air: inout LocalAir) throws {
        air.loseLink()
        var failure: AttributeDatabaseError?
        air.act(1) { stack, now in
            do throws(AttributeDatabaseError) {
                return try stack.changeServices(at: now) { database throws(AttributeDatabaseError) in
                    try database.add([ServiceDefinition(Self.added, [])])
                }
            } catch {
                failure = error
                return []
            }
        }
        #expect(failure == nil)
        #expect(air.devices[0].stack.connected.isEmpty)
    }

    /// How many requests with an ATT opcode the phone has sent.
    private func count(_ opcode: UInt8, in air: LocalAir) -> Int {
        air.frames.count { $0.device == 0 && $0.frame.count > 4 && $0.frame[2] == 4 && $0.frame[4] == opcode }
    }

    @Test("A link is up without any answer of the attribute server, which has 30 s; the name needs no discovery")
    func silentServer() throws {
        var air = try air(reportsChanges: false)
        air.loses = { device, _ in device == 1 }
        let device = try connect(&air)
        #expect(air.devices[0].stack.mtu(of: device) == 23)
        air.advance(by: .seconds(29))
        #expect(air.devices[0].stack.connected == [device])
        air.advance(by: .seconds(2))
        #expect(air.devices[0].stack.connected.isEmpty)

        air.loses = { _, _ in false }
        let again = try connect(&air)
        let name = air.perform(0, .gatt(again, .readByType(BluetoothUUID(short: 0x2A00), in: .all)))
        guard case .failure(.gatt(.refused(.attributeNotFound, _)))? = air.result(0, name) else { throw Unexpected() }
        #expect(count(0x10, in: air) == 0)
        #expect(air.takeEvents(0).contains { if case .mtu(again, 185) = $0 { true } else { false } })
    }

    @Test("A device without Service Changed is not discovered anew, and what was not discovered yet is added later")
    func partial() throws {
        var air = try air(reportsChanges: false)
        let first = try connect(&air)
        #expect(count(0x10, in: air) == 0, "nothing is discovered unasked")
        let before = try services(&air, first)
        try addService(&air)
        let asked = (groups: count(0x10, in: air), types: count(0x08, in: air))
        let device = try connect(&air)
        #expect(device == first)
        #expect(try services(&air, device) == before, "the new service is not seen")
        #expect(count(0x10, in: air) == asked.groups)
        let found = try characteristics(&air, device)
        #expect(found.map(\.uuid) == [Self.value] && count(0x08, in: air) > asked.types)
        air.loseLink()
        let types = count(0x08, in: air)
        let again = try connect(&air)
        #expect(try characteristics(&air, again).map(\.handle) == found.map(\.handle))
        #expect(count(0x08, in: air) == types, "they are known now")
        let subscribe = air.perform(0, .gatt(again, .setNotifying(characteristic: found[0].handle, true)))
        guard case .success(.gatt(.done))? = air.result(0, subscribe) else { throw Unexpected() }
    }

    @Test("A device with Service Changed is discovered anew on each link, without a bond as well")
    func reported() throws {
        var air = try air(reportsChanges: true)
        let device = try connect(&air)
        #expect(try services(&air, device).count == 2)
        try addService(&air)
        #expect(try services(&air, try connect(&air)).map(\.uuid).contains(Self.added))
    }

    @Test("A phone forgets the services with the device, by a wish, and by its personality")
    func forgotten() throws {
        for way in 0..<4 {
            var phone = HostPersonality.iPhone
            phone.gattClient.keepsTables = way != 2
            var air = try air(reportsChanges: false, phone)
            let device = try connect(&air)
            _ = try services(&air, device)
            if way == 0 { air.act(0) { $0.forget(device, at: $1) } }
            try addService(&air)
            if way == 1 { air.act(0) { stack, _ in stack.forgetServices(of: device) } }
            let again = try connect(&air)
            let isNew = try services(&air, again).map(\.uuid).contains(Self.added)
            #expect(isNew == (way != 3), "way \(way)")
        }
    }
}
