import BoardProtocol
import RigModel
import VirtualRadio

/// The armed faults, and the packets that they hold back. To be used from one thread.
final class FaultInjector {
    /// What to do with a packet.
    enum Verdict: Equatable {
        case pass
        case lost
        case twice
        case altered([UInt8])
        /// The packet comes later; the caller hands it over with ``FaultInjector/hold(_:_:until:isOvertaken:)``.
        case held(until: ContinuousClock.Instant, isOvertaken: Bool)
    }

    /// A packet that is held back.
    struct Held: Equatable {
        /// The rest of the packet's route.
        enum Route: Equatable {
            case hci
            case linkLayer(phy: Int32)
            case wifi(LinkID, WiFiReception)
        }

        let packet: TrafficPacket
        let route: Route
        var due: ContinuousClock.Instant
        /// Whether the next packet of the same sender and layer releases it.
        let isOvertaken: Bool
    }

    private struct Armed {
        let number: Int
        let client: Int
        let fault: AirFault
        let firings: Int
        var fired = 0
        /// How many more matching packets pass before it fires.
        var passing: Int
    }

    private struct Silence {
        let radio: AirRadio
        /// When it ends; nil for the moment when the Bluetooth links are given up.
        let end: ContinuousClock.Instant?
        /// The number of the fault behind it; disarming the fault ends the silence.
        let number: Int
    }

    /// How long a packet waits for another one to overtake it.
    static let overtakingLimit = Duration.seconds(1)

    private let now: () -> ContinuousClock.Instant
    private var lastNumber = 0
    private var armed: [Armed] = []
    private var silences: [Silence] = []
    private var held: [Held] = []
    private var news: [AirEvent] = []
    private var unplugged: [LinkID] = []
    private var frames = FrameTracker()
    /// The verdict on the rest of a frame whose first packet fired a fault.
    private var verdicts: [FrameTracker.Direction: Verdict] = [:]

    /// - Parameter now: Returns the current time.
    init(now: @escaping () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Whether timed work is pending.
    var needsTicks: Bool { !held.isEmpty || !silences.isEmpty }

    /// Arms a fault, and returns its number. ``AirFault/problem(firings:)`` must be nil for it.
    func arm(_ fault: AirFault, firings: Int, client: Int) -> Int {
        lastNumber += 1
        armed.append(
            Armed(number: lastNumber, client: client, fault: fault, firings: firings, passing: fault.passing))
        if fault.trigger == nil { fire(armed.count - 1, at: nil) }
        return lastNumber
    }

    /// Disarms a fault and ends its silences. Returns how often it fired; nil if there is no such fault.
    func disarm(_ number: Int) -> Int? {
        guard let index = armed.firstIndex(where: { $0.number == number }) else { return nil }
        silences.removeAll { $0.number == number }
        return armed.remove(at: index).fired
    }

    /// Disarms all faults that a client has armed.
    func forget(client: Int) {
        for number in armed.filter({ $0.client == client }).map(\.number) { _ = disarm(number) }
    }

    /// Whether a fault silences this radio now.
    func isSilent(_ radio: AirRadio) -> Bool {
        guard !silences.isEmpty else { return false }
        let time = now()
        silences.removeAll { $0.end.map { $0 <= time } ?? false }
        return silences.contains { $0.radio == radio }
    }

    /// Ends the silences that last until the Bluetooth links are given up: no link is left.
    func noLinksLeft() { silences.removeAll { $0.radio == .bluetooth && $0.end == nil } }

    /// Checks a packet against the faults, and fires the first that matches. One that only notices the packet changes nothing,
    /// so that the next one fires as well. A frame of several packets is lost, doubled or held as a whole.
    func judge(_ packet: TrafficPacket) -> Verdict {
        guard !armed.isEmpty || !silences.isEmpty || !held.isEmpty else {
            (frames, verdicts) = (FrameTracker(), [:])
            return .pass
        }
        if packet.isOnAir, isSilent(packet.radio) { return .lost }
        let direction = FrameTracker.Direction(packet)
        let part = frames.take(packet)
        let verdict =
            direction.flatMap { part == .continuation || part == .last ? verdicts[$0] : nil } ?? fired(by: packet)
        if let direction {
            switch verdict {
            case .lost, .twice, .held: verdicts[direction] = part == .first || part == .continuation ? verdict : nil
            case .pass, .altered: verdicts[direction] = nil
            }
        }
        return verdict
    }

    private func fired(by packet: TrafficPacket) -> Verdict {
        for index in armed.indices where armed[index].fired < armed[index].firings {
            guard let trigger = armed[index].fault.trigger, trigger.matches(packet),
                let verdict = verdict(of: armed[index].fault.effect, on: packet)
            else { continue }
            guard armed[index].passing == 0 else {
                armed[index].passing -= 1
                continue
            }
            fire(index, at: packet)
            if armed[index].fault.effect == .noticed { continue }
            return verdict
        }
        return .pass
    }

    /// Holds a packet back until `due`, or until another overtakes it.
    func hold(_ packet: TrafficPacket, _ route: Held.Route, until due: ContinuousClock.Instant, isOvertaken: Bool) {
        held.append(Held(packet: packet, route: route, due: due, isOvertaken: isOvertaken))
    }

    /// Keeps a copy of a packet that was delivered. The copy follows when the packet's frame is over.
    func keepCopy(of packet: TrafficPacket, _ route: Held.Route) {
        hold(packet, route, until: now() + FaultInjector.overtakingLimit, isOvertaken: true)
    }

    /// Removes and returns the packets that are due.
    func takeDue() -> [Held] {
        guard !held.isEmpty else { return [] }
        let time = now()
        return take { $0.due <= time }
    }

    /// Removes and returns the packets that waited to be overtaken by this packet or by the frame that it ends.
    func takeOvertaken(by packet: TrafficPacket) -> [Held] {
        guard !held.isEmpty, !frames.isUnfinished(after: packet) else { return [] }
        return take { $0.isOvertaken && $0.packet.sender == packet.sender && $0.packet.layer == packet.layer }
    }

    /// Removes and returns the new events.
    func takeNews() -> [AirEvent] {
        defer { news = [] }
        return news
    }

    /// Removes and returns the radios to unplug.
    func takeUnplugged() -> [LinkID] {
        defer { unplugged = [] }
        return unplugged
    }

    private func take(_ isFree: (Held) -> Bool) -> [Held] {
        let free = held.filter(isFree)
        held.removeAll(where: isFree)
        return free
    }

    /// The verdict that has this effect; nil if the effect cannot be applied to the packet.
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
            return packet.isRepeatable ? .held(until: now() + FaultInjector.overtakingLimit, isOvertaken: true) : nil
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
            unplugged.append(LinkID(board: board, radio: radio, adapter: adapter))
        default: break
        }
        news.append(
            .fired(
                fault: "\(fault)", packet: packet.map { "\($0)" }, count: armed[index].fired, of: armed[index].firings))
    }
}

extension TrafficPacket {
    /// Whether the packet travels between the boards, not within one.
    fileprivate var isOnAir: Bool { if case .hci = layer { false } else { true } }
}
