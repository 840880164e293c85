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
        guard let first = packet.first else { return "an empty H4 packet" }
        guard let type = PacketType(rawValue: first) else { return "an H4 packet of the unknown type \(first)" }
        guard let (header, announced) = lengths(type, packet[...]) else {
            return "an H4 \(type) packet of \(packet.count) bytes, shorter than its header of \(headerLength(of: type))"
        }
        let there = packet.count - header
        guard there != announced else { return nil }
        return "an H4 \(type) packet announces \(announced) bytes and has \(there)"
    }

    /// The length of a packet's header with its type, and the length of the data that it announces.
    ///
    /// - Parameter packet: Begins with the type. More than the packet may follow.
    /// - Returns: nil if the header is not complete.
    static func lengths(_ type: PacketType, _ packet: ArraySlice<UInt8>) -> (header: Int, data: Int)? {
        let header = headerLength(of: type)
        guard packet.count >= header else { return nil }
        func byte(_ offset: Int) -> Int { Int(packet[packet.startIndex + offset]) }
        switch type {
        case .command, .synchronous: return (header, byte(3))
        case .event: return (header, byte(2))
        case .data: return (header, byte(3) | byte(4) << 8)
        // The two highest bits are reserved.
        case .isochronous: return (header, (byte(3) | byte(4) << 8) & 0x3FFF)
        }
    }

    private static func headerLength(of type: PacketType) -> Int {
        switch type {
        case .event: 3
        case .command, .synchronous: 4
        case .data, .isochronous: 5
        }
    }
}
