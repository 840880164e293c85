import BoardProtocol
import RadioModel
import RigModel

/// A packet as predicates and faults see it. Its bytes may be anything: a part beyond its end is nil.
struct TrafficPacket: Equatable {
    /// The layer where the packet is seen.
    enum Layer: Equatable {
        /// Between a board's host and its controller: an H4 packet.
        case hci(sentByHost: Bool)
        /// Between controllers: RootCanal's link-layer packets.
        case linkLayer
        /// Between Wi-Fi radios: an 802.11 frame.
        case wifi
    }

    let layer: Layer
    let sender: AirAdapter
    var bytes: [UInt8]

    private enum LinkLayerType {
        static let acl: UInt8 = 0x01
        static let legacyAdvertising: UInt8 = 0x0B
        static let scan: UInt8 = 0x0E
        static let scanResponse: UInt8 = 0x0F
        static let extendedAdvertising: UInt8 = 0x37
    }

    var radio: AirRadio { layer == .wifi ? .wifi : .bluetooth }

    /// The board that sent it; nil for the home's router.
    var board: BoardRole? { layer == .wifi ? AirPlace(sender.wifi).board : sender.board }

    func contains(_ part: [UInt8]) -> Bool {
        guard let first = part.first, part.count <= bytes.count else { return part.isEmpty }
        return (0...(bytes.count - part.count)).contains {
            bytes[$0] == first && bytes[$0..<($0 + part.count)].elementsEqual(part)
        }
    }

    // MARK: - Bluetooth

    var isAdvertising: Bool {
        guard layer == .linkLayer, let type = bytes.first else { return false }
        return [
            LinkLayerType.legacyAdvertising, LinkLayerType.extendedAdvertising, LinkLayerType.scan,
            LinkLayerType.scanResponse,
        ].contains(type)
    }

    var isACL: Bool { layer == .linkLayer && bytes.first == LinkLayerType.acl }

    /// The opcode of an attribute protocol message that begins here, on the fixed channel or an enhanced bearer.
    var att: UInt8? { message(onChannel: 4) ?? (isEnhanced ? bytes[21] : nil) }

    /// Whether a complete message begins here on a credit-based channel (Core Specification, volume 3, part A, 3.4).
    /// The enhanced attribute protocol uses these channels, and the accessories here have no other use for them.
    private var isEnhanced: Bool {
        guard isACL, bytes.count >= 22, bytes[13] != 1, (0x40...0x7F).contains(bytes[17]), bytes[18] == 0
        else { return false }
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        return number(15) == number(19) + 2
    }

    /// The code of a security manager message that begins here.
    var smp: UInt8? { message(onChannel: 6) }

    /// The first byte of a message that begins here on a fixed L2CAP channel; nil for a continuation.
    private func message(onChannel channel: UInt16) -> UInt8? {
        // Type, two addresses, boundary and broadcast flags; L2CAP's length and channel.
        guard isACL, bytes.count >= 20, bytes[13] != 1, UInt16(bytes[17]) | UInt16(bytes[18]) << 8 == channel
        else { return nil }
        return bytes[19]
    }

    // MARK: - 802.11

    /// Type and subtype of an 802.11 frame.
    var wifi: (type: UInt8, subtype: UInt8)? {
        guard layer == .wifi, bytes.count >= 2, bytes[0] & 3 == 0 else { return nil }
        return (bytes[0] >> 2 & 3, bytes[0] >> 4)
    }

    /// Algorithm and transaction number of an authentication frame.
    var authentication: (algorithm: UInt16, transaction: UInt16)? {
        guard let wifi, wifi == (0, 11), let start = wifiBody, bytes[1] & 0x40 == 0, bytes.count >= start + 4
        else { return nil }
        func number(_ offset: Int) -> UInt16 { UInt16(bytes[start + offset]) | UInt16(bytes[start + offset + 1]) << 8 }
        return (number(0), number(2))
    }

    /// The content of an EAPOL frame, as far as predicates need it.
    struct EAPOL {
        /// 1 to 4 for a message of the four-way handshake; nil for any other.
        var message: Int?
    }

    /// This packet as an unencrypted EAPOL frame; nil for any other packet.
    var eapol: EAPOL? {
        guard let wifi, wifi.type == 2, let start = wifiBody, bytes[1] & 0x40 == 0,
            bytes[start...].starts(with: [0xAA, 0xAA, 0x03, 0, 0, 0, 0x88, 0x8E])
        else { return nil }
        let key = start + 8
        guard bytes.count >= key + 7, bytes[key + 1] == 3 else { return EAPOL() }
        let information = UInt16(bytes[key + 5]) << 8 | UInt16(bytes[key + 6])
        let (pairwise, acknowledge) = (information & 0x0008 != 0, information & 0x0080 != 0)
        let (integrity, secure) = (information & 0x0100 != 0, information & 0x0200 != 0)
        guard pairwise else { return EAPOL() }
        if acknowledge { return EAPOL(message: integrity ? 3 : 1) }
        return EAPOL(message: integrity ? (secure ? 4 : 2) : nil)
    }

    /// Whether this is 802.11 data with a body, other than unencrypted EAPOL.
    var isData: Bool {
        guard let wifi, wifi.type == 2, wifi.subtype & 4 == 0, let start = wifiBody else { return false }
        return bytes.count > start && eapol == nil
    }

    /// The offset of the body of a management or data frame.
    private var wifiBody: Int? {
        guard let wifi, wifi.type == 0 || wifi.type == 2 else { return nil }
        let isQoS = wifi.type == 2 && wifi.subtype & 8 != 0
        var length = 24
        if wifi.type == 2, bytes[1] & 3 == 3 { length += 6 }
        if isQoS { length += 2 }
        if bytes[1] & 0x80 != 0, isQoS || wifi.type == 0 { length += 4 }
        return bytes.count >= length ? length : nil
    }

    // MARK: - What faults may do

    /// The offset of the part that may be altered; nil if an alteration would break the rig instead of the message.
    var payload: Int? {
        let start: Int? =
            switch layer {
            case .wifi: wifiBody
            case .hci(let sentByHost): sentByHost ? nil : bytes.first == 4 ? 3 : bytes.first == 2 ? 5 : nil
            case .linkLayer:
                switch bytes.first {
                case LinkLayerType.acl: bytes.count > 13 && bytes[13] == 1 ? 15 : isEnhanced ? 21 : 19
                case LinkLayerType.legacyAdvertising: 16
                case LinkLayerType.scanResponse: 14
                default: nil
                }
            }
        return start.flatMap { $0 < bytes.count ? $0 : nil }
    }

    /// Whether the packet may be doubled or delayed. That would break the controllers' own procedures, unlike any real
    /// link layer.
    var isRepeatable: Bool { layer != .linkLayer || isACL || isAdvertising }
}

extension TrafficPacket: CustomStringConvertible {
    var description: String {
        "\(what) of \(layer == .wifi ? "\(AirPlace(sender.wifi))" : "\(sender)"), \(bytes.count) bytes"
    }

    private var what: String {
        switch layer {
        case .hci(let sentByHost): return "an HCI packet \(sentByHost ? "to" : "from") the controller"
        case .linkLayer:
            if let smp { return "SMP \(SMPCode(rawValue: smp).map { "\($0)" } ?? "0x" + Hex.text([smp]))" }
            if let att { return "ATT 0x" + Hex.text([att]) }
            if isACL { return "Bluetooth data" }
            if isAdvertising { return "an advertisement or scan" }
            if DataLengthMessage.isOne(bytes) { return "Bluetooth data length negotiation" }
            return "a Bluetooth link-layer packet 0x" + Hex.text(Array(bytes.prefix(1)))
        case .wifi:
            if let authentication {
                let name = authentication.algorithm == 3 ? "SAE" : "authentication"
                return "\(name) transaction \(authentication.transaction)"
            }
            if let eapol { return "EAPOL" + (eapol.message.map { " message \($0)" } ?? "") }
            return wifi.map { "an 802.11 frame of type \($0.type), subtype \($0.subtype)" } ?? "an 802.11 frame"
        }
    }
}
