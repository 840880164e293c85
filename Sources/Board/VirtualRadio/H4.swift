/// Packets of the UART transport: a type (1 byte), then the packet (Core Specification, volume 4, part A, 2).
package enum H4 {
    /// The type of a packet.
    package enum PacketType: UInt8, Sendable {
        case command = 1
        case data = 2
        case synchronous = 3
        case event = 4
        case isochronous = 5
    }

    /// Why the bytes are not one complete packet; nil if they are.
    package static func problem(with packet: [UInt8]) -> String? {
        guard let first = packet.first else { return "an H4 packet of no bytes" }
        guard let type = PacketType(rawValue: first) else { return "an H4 packet of the unknown type \(first)" }
        let header: Int
        let announced: Int
        switch type {
        case .command, .synchronous:
            header = 4
            guard packet.count >= header else { break }
            announced = Int(packet[3])
            return mismatch(type, announced, in: packet, after: header)
        case .event:
            header = 3
            guard packet.count >= header else { break }
            announced = Int(packet[2])
            return mismatch(type, announced, in: packet, after: header)
        case .data, .isochronous:
            header = 5
            guard packet.count >= header else { break }
            let mask = type == .isochronous ? 0x3FFF : 0xFFFF
            announced = (Int(packet[3]) | Int(packet[4]) << 8) & mask
            return mismatch(type, announced, in: packet, after: header)
        }
        return "an H4 \(type) packet of \(packet.count) bytes, shorter than its header of \(header)"
    }

    private static func mismatch(_ type: PacketType, _ announced: Int, in packet: [UInt8], after header: Int) -> String?
    {
        let there = packet.count - header
        guard there != announced else { return nil }
        return "an H4 \(type) packet announces \(announced) bytes and has \(there)"
    }
}
