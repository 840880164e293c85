import BoardProtocol
import RigModel

/// The Bluetooth half of the air: one controller per adapter, and the packets that they exchange.
///
/// Every link-layer packet reaches all other controllers in range. The geometry gives the signal strength; the transmit
/// power that the controller reports is ignored, so that only the distance counts. Out of range, packets of a link are
/// kept until the supervision timeout ends the link; all other packets are lost.
struct BluetoothMedium {
    /// A result of handling packets.
    enum Outcome: Equatable {
        /// An H4 packet for an adapter's host.
        case hci(AirAdapter, [UInt8])
        /// A packet from an adapter's host was malformed.
        case refused(AirAdapter, String)
        /// A line for the log.
        case note(AirAdapter, String)
    }

    /// The time between two calls of each controller's `tick()`.
    static let tickInterval = Duration.milliseconds(5)

    struct Station {
        let controller: any BluetoothController
        var hostGuard = HCIGuard()
        var advertisements = AdvertisementLimiter()
        var reports = ReportLimiter()
        var dataLength: DataLengthExtension
    }

    var stations: [AirAdapter: Station] = [:]
    /// The order of the controllers' turns: the host board's first, then the accessory board's.
    private var order: [AirAdapter] = []
    var links = LELinks()
    private var delay = AdvertisingDelay()
    /// The time of the last tick.
    private var now = ContinuousClock.now
    private let faults: FaultInjector
    private let population: Stations

    /// - Parameters:
    ///   - faults: The faults that apply to packets between controllers.
    ///   - population: The stations without a board; the advertisers among them answer scan requests.
    init(faults: FaultInjector = FaultInjector(), population: Stations = Stations()) {
        self.faults = faults
        self.population = population
    }

    /// Whether there is a controller to call.
    var needsTicks: Bool { !stations.isEmpty }

    /// Gives an adapter a controller. It replaces the adapter's old one.
    ///
    /// - Parameter hasDataLength: Whether it has LE Data Length Extension.
    mutating func plugIn(_ controller: any BluetoothController, on board: AirAdapter, hasDataLength: Bool = true) {
        unplug(board)
        stations[board] = Station(
            controller: controller, dataLength: DataLengthExtension(isOffered: hasDataLength))
        order = stations.keys.sorted()
    }

    /// Removes an adapter's controller.
    mutating func unplug(_ board: AirAdapter) {
        stations[board] = nil
        order = stations.keys.sorted()
        links.forget(board)
        delay.forget(board)
    }

    /// Handles a packet from an adapter's host. The packet is complete by its own length field.
    mutating func receive(_ packet: [UInt8], from board: AirAdapter, geometry: Geometry) -> [Outcome] {
        guard let verdict = stations[board]?.hostGuard.judge(packet) else {
            return [.refused(board, "an HCI packet, but the adapter has no controller")]
        }
        switch verdict {
        case .refuse(let answer, let reason):
            return [.refused(board, reason), .hci(board, answer)]
        case .drop(let reason): return [.refused(board, reason)]
        case .answer(let answer, let reason): return [.note(board, reason), .hci(board, answer)]
        case .pass:
            if packet == HCIGuard.reset { links.forget(board) }
            links.note(command: packet, of: board)
            stations[board]?.advertisements.command(packet)
            stations[board]?.reports.command(packet)
            if let steps = stations[board]?.dataLength.command(packet) {
                return carry(dataLengthSteps(steps, of: board), geometry: geometry)
            }
            let outputs = stations[board]?.controller.receive(hci: packet) ?? []
            return carry(outputs.map { .output(board, $0) }, geometry: geometry)
        }
    }

    /// Lets each controller do its timed work.
    mutating func tick(geometry: Geometry, now: ContinuousClock.Instant) -> [Outcome] {
        self.now = now
        let ended = links.advance(to: now, isInRange: isInRange(geometry))
        if links.count == 0 { faults.noLinksLeft() }
        var outcomes = carry(ended.map(Step.delivery), geometry: geometry)
        for late in delay.next() {
            outcomes += carry([.output(late.sender, .linkLayer(bytes: late.bytes, phy: late.phy))], geometry: geometry)
        }
        for board in order {
            var outputs = stations[board]?.controller.tick() ?? []
            // With one adapter on each board, no two can advertise at the same moment to the same listener.
            if order.count > BoardRole.allCases.count {
                outputs.removeAll { output in
                    guard case .linkLayer(let bytes, let phy) = output else { return false }
                    return delay.take(bytes, phy: phy, from: board)
                }
            }
            outcomes += carry(outputs.map { .output(board, $0) }, geometry: geometry)
        }
        return outcomes
    }

    /// Delivers a packet that a fault held back.
    mutating func release(_ bytes: [UInt8], phy: Int32, from board: AirAdapter, geometry: Geometry) -> [Outcome] {
        var steps: [Step] = []
        broadcast(bytes, phy: phy, from: board, geometry: geometry, to: &steps)
        return carry(steps, geometry: geometry)
    }

    /// Lets all controllers hear an advertiser.
    mutating func hear(_ advertiser: AirAdvertiser, geometry: Geometry) -> [Outcome] {
        guard !faults.isSilent(.bluetooth), let signal = Geometry(distance: advertiser.metres).signal(.bluetooth)
        else { return [] }
        return carry(order.map { .station($0, advertiser.advertisement, signal) }, geometry: geometry)
    }

    /// A pending piece of work.
    enum Step {
        case output(AirAdapter, ControllerOutput)
        /// An H4 packet for an adapter's host that the air has made itself.
        case event(AirAdapter, [UInt8])
        case delivery(LELinks.Delivery)
        /// A packet of a station, with its signal in dBm.
        case station(AirAdapter, [UInt8], Int8)
    }

    private func isInRange(_ geometry: Geometry) -> Bool {
        geometry.signal(.bluetooth) != nil && !faults.isSilent(.bluetooth)
    }

    /// Delivers packets, then the controllers' answers, until no controller answers any more.
    private mutating func carry(_ steps: [Step], geometry: Geometry) -> [Outcome] {
        let signal = geometry.signal(.bluetooth)
        var outcomes: [Outcome] = []
        var queue = (!isInRange(geometry) ? [] : links.release().map(Step.delivery)) + steps
        var next = 0
        while next < queue.count {
            let step = queue[next]
            next += 1
            switch step {
            case .output(let board, .hci(let packet)):
                guard stations[board]?.reports.passes(packet, at: now) ?? true else { break }
                let guarded = stations[board]?.hostGuard.adjust(packet) ?? packet
                let (adjusted, steps) = stations[board]?.dataLength.adjust(guarded) ?? (guarded, [])
                outcomes.append(.hci(board, adjusted))
                queue += dataLengthSteps(steps, of: board)
            case .event(let board, let packet): outcomes.append(.hci(board, packet))
            case .output(let board, .linkLayer(let bytes, let phy)):
                let adjusted = stations[board]?.dataLength.adjust(linkLayer: bytes) ?? bytes
                send(adjusted, phy: phy, from: board, geometry: geometry, to: &queue)
            case .station(let board, let bytes, let signal):
                let answers = stations[board]?.controller.receive(linkLayer: bytes, phy: 0, signal: signal)
                queue += (answers ?? []).map { .output(board, $0) }
            case .delivery(let delivery) where DataLengthMessage.isOne(delivery.bytes):
                queue += dataLengthAnswers(to: delivery)
            case .delivery(let delivery):
                let answers = stations[delivery.board]?.controller.receive(
                    linkLayer: delivery.bytes, phy: delivery.phy,
                    signal: signal ?? Int8(Geometry.sensitivity(.bluetooth)))
                queue += (answers ?? []).map { .output(delivery.board, $0) }
            }
        }
        return outcomes
    }

    /// Sends a controller's packet through the faults.
    private mutating func send(
        _ bytes: [UInt8], phy: Int32, from board: AirAdapter, geometry: Geometry, to queue: inout [Step]
    ) {
        links.note(sent: bytes)
        let packet = TrafficPacket(layer: .linkLayer, sender: board, bytes: bytes)
        // Faults first: a fault that silences a radio already loses the packet that fires it.
        let verdict = faults.judge(packet)
        if verdict != .lost, let advertiser = population.advertiser(asked: bytes), !advertiser.scanResponse.isEmpty,
            let signal = Geometry(distance: advertiser.metres).signal(.bluetooth)
        {
            queue.append(.station(board, advertiser.answer(to: bytes), signal))
        }
        guard isInRange(geometry) else { return links.hold(bytes, phy: phy, from: board) }
        switch verdict {
        case .lost: return links.lose(bytes)
        case .held(let due, let isOvertaken):
            return faults.hold(packet, .linkLayer(phy: phy), until: due, isOvertaken: isOvertaken)
        case .altered(let altered): broadcast(altered, phy: phy, from: board, geometry: geometry, to: &queue)
        case .twice:
            broadcast(bytes, phy: phy, from: board, geometry: geometry, to: &queue)
            faults.keepCopy(of: packet, .linkLayer(phy: phy))
        case .pass: broadcast(bytes, phy: phy, from: board, geometry: geometry, to: &queue)
        }
        for held in faults.takeOvertaken(by: packet) {
            guard case .linkLayer(let phy) = held.route else { continue }
            broadcast(held.packet.bytes, phy: phy, from: board, geometry: geometry, to: &queue)
        }
    }

    private mutating func broadcast(
        _ bytes: [UInt8], phy: Int32, from board: AirAdapter, geometry: Geometry, to queue: inout [Step]
    ) {
        if links.defers(bytes, from: board) || links.refuses(bytes, from: board) { return }
        var others = order.filter { $0 != board }
        if bytes.first == LELinks.PacketType.advertisement {
            let signal = geometry.signal(.bluetooth)
            others.removeAll { other in
                !links.isSeeking(other)
                    && stations[other]?.advertisements.passes(bytes, signal: signal, at: now) == false
            }
        }
        for other in others { links.observe(bytes, from: board, to: other) }
        guard !links.holdsUp(bytes) else { return links.hold(bytes, phy: phy, from: board) }
        queue += others.map { .delivery(LELinks.Delivery(board: $0, bytes: bytes, phy: phy)) }
        queue += links.missedRequests(of: bytes, from: board).map(Step.delivery)
    }
}
