import BoardProtocol

/// Where the L2CAP frames between the boards begin and end: a controller sends a long one in several packets (Core
/// Specification, volume 3, part A, 7.2.1).
struct FrameTracker {
    /// One direction of one link.
    struct Way: Hashable {
        let sender: AirAdapter
        let addresses: [UInt8]

        /// nil for what is no data of a link, or too short to say.
        init?(_ packet: TrafficPacket) {
            guard packet.isACL, packet.bytes.count >= FrameTracker.headerLength else { return nil }
            sender = packet.sender
            addresses = Array(packet.bytes[1..<13])
        }
    }

    /// What of a frame a packet is.
    enum Part: Equatable {
        case whole
        case first
        case continuation
        case last
    }

    /// Type, two addresses, boundary and broadcast flags.
    private static let headerLength = 15
    /// How many bytes of the frame that began last are still to come.
    private var missing: [Way: Int] = [:]

    /// Takes the next packet; tells what of a frame it is. A continuation of nothing is whole.
    mutating func take(_ packet: TrafficPacket) -> Part {
        guard let way = Way(packet) else { return .whole }
        let bytes = packet.bytes
        let count = bytes.count - Self.headerLength
        if bytes[13] != 1 {
            missing[way] = nil
            guard count >= 4 else { return .whole }
            let rest = Int(bytes[15]) + Int(bytes[16]) << 8 + 4 - count
            guard rest > 0 else { return .whole }
            missing[way] = rest
            return .first
        }
        guard let rest = missing[way] else { return .whole }
        missing[way] = rest > count ? rest - count : nil
        return rest > count ? .continuation : .last
    }

    /// Whether more of a frame is to come where this packet came from.
    func isUnfinished(after packet: TrafficPacket) -> Bool {
        Way(packet).map { missing[$0] != nil } ?? false
    }
}
