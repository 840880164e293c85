import BoardProtocol

/// Tracks where the L2CAP frames between the boards begin and end. A controller sends a long frame in several packets
/// (Core Specification, volume 3, part A, 7.2.1).
struct FrameTracker {
    /// One direction of one link.
    struct Direction: Hashable {
        let sender: AirAdapter
        let addresses: [UInt8]

        /// Nil if the packet is not data of a link, or is too short.
        init?(_ packet: TrafficPacket) {
            guard packet.isACL, packet.bytes.count >= FrameTracker.headerLength else { return nil }
            sender = packet.sender
            addresses = Array(packet.bytes[1..<13])
        }
    }

    /// Which part of a frame a packet is.
    enum Part: Equatable {
        case whole
        case first
        case continuation
        case last
    }

    /// Type, two addresses, boundary and broadcast flags.
    private static let headerLength = 15
    /// How many bytes are still missing of the last frame in each direction.
    private var missing: [Direction: Int] = [:]

    /// Handles the next packet, and returns which part of a frame it is. A continuation without a beginning counts as
    /// whole.
    mutating func take(_ packet: TrafficPacket) -> Part {
        guard let direction = Direction(packet) else { return .whole }
        let bytes = packet.bytes
        let count = bytes.count - Self.headerLength
        if bytes[13] != 1 {
            missing[direction] = nil
            guard count >= 4 else { return .whole }
            let rest = Int(bytes[15]) + Int(bytes[16]) << 8 + 4 - count
            guard rest > 0 else { return .whole }
            missing[direction] = rest
            return .first
        }
        guard let rest = missing[direction] else { return .whole }
        missing[direction] = rest > count ? rest - count : nil
        return rest > count ? .continuation : .last
    }

    /// Whether the frame of this packet's link and direction is still incomplete.
    func isUnfinished(after packet: TrafficPacket) -> Bool {
        Direction(packet).map { missing[$0] != nil } ?? false
    }
}
