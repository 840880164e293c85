import RadioModel
import Testing

@testable import HILBluetoothHost

/// The phone and the tester of a SIG case on one air, as whole hosts. Device 0 is the central.
struct SIGAir {
    var air: LocalAir
    /// The phone's number: 0 as a central, 1 as a peripheral.
    let phone: Int
    var tester: Int { 1 - phone }
    /// What the people were asked, by device.
    private(set) var asked: [Int: Int] = [0: 0, 1: 0]
    private(set) var events: [Int: [StackEvent]] = [0: [], 1: []]

    static let service = BluetoothUUID(short: 0xFF00)
    /// The handle of the value in the other device's services; its subscriptions are one handle later.
    static let value: UInt16 = 3

    /// - Parameters:
    ///   - reading: What a value of the server needs.
    ///   - server: The device with the value.
    init(
        phone: Int, server: Int = 1, reading: LinkProtection = .none,
        phoneIs: (inout HostPersonality) -> Void = { _ in }, testerIs: (inout HostPersonality) -> Void = { _ in }
    ) throws {
        var own = HostPersonality.iPhone
        phoneIs(&own)
        var other = HostPersonality()
        other.pairing.consent = .never
        testerIs(&other)
        let value = CharacteristicDefinition(
            BluetoothUUID(short: 0xFF01), [.read, .notify, .indicate], reading: reading,
            value: .stored(Array("value".utf8)))
        let services = try AttributeDatabase([ServiceDefinition(Self.service, [value])])
        self.phone = phone
        air = LocalAir(
            phone == 0 ? [own, other] : [other, own],
            services: server == 0 ? [services, .init()] : [.init(), services])
    }

    /// The central scans, and connects to what it hears; a bonded device by its identity.
    mutating func connect() throws {
        air.act(1) { $0.advertise(AdvertisingContent(name: "Device", services: [Self.service]), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let heard = air.takeEvents(0).compactMap { if case .heard(let each) = $0 { each.device.address } else { nil } }
        air.act(0) { $0.scan(nil, at: $1) }
        let id = air.perform(0, .connect(try #require(heard.last)))
        answer()
        guard case .success? = air.result(0, id) else {
            throw Failure(text: "\(String(describing: air.result(0, id)))")
        }
    }

    mutating func disconnect(by device: Int) throws {
        let id = air.perform(device, .disconnect(try peer(of: device)))
        guard case .success? = air.result(device, id) else { throw Failure(text: "the link did not end") }
        events = [0: [], 1: []]
        for device in 0..<2 { _ = air.takeEvents(device) }
    }

    /// The address by which a device knows the other one now.
    func peer(of device: Int) throws -> DeviceAddress { try #require(air.devices[device].stack.connected.first) }

    /// A device pairs; the people agree.
    mutating func pair(_ device: Int) throws {
        let id = air.perform(device, .pair(try peer(of: device)))
        answer()
        guard case .success(.paired)? = air.result(device, id) else {
            throw Failure(text: "\(String(describing: air.result(device, id)))")
        }
    }

    /// A device reads the value, with a better protection if it is needed.
    mutating func read(by device: Int) throws -> [UInt8] {
        let id = air.perform(device, .gatt(try peer(of: device), .read(Self.value)))
        answer()
        guard case .success(.gatt(.value(let value)))? = air.result(device, id) else {
            throw Failure(text: "\(String(describing: air.result(device, id)))")
        }
        return value
    }

    /// The answer to a single request.
    enum Answer: Equatable {
        case pdu(ATTPDU)
        case refused(ATTError)
    }

    /// One request without anything else.
    mutating func request(_ pdu: ATTPDU, by device: Int) throws -> Answer {
        let id = air.perform(device, .gatt(try peer(of: device), .request(pdu)))
        answer()
        switch air.result(device, id) {
        case .success(.gatt(.pdu(let answer)))?: return .pdu(answer)
        case .failure(.gatt(.refused(let error, _)))?: return .refused(error)
        case let other: throw Failure(text: "\(String(describing: other))")
        }
    }

    /// Lets the people answer until nobody asks, and time go on.
    mutating func answer() {
        for _ in 0..<8 {
            for device in 0..<2 {
                let new = air.takeEvents(device)
                events[device, default: []] += new
                for event in new {
                    switch event {
                    case .compare(let peer, _), .askConsent(let peer):
                        asked[device, default: 0] += 1
                        air.act(device) { $0.confirm(peer, true, at: $1) }
                    default: break
                    }
                }
            }
            air.advance(by: .milliseconds(100))
        }
    }

    func protection(_ device: Int) throws -> LinkSecurity {
        let address = try peer(of: device)
        return try #require(air.devices[device].stack.protection(of: address))
    }

    struct Failure: Error {
        let text: String
    }
}
