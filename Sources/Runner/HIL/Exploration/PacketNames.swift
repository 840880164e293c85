import HILBluetoothHost
import HILRecord
import RadioModel

/// Gives the packets of the phone's Bluetooth links the names of moments.
///
/// Pure. The names of characteristics come from the discoveries that pass.
struct PacketNames {
    /// The UUIDs of characteristics by their value handles.
    private var characteristics: [UInt16: BluetoothUUID] = [:]
    /// The handles of Client Characteristic Configurations.
    private var configurations: Set<UInt16> = []
    /// The phone's request that is not answered yet.
    private var request: String?
    /// The requests for attributes, which a discovery repeats as often as it must.
    private var discoveries: Set<String> = []
    private var channels = ChannelPorts()

    /// The layer and the name of a packet; nil if it is no moment.
    mutating func name(_ packet: RawPacket) -> (layer: Moment.Layer, what: String)? {
        switch packet.channel {
        case RawPacket.attributes:
            guard let pdu = try? ATTPDU.decode(Array(packet.payload)) else { return nil }
            let name = packet.direction == .sent ? nameOfSent(pdu) : nameOfReceived(pdu)
            return name.map { (.attribute, $0) }
        case RawPacket.securityManager:
            guard let code = packet.payload.first.flatMap(SMPCommand.Code.init) else { return nil }
            return (.pairing, "smp(\(PacketNames.word(code)))")
        case RawPacket.signaling: return channels.note(packet).map { (.channel, "open(\($0))") }
        case 0x40...:
            let way = packet.direction == .sent ? "sent" : "received"
            return (.channel, channels.port(of: packet).map { "data(\($0) \(way))" } ?? "data(\(way))")
        default: return nil
        }
    }

    /// `DHKey Check` is `dhKeyCheck`, as predicates of the air have it.
    private static func word(_ code: SMPCommand.Code) -> String {
        switch code {
        case .pairingRequest: "pairingRequest"
        case .pairingResponse: "pairingResponse"
        case .pairingConfirm: "pairingConfirm"
        case .pairingRandom: "pairingRandom"
        case .pairingFailed: "pairingFailed"
        case .encryptionInformation: "encryptionInformation"
        case .centralIdentification: "centralIdentification"
        case .identityInformation: "identityInformation"
        case .identityAddressInformation: "identityAddressInformation"
        case .signingInformation: "signingInformation"
        case .securityRequest: "securityRequest"
        case .publicKey: "publicKey"
        case .dhKeyCheck: "dhKeyCheck"
        case .keypressNotification: "keypressNotification"
        }
    }

    // MARK: What the phone sends

    private mutating func nameOfSent(_ pdu: ATTPDU) -> String? {
        switch pdu {
        case .readRequest(let handle), .readBlobRequest(let handle, _): return asked("read(\(name(of: handle)))")
        case .writeRequest(let handle, let value):
            guard configurations.contains(handle) else { return asked("write(\(name(of: handle)))") }
            return asked("\(value.first == 0 ? "unsubscribe" : "subscribe")(\(name(of: handle)))")
        case .prepareWriteRequest(let write): return asked("write(\(name(of: write.handle)))")
        case .writeCommand(let handle, _), .signedWriteCommand(let handle, _, _):
            return "command(\(name(of: handle)))"
        case .readByGroupTypeRequest, .findByTypeValueRequest: return discovered("discover(services)")
        case .readByTypeRequest(_, let type):
            return discovered(
                type == AttributeType.characteristic
                    ? "discover(characteristics)" : "discover(\(PacketNames.short(type)))")
        case .findInformationRequest: return discovered("discover(descriptors)")
        case .exchangeMTURequest: return asked("mtu")
        default: return nil
        }
    }

    private mutating func asked(_ name: String) -> String {
        request = name
        return name
    }

    /// Only the first request of a discovery is a moment: how many there are depends on the MTU.
    private mutating func discovered(_ name: String) -> String? {
        request = nil
        return discoveries.insert(name).inserted ? name : nil
    }

    // MARK: What the accessory sends

    private mutating func nameOfReceived(_ pdu: ATTPDU) -> String? {
        learn(from: pdu)
        switch pdu {
        case .notification(let value): return "notify(\(name(of: value.handle)))"
        case .indication(let value): return "indicate(\(name(of: value.handle)))"
        case .readResponse, .readBlobResponse, .writeResponse, .prepareWriteResponse, .exchangeMTUResponse:
            return answered("answer")
        case .errorResponse: return answered("refusal")
        default: return nil
        }
    }

    private mutating func answered(_ how: String) -> String? {
        defer { request = nil }
        return request.map { "\(how)(\($0))" }
    }

    private mutating func learn(from pdu: ATTPDU) {
        switch pdu {
        case .readByTypeResponse(let values):
            // A declaration has the properties, the handle of the value, and its UUID (Vol 3, Part G, 3.3.1).
            for value in values.map(\.value) where value.count == 5 || value.count == 19 {
                let handle = UInt16(value[1]) | UInt16(value[2]) << 8
                characteristics[handle] = BluetoothUUID(bytes: value[3...].reversed())
            }
        case .findInformationResponse(let attributes):
            for attribute in attributes where attribute.type == AttributeType.clientConfiguration {
                configurations.insert(attribute.handle)
            }
        default: break
        }
    }

    // MARK: Names of attributes

    /// The UUID of the characteristic that an attribute belongs to; its handle if no discovery told of it.
    private func name(of handle: UInt16) -> String {
        let value = characteristics.keys.filter { $0 <= handle }.max()
        guard let value, value == handle || configurations.contains(handle) else {
            return "handle \(HandleRange.text(handle))"
        }
        return characteristics[value].map(PacketNames.short) ?? "handle \(HandleRange.text(handle))"
    }

    /// The first eight digits of a UUID, or all of a shorter one.
    private static func short(_ uuid: BluetoothUUID) -> String { Hex.text(Array(uuid.shortest.prefix(4))) }
}

/// The ports (PSM) of the channels that either end opens (Core Specification, volume 3, part A, 4.22 and 4.23).
private struct ChannelPorts {
    /// A channel by what its packets carry in one direction.
    private struct Channel: Hashable {
        let device: DeviceAddress
        let direction: RawPacket.Direction
        let identifier: UInt16
    }

    private struct Request: Hashable {
        let device: DeviceAddress
        let direction: RawPacket.Direction
        let identifier: UInt8
    }

    private var asked: [Request: (port: String, source: UInt16)] = [:]
    private var ports: [Channel: String] = [:]

    /// Learns from a packet of the signalling channel.
    ///
    /// - Returns: The port that it asks to open, in four hexadecimal digits; nil if it asks for none.
    mutating func note(_ packet: RawPacket) -> String? {
        let bytes = Array(packet.payload)
        func number(_ place: Int) -> UInt16 { UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 }
        guard bytes.count >= 14 else { return nil }
        switch bytes[0] {
        case 0x14:
            let port = Hex.text([bytes[5], bytes[4]])
            let request = Request(device: packet.device, direction: packet.direction, identifier: bytes[1])
            asked[request] = (port, source: number(6))
            return port
        case 0x15:
            let forth: RawPacket.Direction = packet.direction == .sent ? .received : .sent
            let request = Request(device: packet.device, direction: forth, identifier: bytes[1])
            guard let (port, source) = asked.removeValue(forKey: request), number(12) == 0 else { return nil }
            ports[Channel(device: packet.device, direction: forth, identifier: number(4))] = port
            ports[Channel(device: packet.device, direction: packet.direction, identifier: source)] = port
            return nil
        default: return nil
        }
    }

    /// The port of the channel on which data goes; nil if nobody saw it opened.
    func port(of packet: RawPacket) -> String? {
        ports[Channel(device: packet.device, direction: packet.direction, identifier: packet.channel)]
    }
}
