import BoardProtocol
import RigModel
import VirtualRadio

/// The faults that are armed, and what they have held back. One thread's.
final class FaultBench {
    /// What becomes of a packet.
    enum Verdict: Equatable {
        case pass
        case lost
        case twice
        case altered([UInt8])
        /// It is in the bench's hands, if the way that it takes is given with ``FaultBench/hold(_:)``.
        case held(until: ContinuousClock.Instant, isOvertaken: Bool)
    }

    /// A packet that comes later.
    struct Held: Equatable {
        /// The rest of its way.
        enum Way: Equatable {
            case hci
            case linkLayer(phy: Int32)
            case wifi(LinkID, WiFiReception)
        }

        let packet: TrafficPacket
        let way: Way
        var due: ContinuousClock.Instant
        /// Whether the next packet of the same kind sets it free.
        let isOvertaken: Bool
    }

    private struct Armed {
        let number: Int
        let client: Int
        let fault: AirFault
        let firings: Int
        var fired = 0
    }

    private struct Silence {
        let radio: AirRadio
        /// nil is until the Bluetooth links are given up.
        let end: ContinuousClock.Instant?
        /// The fault that made it, which ends it when it is disarmed.
        let number: Int
    }

    /// How long a packet waits for one that overtakes it.
    static let overtakingLimit = Duration.seconds(1)

    private let now: () -> ContinuousClock.Instant
    private var lastNumber = 0
    private var armed: [Armed] = []
    private var silences: [Silence] = []
    private var held: [Held] = []
    private var news: [AirEvent] = []
    private var pulled: [LinkID] = []
    private var frames = FrameTracker()
    /// What becomes of the rest of a frame whose first packet a fault took.
    private var fates: [FrameTracker.Way: Verdict] = [:]

    /// - Parameter now: The time.
    init(now: @escaping () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Whether time alone changes something.
    var needsTicks: Bool { !held.isEmpty || !silences.isEmpty }

    /// Arms a fault that ``AirFault/problem(firings:)`` finds nothing wrong with, and gives its number.
    func arm(_ fault: AirFault, firings: Int, client: Int) -> Int {
        lastNumber += 1
        armed.append(Armed(number: lastNumber, client: client, fault: fault, firings: firings))
        if fault.trigger == nil { fire(armed.count - 1, at: nil) }
        return lastNumber
    }

    /// Disarms a fault, ends what it does, and gives how often it fired; nil when there is no such fault.
    func disarm(_ number: Int) -> Int? {
        guard let index = armed.firstIndex(where: { $0.number == number }) else { return nil }
        silences.removeAll { $0.number == number }
        return armed.remove(at: index).fired
    }

    /// Disarms all that a client has armed.
    func forget(client: Int) {
        for number in armed.filter({ $0.client == client }).map(\.number) { _ = disarm(number) }
    }

    /// Whether nothing of a radio is heard.
    func isSilent(_ radio: AirRadio) -> Bool {
        guard !silences.isEmpty else { return false }
        let time = now()
        silences.removeAll { $0.end.map { $0 <= time } ?? false }
        return silences.contains { $0.radio == radio }
    }

    /// The last Bluetooth link is given up, or there is none.
    func noLinksLeft() { silences.removeAll { $0.radio == .bluetooth && $0.end == nil } }

    /// Looks at a packet, and fires what is to fire. A frame of several packets is lost, doubled or held as a whole.
    func judge(_ packet: TrafficPacket) -> Verdict {
        guard !armed.isEmpty || !silences.isEmpty || !held.isEmpty else {
            (frames, fates) = (FrameTracker(), [:])
            return .pass
        }
        if packet.isOnAir, isSilent(packet.radio) { return .lost }
        let way = FrameTracker.Way(packet)
        let part = frames.take(packet)
        let verdict = way.flatMap { part == .continuation || part == .last ? fates[$0] : nil } ?? fired(by: packet)
        if let way {
            switch verdict {
            case .lost, .twice, .held: fates[way] = part == .first || part == .continuation ? verdict : nil
            case .pass, .altered: fates[way] = nil
            }
        }
        return verdict
    }

    private func fired(by packet: TrafficPacket) -> Verdict {
        for index in armed.indices where armed[index].fired < armed[index].firings {
            guard let trigger = armed[index].fault.trigger, trigger.matches(packet),
                let verdict = verdict(of: armed[index].fault.effect, on: packet)
            else { continue }
            fire(index, at: packet)
            return verdict
        }
        return .pass
    }

    /// Keeps a packet.
    func hold(_ packet: TrafficPacket, _ way: Held.Way, until due: ContinuousClock.Instant, isOvertaken: Bool) {
        held.append(Held(packet: packet, way: way, due: due, isOvertaken: isOvertaken))
    }

    /// Keeps a copy of a packet that went on: it comes again once the frame that it belongs to is over.
    func keepCopy(of packet: TrafficPacket, _ way: Held.Way) {
        hold(packet, way, until: now() + FaultBench.overtakingLimit, isOvertaken: true)
    }

    /// The packets whose time has come.
    func takeDue() -> [Held] {
        guard !held.isEmpty else { return [] }
        let time = now()
        return take { $0.due <= time }
    }

    /// The packets that waited for this one, or the frame that it ends, to overtake them.
    func takeOvertaken(by packet: TrafficPacket) -> [Held] {
        guard !held.isEmpty, !frames.isUnfinished(after: packet) else { return [] }
        return take { $0.isOvertaken && $0.packet.sender == packet.sender && $0.packet.layer == packet.layer }
    }

    /// What there is to tell, once.
    func takeNews() -> [AirEvent] {
        defer { news = [] }
        return news
    }

    /// The radios that are to be pulled out, once.
    func takePulled() -> [LinkID] {
        defer { pulled = [] }
        return pulled
    }

    private func take(_ isFree: (Held) -> Bool) -> [Held] {
        let free = held.filter(isFree)
        held.removeAll(where: isFree)
        return free
    }

    /// nil where the effect does not fit the packet.
    private func verdict(of effect: AirFault.Effect, on packet: TrafficPacket) -> Verdict? {
        switch effect {
        case .noticed: return .pass
        case .dropped: return .lost
        case .silence: return packet.isOnAir ? .lost : nil
        case .unplugged: return .lost
        case .doubled: return packet.isRepeatable ? .twice : nil
        case .delayed(let delay):
            return packet.isRepeatable ? .held(until: now() + delay, isOvertaken: false) : nil
        case .reordered:
            return packet.isRepeatable ? .held(until: now() + FaultBench.overtakingLimit, isOvertaken: true) : nil
        case .altered(let offset, let bytes):
            guard let payload = packet.payload, packet.bytes.count - payload - offset >= bytes.count else { return nil }
            let start = payload + offset
            var altered = packet.bytes
            altered.replaceSubrange(start..<(start + bytes.count), with: bytes)
            return .altered(altered)
        }
    }

    private func fire(_ index: Int, at packet: TrafficPacket?) {
        armed[index].fired += 1
        let (fault, number) = (armed[index].fault, armed[index].number)
        switch fault.effect {
        case .silence(let radios, let time):
            silences += radios.map { Silence(radio: $0, end: time.map { now() + $0 }, number: number) }
        case .unplugged(let radio, let board, let adapter):
            pulled.append(LinkID(board: board, radio: radio, adapter: adapter))
        default: break
        }
        news.append(
            .fired(
                fault: "\(fault)", packet: packet.map { "\($0)" }, count: armed[index].fired, of: armed[index].firings))
    }
}

extension TrafficPacket {
    /// Whether it is between the boards, rather than within one.
    fileprivate var isOnAir: Bool { if case .hci = layer { false } else { true } }
}
