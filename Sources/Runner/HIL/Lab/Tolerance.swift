import BoardProtocol
import Synchronization

/// What the faults that a scenario asked for make the rig tell. Without the request it would be a failure of the rig.
final class Tolerance: Sendable {
    private struct State {
        /// Ends of daemons that are yet to be told, by board and name.
        var losses: [String: Int] = [:]
        /// Boards whose agent is to start anew. Until it tells that it has, the one before may end in any way.
        var restarts: Set<BoardRole> = []
        /// Boards whose radios are cut off, whatever they are sending.
        var radios: Set<BoardRole> = []
    }

    private let state = Mutex(State())

    /// A daemon is about to be killed.
    func expectLoss(of daemon: BoardDaemon, on board: BoardRole) {
        state.withLock { $0.losses["\(board)/\(daemon.rawValue)", default: 0] += 1 }
    }

    /// An agent is about to end and to start anew.
    func expectRestart(of board: BoardRole) { _ = state.withLock { $0.restarts.insert(board) } }

    /// A board's radios are about to be cut off, or (`false`) are plugged in again.
    func expectRadiosGone(_ areGone: Bool, of board: BoardRole) {
        state.withLock { state in
            if areGone { state.radios.insert(board) } else { state.radios.remove(board) }
        }
    }

    /// Whether a board's event, the next that it told, was asked for.
    func covers(_ event: BoardEvent, of board: BoardRole) -> Bool {
        state.withLock { state in
            switch event {
            case .daemonLost(let name, _):
                let key = "\(board)/\(name)"
                guard let count = state.losses[key], count > 0 else { return state.restarts.contains(board) }
                state.losses[key] = count - 1
                return true
            case .agentStarted: return state.restarts.remove(board) != nil
            case .refused: return state.restarts.contains(board)
            case .radio, .accessory, .wifiKey: return true
            }
        }
    }

    /// Whether the radios of the board with this name are cut off.
    func coversRadios(of board: String) -> Bool {
        state.withLock { state in state.radios.contains { board.contains($0.rawValue) } }
    }
}
