import BoardProtocol

/// The Bluetooth half of the air: a controller for each board, and what they send each other.
///
/// Every link-layer packet of one reaches all others that are in range, with the strength that the geometry gives; the
/// transmit power that the controller names is not counted, so that the distance alone decides. Out of range, what belongs
/// to a link is kept until its supervision timeout ends the link; everything else is lost.
struct BluetoothMedium {
    /// Something that happened on the way.
    enum Outcome: Equatable {
        /// An H4 packet for a board's host.
        case hci(BoardRole, [UInt8])
        /// A packet of a board's host was broken.
        case refused(BoardRole, String)
        /// Something for the log.
        case note(BoardRole, String)
    }

    /// How often the controllers want to be called.
    static let tickInterval = Duration.milliseconds(5)

    private struct Station {
        let controller: any BluetoothController
        var hostGuard = HCIGuard()
    }

    private var stations: [BoardRole: Station] = [:]
    private var supervision = LinkSupervision()

    /// Whether there is a controller that wants to be called.
    var needsTicks: Bool { !stations.isEmpty }

    /// Gives a board a controller, in place of one that it had.
    mutating func plugIn(_ controller: any BluetoothController, on board: BoardRole) {
        unplug(board)
        stations[board] = Station(controller: controller)
    }

    /// Takes a board's controller away.
    mutating func unplug(_ board: BoardRole) {
        stations[board] = nil
        supervision.forget(board)
    }

    /// Takes a packet of a board's host, which is whole by its own length field.
    mutating func receive(_ packet: [UInt8], from board: BoardRole, geometry: Geometry) -> [Outcome] {
        guard let verdict = stations[board]?.hostGuard.judge(packet) else {
            return [.refused(board, "an HCI packet without a controller")]
        }
        switch verdict {
        case .refuse(let answer, let reason):
            return [.refused(board, reason), .hci(board, answer)]
        case .answer(let answer, let reason): return [.note(board, reason), .hci(board, answer)]
        case .pass:
            if packet == HCIGuard.reset { supervision.forget(board) }
            let outputs = stations[board]?.controller.receive(hci: packet) ?? []
            return carry(outputs.map { .output(board, $0) }, geometry: geometry)
        }
    }

    /// Lets the controllers do what is due.
    mutating func tick(geometry: Geometry, now: ContinuousClock.Instant) -> [Outcome] {
        let ended = supervision.advance(to: now, isInRange: geometry.signal(.bluetooth) != nil)
        var outcomes = carry(ended.map(Step.delivery), geometry: geometry)
        for board in BoardRole.allCases {
            let outputs = stations[board]?.controller.tick() ?? []
            outcomes += carry(outputs.map { .output(board, $0) }, geometry: geometry)
        }
        return outcomes
    }

    /// What is still to be handed on.
    private enum Step {
        case output(BoardRole, ControllerOutput)
        case delivery(LinkSupervision.Delivery)
    }

    /// Hands on what there is, and what the controllers answer, until all are silent.
    private mutating func carry(_ steps: [Step], geometry: Geometry) -> [Outcome] {
        let signal = geometry.signal(.bluetooth)
        var outcomes: [Outcome] = []
        var queue = (signal == nil ? [] : supervision.release().map(Step.delivery)) + steps
        var next = 0
        while next < queue.count {
            let step = queue[next]
            next += 1
            switch step {
            case .output(let board, .hci(let packet)):
                stations[board]?.hostGuard.observe(packet)
                outcomes.append(.hci(board, packet))
            case .output(let board, .linkLayer(let bytes, let phy)):
                guard signal != nil else {
                    supervision.hold(bytes, phy: phy, from: board)
                    continue
                }
                for other in BoardRole.allCases where other != board && stations[other] != nil {
                    supervision.observe(bytes, from: board, to: other)
                    queue.append(.delivery(LinkSupervision.Delivery(board: other, bytes: bytes, phy: phy)))
                }
            case .delivery(let delivery):
                let answers = stations[delivery.board]?.controller.receive(
                    linkLayer: delivery.bytes, phy: delivery.phy,
                    signal: signal ?? Int8(Geometry.sensitivity(.bluetooth)))
                queue += (answers ?? []).map { .output(delivery.board, $0) }
            }
        }
        return outcomes
    }
}
