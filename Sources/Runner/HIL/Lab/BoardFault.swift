import BoardProtocol
import Timing

/// What can go wrong with a board, on request: see ``RigHandle/withFault(_:firing:_:)``.
public enum BoardFault: Sendable, Hashable, CustomStringConvertible {
    /// When a daemon that was killed runs again.
    public enum Return: String, Sendable, Hashable {
        /// Before the body, as where a service manager starts it anew.
        case atOnce
        /// After the body, which finds it dead.
        case afterwards
    }

    /// bluetoothd, hostapd or wpa_supplicant is killed (SIGKILL). An accessory that was on the air is on it again, with its
    /// networks, once its daemon is back; a phone's Wi-Fi is without a network then, its bonds are kept.
    case killed(BoardDaemon, on: BoardRole, comesBack: Return = .afterwards)
    /// The same daemons, ended by a segmentation fault, of which the board's kernel tells with a backtrace.
    case crashed(BoardDaemon, on: BoardRole, comesBack: Return = .afterwards)
    /// The agent is killed, and all daemons with it; the board's init starts it anew before the body. Bonds are kept; an
    /// accessory is switched off.
    case agentKilled(on: BoardRole)
    /// A Bluetooth adapter is pulled out, and is plugged in again after the body; of a board with several accessories that of
    /// one.
    case adapterUnplugged(on: BoardRole, adapter: AdapterID = .first)
    /// The board has no power while the body runs, and boots after it, which takes seconds. Bonds are kept, as on a real
    /// board's disk; what was only in memory is lost: an accessory is switched off.
    case powerCut(on: BoardRole)
    /// The board's clock is this much ahead (or behind, if negative) until the body ends.
    case clockJump(by: Duration, on: BoardRole)
    /// The board's disk has room for so many bytes, rounded up to 4 KiB, until the body ends.
    case diskFull(on: BoardRole, leaving: Int = 0)

    /// The board that it happens to.
    public var board: BoardRole {
        switch self {
        case .killed(_, let board, _), .crashed(_, let board, _), .agentKilled(let board),
            .adapterUnplugged(let board, _),
            .powerCut(let board),
            .clockJump(_, let board), .diskFull(let board, _):
            board
        }
    }

    public var description: String {
        switch self {
        case .killed(let daemon, let board, _): "\(daemon.rawValue) killed on the \(board.rawValue) board"
        case .crashed(let daemon, let board, _): "\(daemon.rawValue) crashed on the \(board.rawValue) board"
        case .agentKilled(let board): "the agent killed on the \(board.rawValue) board"
        case .adapterUnplugged(let board, let adapter):
            "the \(board.rawValue) board's Bluetooth adapter \(adapter == .first ? "" : "\(adapter) ")unplugged"
        case .powerCut(let board): "the \(board.rawValue) board's power cut"
        case .clockJump(let by, let board):
            "the \(board.rawValue) board's clock \(by < .zero ? "behind" : "ahead") by \((by < .zero ? .zero - by : by).short)"
        case .diskFull(let board, _): "the \(board.rawValue) board's disk full"
        }
    }
}
