import BoardProtocol

/// The parts of an LE link that RootCanal leaves out (Core Specification, volume 6, part B, 4.5.2 and 5.1.3).
///
/// A real link layer repeats lost packets, gives up a link after its supervision timeout without packets, and needs
/// some connection events to start encryption. It ends a link in a later connection event than the link's last data
/// (5.1.6).
///
/// The time before the end matters to BlueZ as well. If bluetoothd reads data when Linux already knows that the link is
/// gone, the data belongs to no device, and a write among it crashes bluetoothd (`att_get_device`, 5.82).
///
/// The time for encryption matters to BlueZ. When a bonded peer connects, bluetoothd takes the link's ATT socket and
/// then asks the kernel for security (`device_attach_att`, 5.82). If the link is already encrypted, Linux refuses
/// (`smp_conn_security`: EINVAL), bluetoothd drops the socket, and the link carries nothing until Linux closes it
/// after 4 s. With real radios bluetoothd is much faster than the link; with RootCanal's link it often was not.
///
/// A real controller asks an advertiser for a link after each of its advertisements, until there is one. RootCanal's asks
/// once, and waits for ever if the advertiser has just stopped. Here the advertiser gets the request again with its next
/// advertisement, as if the first one had not been heard.
///
/// A real controller ends a link when the other end has acknowledged that, which then knows of the end as well (5.1.6).
/// RootCanal's ends it at once, and its host may ask for the next link before the advertiser has heard of the end of the
/// last one: to Linux, that end would be one of the new link's. Here the advertiser does not hear such a request, until the
/// last link has ended for it, too.
///
/// A real controller that is told to give its attempt up either has asked for the link, and has it, or never asks. RootCanal's
/// says that it has none, and takes it when the answer comes (volume 4, part E, 7.8.13). Here the advertiser that answers too
/// late has a link that carries nothing, and loses it after six connection intervals: it was never established (volume 6,
/// part B, 4.5.2). If it lost it at once, its host would get an error for a link that it has just heard of, and Linux
/// would never advertise again.
///
/// RootCanal's link-layer packets begin with a type, the source's and the destination's address (6 bytes each, least
/// significant first). A link begins with the packet that completes the connection.
struct LELinks {
    /// A link-layer packet for one board's controller.
    struct Delivery: Equatable {
        let board: AirAdapter
        let bytes: [UInt8]
        let phy: Int32
    }

    /// The types of RootCanal's link-layer packets.
    enum PacketType {
        static let data: UInt8 = 0x01
        static let disconnect: UInt8 = 0x05
        static let advertisement: UInt8 = 0x0B
        static let connect: UInt8 = 0x0C
        static let connectionComplete: UInt8 = 0x0D
        static let encryption: UInt8 = 0x20
        static let parameterUpdate: UInt8 = 0x2F
    }

    /// Operation codes of HCI (volume 4, part E, 7.8.12, 7.8.13 and 7.8.66).
    private enum Command {
        static let createConnection: UInt16 = 0x200D
        static let createConnectionCancel: UInt16 = 0x200E
        static let extendedCreateConnection: UInt16 = 0x2043
    }

    private struct End {
        let board: AirAdapter
        let address: ArraySlice<UInt8>
        /// Whether its controller still knows the link.
        var isAlive = true
    }

    private struct Link {
        /// The progress of starting encryption. No data is sent meanwhile.
        enum EncryptionStart: Equatable {
            case asked
            case running(since: ContinuousClock.Instant)
        }

        var ends: [End]
        var interval: Duration
        var timeout: Duration
        var encryptionStart: EncryptionStart?
        var lastData: ContinuousClock.Instant?
        /// When one end learns that the other has ended the link; nil if neither has.
        var end: ContinuousClock.Instant?
        var silentSince: ContinuousClock.Instant?
        /// The end that missed a change of the parameters, and when the change takes effect.
        var missed: (address: ArraySlice<UInt8>, instant: ContinuousClock.Instant)?
        var held: [Delivery] = []

        func joins(_ source: ArraySlice<UInt8>, _ destination: ArraySlice<UInt8>) -> Bool {
            let addresses = ends.map(\.address)
            return addresses == [source, destination] || addresses == [destination, source]
        }
    }

    /// A request for a link that its advertiser has not answered.
    private struct Request {
        let board: AirAdapter
        let packet: [UInt8]
        /// Until when an answer may be on its way.
        var limit: ContinuousClock.Instant

        func joins(_ source: ArraySlice<UInt8>, _ destination: ArraySlice<UInt8>) -> Bool {
            packet[1..<7].elementsEqual(source) && packet[7..<13].elementsEqual(destination)
        }
    }

    private static let connectionTimeout: UInt8 = 0x08
    private static let notEstablished: UInt8 = 0x3E
    /// How many connection intervals a new link may be silent.
    private static let establishmentIntervals = 6
    /// How long the answer to a request may take.
    private static let requestLimit = Duration.milliseconds(50)
    /// The type of an advertisement to which everybody may connect: ADV_IND.
    private static let connectable: UInt8 = 0
    private static let instantPassed: UInt8 = 0x28
    /// How many connection intervals a central lets pass before a change of the parameters takes effect (5.1.1).
    private static let instantIntervals = 6
    /// The fewest connection intervals from LL_ENC_REQ to the first encrypted packet. Between them are LL_ENC_RSP,
    /// LL_START_ENC_REQ and two LL_START_ENC_RSP.
    private static let encryptionIntervals = 2

    private var links: [Link] = []
    /// The time of the last tick.
    private var now = ContinuousClock.now
    /// The adapter that last asked for a link from each address. The packet that completes the link is for that
    /// adapter, although every adapter hears it.
    private var initiators: [[UInt8]: AirAdapter] = [:]
    /// The adapters whose hosts want a link.
    private var seekers: Set<AirAdapter> = []
    /// The adapters whose hosts have given their last attempt up.
    private var quitters: Set<AirAdapter> = []
    private var requests: [Request] = []
    /// The ends of links that only an advertiser has, and when it gives them up.
    private var unestablished: [(end: Delivery, due: ContinuousClock.Instant)] = []

    /// How many links there are.
    var count: Int { links.count }

    /// The addresses of the ends of an adapter's link to one of these peers; nil if it has none. They are least
    /// significant byte first.
    func ends(of adapter: AirAdapter, to peers: [[UInt8]]) -> (own: [UInt8], peer: [UInt8])? {
        for link in links {
            for (end, other) in zip(link.ends, link.ends.reversed())
            where end.board == adapter && end.isAlive && peers.contains(Array(other.address)) {
                return (Array(end.address), Array(other.address))
            }
        }
        return nil
    }

    /// Whether an adapter's host waits for a link.
    func isSeeking(_ adapter: AirAdapter) -> Bool { seekers.contains(adapter) }

    /// Inspects a packet from one board's controller to another's, to follow the links.
    mutating func observe(_ packet: [UInt8], from board: AirAdapter, to other: AirAdapter) {
        guard packet.count >= 13 else { return }
        let (source, destination) = (packet[1..<7], packet[7..<13])
        switch packet[0] {
        case PacketType.connect:
            // Private addresses change; an air that runs for a long time must not keep them all.
            if initiators.count > 64 { initiators = [:] }
            initiators[Array(source)] = board
            ask(packet, from: board)
        case PacketType.connectionComplete where packet.count >= 21:
            guard initiators[Array(destination), default: other] == other else { return }
            links.removeAll { $0.joins(source, destination) }
            links.append(
                Link(
                    ends: [End(board: board, address: source), End(board: other, address: destination)],
                    interval: LELinks.interval(packet, at: 15), timeout: LELinks.timeout(packet, at: 19)))
        case PacketType.parameterUpdate where packet.count >= 20 && packet[13] == 0:
            for index in links.indices where links[index].joins(source, destination) {
                links[index].interval = LELinks.interval(packet, at: 14)
                links[index].timeout = LELinks.timeout(packet, at: 18)
            }
        case PacketType.encryption:
            for index in links.indices where links[index].joins(source, destination) {
                links[index].encryptionStart = links[index].encryptionStart ?? .asked
            }
        case PacketType.data:
            for index in links.indices where links[index].joins(source, destination) { links[index].lastData = now }
        case PacketType.disconnect:
            unestablished.removeAll { $0.end.board == board && $0.end.bytes[1..<7] == destination }
            for index in links.indices where links[index].joins(source, destination) {
                links[index].end = links[index].lastData.map { $0 + links[index].interval }
            }
            links.removeAll { $0.joins(source, destination) && ($0.end ?? now) <= now }
        default: break
        }
    }

    /// Whether an advertiser does not hear a request for a link yet. It gets it with an advertisement after the end of its
    /// last link to the same controller.
    mutating func defers(_ packet: [UInt8], from board: AirAdapter) -> Bool {
        guard packet.count >= 13, packet[0] == PacketType.connect, isEnding(packet, of: board) else { return false }
        observe(packet, from: board, to: board)
        return true
    }

    /// Whether the advertiser that a request is for has not heard yet that its last link to this controller has ended.
    private func isEnding(_ request: [UInt8], of board: AirAdapter) -> Bool {
        links.contains { link in
            link.end != nil && link.ends.contains { $0.board == board }
                && link.ends.contains { $0.board != board && $0.address.elementsEqual(request[7..<13]) }
        }
    }

    private mutating func ask(_ packet: [UInt8], from board: AirAdapter) {
        guard packet.count >= 21, seekers.contains(board),
            !requests.contains(where: { $0.packet == packet && $0.board == board })
        else {
            return
        }
        requests.append(Request(board: board, packet: packet, limit: now + LELinks.requestLimit))
    }

    /// Notes what a controller sends, whether or not it arrives: the answer to a request for a link.
    mutating func note(sent packet: [UInt8]) {
        guard packet.count >= 13, packet[0] == PacketType.connectionComplete else { return }
        requests.removeAll { $0.joins(packet[7..<13], packet[1..<7]) }
    }

    /// Notes whether a host wants a link. RootCanal's request for one may come after the host has given it up.
    mutating func note(command packet: [UInt8], of board: AirAdapter) {
        guard packet.count >= 4, packet[0] == 1 else { return }
        switch UInt16(packet[1]) | UInt16(packet[2]) << 8 {
        case Command.createConnection, Command.extendedCreateConnection:
            seekers.insert(board)
            quitters.remove(board)
        case Command.createConnectionCancel:
            forgetRequests(of: board)
            quitters.insert(board)
        default: break
        }
    }

    /// Whether an advertiser's answer to a request comes too late. It gives its link up in ``advance(to:isInRange:)``.
    mutating func refuses(_ packet: [UInt8], from board: AirAdapter) -> Bool {
        guard packet.count >= 21, packet[0] == PacketType.connectionComplete,
            let initiator = initiators[Array(packet[7..<13])], quitters.contains(initiator)
        else { return false }
        let bytes = [PacketType.disconnect] + packet[7..<13] + packet[1..<7] + [LELinks.notEstablished]
        let wait = LELinks.interval(packet, at: 15) * LELinks.establishmentIntervals
        unestablished.append((Delivery(board: board, bytes: bytes, phy: 0), now + wait))
        return true
    }

    private mutating func forgetRequests(of board: AirAdapter) {
        seekers.remove(board)
        requests.removeAll { $0.board == board }
    }

    /// The requests that an advertiser has missed, to be delivered once more now that it advertises again.
    mutating func missedRequests(of advertisement: [UInt8], from board: AirAdapter) -> [Delivery] {
        guard advertisement.count >= 14, advertisement[0] == PacketType.advertisement,
            advertisement[13] == LELinks.connectable
        else { return [] }
        return requests.indices.filter { index in
            let request = requests[index]
            return request.limit <= now && request.packet[7..<13].elementsEqual(advertisement[1..<7])
                && !isEnding(request.packet, of: request.board)
        }.map { index in
            requests[index].limit = now + LELinks.requestLimit
            return Delivery(board: board, bytes: requests[index].packet, phy: 0)
        }
    }

    /// Handles a packet that never reaches its receiver. After a change of the parameters that it has missed, the
    /// receiver ends the link with Instant Passed, and the sender hears nothing until its supervision timeout (5.1.1,
    /// 4.5.2).
    mutating func lose(_ packet: [UInt8]) {
        guard packet.count >= 14, packet[0] == PacketType.parameterUpdate else { return }
        for index in links.indices where links[index].joins(packet[1..<7], packet[7..<13]) {
            links[index].missed = (
                packet[7..<13], now + links[index].interval * LELinks.instantIntervals
            )
        }
    }

    /// The packet that ends the link for the end that missed a change of the parameters, once the change takes effect.
    private mutating func endAfterMissedInstant(_ index: Int) -> [Delivery] {
        guard let missed = links[index].missed, missed.instant <= now else { return [] }
        links[index].missed = nil
        guard let end = links[index].ends.firstIndex(where: { $0.address == missed.address && $0.isAlive }),
            let other = links[index].ends.first(where: { $0.address != missed.address })
        else { return [] }
        links[index].ends[end].isAlive = false
        let bytes = [PacketType.disconnect] + other.address + missed.address + [LELinks.instantPassed]
        return [Delivery(board: links[index].ends[end].board, bytes: bytes, phy: 0)]
    }

    /// Whether a packet has to wait: data and a new procedure until its link is encrypted, the end of a link until its
    /// data was sent.
    func holdsUp(_ packet: [UInt8]) -> Bool {
        guard packet.count >= 13 else { return false }
        return links.contains { link in
            guard link.joins(packet[1..<7], packet[7..<13]) else { return false }
            return switch packet[0] {
            case PacketType.data, PacketType.encryption, DataLengthMessage.Kind.request.rawValue:
                link.encryptionStart != nil
            case PacketType.disconnect: link.end != nil
            default: false
            }
        }
    }

    /// Keeps a packet for a link that cannot carry it now. A packet of an unknown link is lost.
    mutating func hold(_ packet: [UInt8], phy: Int32, from board: AirAdapter) {
        guard packet.count >= 13, let index = links.firstIndex(where: { $0.joins(packet[1..<7], packet[7..<13]) })
        else { return }
        for end in links[index].ends where end.board != board && end.isAlive {
            links[index].held.append(Delivery(board: end.board, bytes: packet, phy: phy))
        }
    }

    /// Handles that a board's controller was reset or unplugged: it no longer knows its links.
    mutating func forget(_ board: AirAdapter) {
        forgetRequests(of: board)
        quitters.remove(board)
        unestablished.removeAll { $0.end.board == board }
        for link in links.indices {
            for end in links[link].ends.indices where links[link].ends[end].board == board {
                links[link].ends[end].isAlive = false
            }
            links[link].held.removeAll { $0.board == board }
        }
        links.removeAll { !$0.ends.contains(where: \.isAlive) }
    }

    /// Removes and returns the kept packets of the links that need not wait any more. The boards must be in range.
    mutating func release() -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in links.indices where (links[index].end ?? now) <= now {
            guard links[index].encryptionStart == nil || links[index].end != nil else { continue }
            deliveries += links[index].held
            links[index].held = []
        }
        links.removeAll { $0.end.map { $0 <= now } ?? false }
        return deliveries
    }

    /// Updates all links for the present time.
    ///
    /// - Parameter isInRange: Whether the boards hear each other.
    /// - Returns: Packets that inform the controllers of abandoned links that the other side is gone.
    mutating func advance(to now: ContinuousClock.Instant, isInRange: Bool) -> [Delivery] {
        self.now = now
        var deliveries = unestablished.filter { $0.due <= now }.map(\.end)
        unestablished.removeAll { $0.due <= now }
        for index in links.indices {
            links[index].encryptionStart = encryptionStart(of: links[index], at: now)
            deliveries += endAfterMissedInstant(index)
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
                    [PacketType.disconnect] + other.address + end.address + [LELinks.connectionTimeout]
                deliveries.append(Delivery(board: end.board, bytes: bytes, phy: 0))
                links[index].timeout = .zero
            }
        }
        links.removeAll { $0.timeout == .zero }
        return deliveries
    }

    private func encryptionStart(of link: Link, at now: ContinuousClock.Instant) -> Link.EncryptionStart? {
        switch link.encryptionStart {
        case nil: nil
        case .asked: .running(since: now)
        case .running(let since):
            since.duration(to: now) < link.interval * LELinks.encryptionIntervals ? link.encryptionStart : nil
        }
    }

    /// A connection interval: two bytes, in units of 1.25 ms.
    private static func interval(_ packet: [UInt8], at offset: Int) -> Duration {
        .microseconds(1250 * (Int(packet[offset]) | Int(packet[offset + 1]) << 8))
    }

    /// A supervision timeout: two bytes, in units of 10 ms; at least 100 ms.
    private static func timeout(_ packet: [UInt8], at offset: Int) -> Duration {
        .milliseconds(max(100, 10 * (Int(packet[offset]) | Int(packet[offset + 1]) << 8)))
    }
}
