import BoardProtocol
import Synchronization

/// The events that a scenario's requested faults cause. Without a request, such an event is a failure of the rig.
final class Tolerance: Sendable {
    private struct State {
        /// How many ends of daemons the boards have yet to report, by board and name.
        var losses: [String: Int] = [:]
        /// Boards whose agent is about to start again. Until it has, the old agent may end in any way.
        var restarts: Set<BoardRole> = []
        /// Boards whose radios are cut off, perhaps while they send.
        var radios: Set<BoardRole> = []
    }

    private let state = Mutex(State())

    /// Call this before a daemon is killed.
    func expectLoss(of daemon: BoardDaemon, on board: BoardRole) {
        state.withLock { $0.losses["\(board)/\(daemon.rawValue)", default: 0] += 1 }
    }

    /// Call this before an agent is ended, which then starts again.
    func expectRestart(of board: BoardRole) { _ = state.withLock { $0.restarts.insert(board) } }

    /// Call this with `true` before a board's radios are cut off, and with `false` when they are plugged in again.
    func expectRadiosGone(_ areGone: Bool, of board: BoardRole) {
        state.withLock { state in
            if areGone { state.radios.insert(board) } else { state.radios.remove(board) }
        }
    }

    /// Whether a requested fault caused this event of a board. Call it once for each event, in order.
    func covers(_ event: BoardEvent, of board: BoardRole) -> Bool {
        state.withLock { state in
            switch event {
            case .daemonLost(let name, _, _):
                let key = "\(board)/\(name)"
                guard let count = state.losses[key], count > 0 else { return state.restarts.contains(board) }
                state.losses[key] = count - 1
                return true
            case .agentStarted: return state.restarts.remove(board) != nil
            case .refused: return state.restarts.contains(board)
            case .programPrinted, .programEnded, .radio, .accessory, .homeNetwork, .wifiKey, .reportsDropped, .stood,
                .woke:
                return true
            }
        }
    }

    /// Whether the radios of the board with this name are cut off.
    func coversRadios(of board: String) -> Bool {
        state.withLock { state in state.radios.contains { board.contains($0.rawValue) } }
    }
}
