import BoardProtocol

/// What the link layer of two radios does for a link, and RootCanal leaves out: it repeats what was not heard, and gives a
/// link up when its supervision timeout passes in silence (Core Specification, volume 6, part B, 4.5.2).
///
/// RootCanal's link-layer packets begin with a type, the source's and the destination's address (6 bytes each, least
/// significant first); an LE connection's is known from the packet that completes it.
struct LinkSupervision {
    /// A link-layer packet for one board's controller.
    struct Delivery: Equatable {
        let board: BoardRole
        let bytes: [UInt8]
        let phy: Int32
    }

    private enum PacketType {
        static let disconnect: UInt8 = 0x05
        static let connectionComplete: UInt8 = 0x0D
        static let parameterUpdate: UInt8 = 0x2F
    }

    private struct End {
        let board: BoardRole
        let address: ArraySlice<UInt8>
        /// Whether its controller still knows the link.
        var isAlive = true
    }

    private struct Link {
        var ends: [End]
        var timeout: Duration
        var silentSince: ContinuousClock.Instant?
        var held: [Delivery] = []

        func joins(_ source: ArraySlice<UInt8>, _ destination: ArraySlice<UInt8>) -> Bool {
            let addresses = ends.map(\.address)
            return addresses == [source, destination] || addresses == [destination, source]
        }
    }

    private static let connectionTimeout: UInt8 = 0x08

    private var links: [Link] = []

    /// How many links there are.
    var count: Int { links.count }

    /// Sees a packet that one board's controller sends and another's hears.
    mutating func observe(_ packet: [UInt8], from board: BoardRole, to other: BoardRole) {
        guard packet.count >= 13 else { return }
        let (source, destination) = (packet[1..<7], packet[7..<13])
        switch packet[0] {
        case PacketType.connectionComplete where packet.count >= 21:
            links.removeAll { $0.joins(source, destination) }
            links.append(
                Link(
                    ends: [End(board: board, address: source), End(board: other, address: destination)],
                    timeout: LinkSupervision.timeout(packet, at: 19)))
        case PacketType.parameterUpdate where packet.count >= 20 && packet[13] == 0:
            for index in links.indices where links[index].joins(source, destination) {
                links[index].timeout = LinkSupervision.timeout(packet, at: 18)
            }
        case PacketType.disconnect: links.removeAll { $0.joins(source, destination) }
        default: break
        }
    }

    /// Keeps a packet of a link that is not heard now, to be repeated; any other is lost.
    mutating func hold(_ packet: [UInt8], phy: Int32, from board: BoardRole) {
        guard packet.count >= 13, let index = links.firstIndex(where: { $0.joins(packet[1..<7], packet[7..<13]) })
        else { return }
        for end in links[index].ends where end.board != board && end.isAlive {
            links[index].held.append(Delivery(board: end.board, bytes: packet, phy: phy))
        }
    }

    /// A board's controller was reset or pulled out: it knows nothing of its links any more.
    mutating func forget(_ board: BoardRole) {
        for link in links.indices {
            for end in links[link].ends.indices where links[link].ends[end].board == board {
                links[link].ends[end].isAlive = false
            }
            links[link].held.removeAll { $0.board == board }
        }
        links.removeAll { !$0.ends.contains(where: \.isAlive) }
    }

    /// The packets that were kept while nothing was heard, now that it is again.
    mutating func release() -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in links.indices {
            deliveries += links[index].held
            links[index].held = []
        }
        return deliveries
    }

    /// Looks at the clock.
    ///
    /// - Parameter isInRange: Whether the boards hear each other.
    /// - Returns: For the controllers of links that are given up: that the other side is gone.
    mutating func advance(to now: ContinuousClock.Instant, isInRange: Bool) -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in links.indices {
            let isHeard = isInRange && links[index].ends.allSatisfy(\.isAlive)
            guard !isHeard else {
                links[index].silentSince = nil
                continue
            }
            let since = links[index].silentSince ?? now
            links[index].silentSince = since
            guard since.duration(to: now) >= links[index].timeout else { continue }
            for (end, other) in zip(links[index].ends, links[index].ends.reversed()) where end.isAlive {
                let bytes =
                    [PacketType.disconnect] + other.address + end.address + [LinkSupervision.connectionTimeout]
                deliveries.append(Delivery(board: end.board, bytes: bytes, phy: 0))
                links[index].timeout = .zero
            }
        }
        links.removeAll { $0.timeout == .zero }
        return deliveries
    }

    /// A supervision timeout: two bytes, in units of 10 ms; 100 ms at least.
    private static func timeout(_ packet: [UInt8], at offset: Int) -> Duration {
        .milliseconds(max(100, 10 * (Int(packet[offset]) | Int(packet[offset + 1]) << 8)))
    }
}
