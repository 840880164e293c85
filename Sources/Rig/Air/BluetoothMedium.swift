import BoardProtocol

/// The Bluetooth half of the air: a controller for each board, and what they send each other.
///
/// Every link-layer packet of one reaches all others that are in range, with the strength that the geometry gives; the
/// transmit power that the controller names is not counted, so that the distance alone decides.
struct BluetoothMedium {
    /// Something that happened on the way.
    enum Outcome: Equatable {
        /// An H4 packet for a board's host.
        case hci(BoardRole, [UInt8])
        /// A packet of a board's host did not reach its controller.
        case refused(BoardRole, String)
    }

    /// How often the controllers want to be called.
    static let tickInterval = Duration.milliseconds(5)

    private struct Station {
        let controller: any BluetoothController
        var hostGuard = HCIGuard()
    }

    private var stations: [BoardRole: Station] = [:]

    /// Whether there is a controller that wants to be called.
    var needsTicks: Bool { !stations.isEmpty }

    /// Gives a board a controller, in place of one that it had.
    mutating func plugIn(_ controller: any BluetoothController, on board: BoardRole) {
        stations[board] = Station(controller: controller)
    }

    /// Takes a board's controller away.
    mutating func unplug(_ board: BoardRole) { stations[board] = nil }

    /// Takes a packet of a board's host, which is whole by its own length field.
    mutating func receive(_ packet: [UInt8], from board: BoardRole, geometry: Geometry) -> [Outcome] {
        guard let verdict = stations[board]?.hostGuard.judge(packet) else {
            return [.refused(board, "an HCI packet without a controller")]
        }
        switch verdict {
        case .refuse(let answer, let reason):
            return [.refused(board, reason)] + (answer.map { [.hci(board, $0)] } ?? [])
        case .pass:
            let outputs = stations[board]?.controller.receive(hci: packet) ?? []
            return carry(outputs, of: board, geometry: geometry)
        }
    }

    /// Lets the controllers do what is due.
    mutating func tick(geometry: Geometry) -> [Outcome] {
        BoardRole.allCases.flatMap { board in
            let outputs = stations[board]?.controller.tick() ?? []
            return outputs.isEmpty ? [] : carry(outputs, of: board, geometry: geometry)
        }
    }

    /// Hands out what a controller gave, and what the others answer, until all are silent.
    private mutating func carry(
        _ outputs: [ControllerOutput], of board: BoardRole, geometry: Geometry
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        var queue = outputs.map { (board, $0) }
        var next = 0
        while next < queue.count {
            let (source, output) = queue[next]
            next += 1
            switch output {
            case .hci(let packet):
                stations[source]?.hostGuard.observe(packet)
                outcomes.append(.hci(source, packet))
            case .linkLayer(let bytes, let phy):
                guard let signal = geometry.signal(.bluetooth) else { continue }
                for other in BoardRole.allCases where other != source {
                    let answers = stations[other]?.controller.receive(linkLayer: bytes, phy: phy, signal: signal)
                    queue += (answers ?? []).map { (other, $0) }
                }
            }
        }
        return outcomes
    }
}
