/// Sends the frames of all links as packets, as the controller has buffers for them.
///
/// Links take turns. One buffer is kept for each other link, so that a peer that takes nothing holds up only itself.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 4.1.
struct DataQueue: Sendable {
    private struct Link {
        let kind: ControllerChannel.LinkKind
        var frames = FrameQueue()
        /// Packets that the controller has and did not report as completed.
        var outstanding = 0
    }

    private var links: [ConnectionHandle: Link] = [:]
    /// The links in the order of their turns.
    private var turns: [ConnectionHandle] = []
    private(set) var buffers = BufferSizes()

    /// How many links there are.
    var linkCount: Int { links.count }

    /// How many frames of each link wait.
    var pending: [ConnectionHandle: Int] { links.mapValues(\.frames.count) }

    func pendingFrames(on handle: ConnectionHandle) -> Int { links[handle]?.frames.count ?? 0 }
    func pendingBytes(on handle: ConnectionHandle) -> Int { links[handle]?.frames.byteCount ?? 0 }
    func contains(_ handle: ConnectionHandle) -> Bool { links[handle] != nil }

    mutating func use(_ buffers: BufferSizes) { self.buffers = buffers }

    mutating func open(_ handle: ConnectionHandle, _ kind: ControllerChannel.LinkKind) {
        close(handle)
        links[handle] = Link(kind: kind)
        turns.append(handle)
    }

    /// Forgets a link. The controller has dropped its packets (Core Specification 6.0, Vol 4, Part E, 4.3).
    mutating func close(_ handle: ConnectionHandle) {
        links[handle] = nil
        turns.removeAll { $0 == handle }
    }

    mutating func append(_ frame: [UInt8], on handle: ConnectionHandle, continues: Bool = false) {
        links[handle]?.frames.append(frame, continues: continues)
    }

    /// Takes a report of the controller. More packets than it had, and unknown links, are ignored.
    mutating func complete(_ count: Int, on handle: ConnectionHandle) {
        guard let outstanding = links[handle]?.outstanding else { return }
        links[handle]?.outstanding = max(0, outstanding - count)
    }

    /// The packets for which the controller has buffers now, one of each link in turn.
    mutating func packets() -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while let packet = next() { packets.append(packet) }
        return packets
    }

    private mutating func next() -> [UInt8]? {
        let shares = [ControllerChannel.LinkKind.le: share(of: .le), .classic: share(of: .classic)]
        for (place, handle) in turns.enumerated() {
            guard let link = links[handle], link.outstanding < shares[link.kind, default: 0] else { continue }
            let kind = link.kind
            let length = pool(of: kind).packetLength
            guard let piece = links[handle]?.frames.next(length) else { continue }
            links[handle]?.outstanding += 1
            turns.remove(at: place)
            turns.append(handle)
            return DataPacket(handle: handle, boundary: .sent(isFirst: piece.isFirst, kind), data: piece.bytes).packet
        }
        return nil
    }

    /// The buffers for a kind of link.
    private func pool(of kind: ControllerChannel.LinkKind) -> BufferSizes.Buffers {
        kind == .le && buffers.lowEnergy.exist ? buffers.lowEnergy : buffers.classic
    }

    /// How many packets one link of a kind may have in the controller; 0 if the controller takes none now.
    private func share(of kind: ControllerChannel.LinkKind) -> Int {
        let sharing = links.values.filter { !buffers.lowEnergy.exist || $0.kind == kind }
        let count = pool(of: kind).packetCount
        guard sharing.reduce(0, { $0 + $1.outstanding }) < count else { return 0 }
        return max(1, count - (sharing.count - 1))
    }
}
