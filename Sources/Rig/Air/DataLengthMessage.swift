/// A message of the Data Length Update procedure: what one end of a link can receive and wants to send.
///
/// It travels on the air like RootCanal's link-layer packets, so that distance and faults apply to it, but no
/// controller of RootCanal gets it. Source: Core Specification 6.0, volume 6, part B, 2.4.2.21 and 5.1.9.
struct DataLengthMessage: Equatable {
    /// LL_LENGTH_REQ and LL_LENGTH_RSP.
    enum Kind: UInt8, CaseIterable {
        // RootCanal has no link-layer packets of these types.
        case request = 0xB4
        case response = 0xB5
    }

    /// The number of bytes: type, source, destination, and two lengths.
    static let size = 21

    let kind: Kind
    /// The sender's address, least significant byte first.
    let source: [UInt8]
    /// The receiver's address, least significant byte first.
    let destination: [UInt8]
    /// The longest packet that the sender can receive.
    let receive: PacketLength
    /// The longest packet that the sender wants to send.
    let transmit: PacketLength

    init(_ kind: Kind, from source: [UInt8], to destination: [UInt8], receive: PacketLength, transmit: PacketLength) {
        self.kind = kind
        self.source = source
        self.destination = destination
        self.receive = receive
        self.transmit = transmit
    }

    /// Reads a link-layer packet of the air; nil if it is another packet, has another length, or invalid values.
    init?(_ packet: [UInt8]) {
        guard packet.count == DataLengthMessage.size, let kind = Kind(rawValue: packet[0]),
            let receive = PacketLength(packet[13...]), let transmit = PacketLength(packet[17...]),
            receive.isValid, transmit.isValid
        else { return nil }
        self.init(
            kind, from: Array(packet[1..<7]), to: Array(packet[7..<13]), receive: receive, transmit: transmit)
    }

    /// The link-layer packet.
    var bytes: [UInt8] { [kind.rawValue] + source + destination + receive.bytes + transmit.bytes }

    /// Whether a link-layer packet is of this procedure, valid or not. RootCanal does not know it.
    static func isOne(_ packet: [UInt8]) -> Bool { packet.first.flatMap(Kind.init) != nil }
}
