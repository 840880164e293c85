/// The links of one HCI that are not followed: classic ones, and those that were up before the capture began.
struct UnshownLinks: Sendable {
    private struct Packets {
        var count = 0
        /// Whether one was on a channel that only LE links have.
        var isLowEnergy = false
    }

    private var classic: Set<UInt16> = []
    /// Handles without a link: what still comes on them is late.
    private var ended: Set<UInt16> = []
    private var packets: [UInt16: Packets] = [:]

    /// Packets of LE links whose begin is not shown.
    var lowEnergyPackets: Int { packets.values.reduce(0) { $1.isLowEnergy ? $0 + $1.count : $0 } }

    var gaps: [String] {
        let unknown = packets.values.reduce(0) { $1.isLowEnergy ? $0 : $0 + $1.count }
        return [
            (lowEnergyPackets, "links that were up before the capture began"),
            (unknown, "links of an unknown kind that were up before the capture began"),
        ].filter { $0.0 > 0 }.map { "\($0.0) packets belong to \($0.1); they are left out" }
    }

    mutating func beginClassic(_ handle: UInt16) {
        ended.remove(handle)
        classic.insert(handle)
    }

    /// A link that is followed has this handle now.
    mutating func beginShown(_ handle: UInt16) {
        ended.remove(handle)
        classic.remove(handle)
    }

    mutating func end(_ handle: UInt16) {
        classic.remove(handle)
        ended.insert(handle)
    }

    /// - Parameter bytes: A frame of L2CAP, whose fixed channel tells the kind of its link (Core Specification 6.0, Vol
    ///   3, Part A, 2.1).
    mutating func take(_ bytes: [UInt8], on handle: UInt16) {
        guard !classic.contains(handle), !ended.contains(handle) else { return }
        let channel = bytes.count >= 4 ? UInt16(bytes[2]) | UInt16(bytes[3]) << 8 : 0
        switch channel {
        // Signalling, connectionless data, the retired AMP manager, and the Security Manager, of classic links.
        case 1, 2, 3, 7:
            classic.insert(handle)
            packets[handle] = packets[handle].flatMap { $0.isLowEnergy ? $0 : nil }
        default:
            packets[handle, default: Packets()].count += 1
            if (4...6).contains(channel) { packets[handle]?.isLowEnergy = true }
        }
    }
}
