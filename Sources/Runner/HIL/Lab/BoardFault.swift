import BoardProtocol
import HILTiming

/// A fault that a scenario asks for on a board, with ``RigHandle/withFault(_:firing:fileID:filePath:line:_:)``.
public enum BoardFault: Sendable, Hashable, CustomStringConvertible {
    /// When a daemon that was ended is started again.
    public enum Restart: String, Sendable, Hashable {
        /// Before the body, as a service manager would do.
        case atOnce
        /// After the body. The daemon does not run while the body runs.
        case afterwards
    }

    /// A daemon (bluetoothd, hostapd, wpa_supplicant, …) is killed with SIGKILL.
    ///
    /// When the daemon is back, an accessory advertises and opens its networks again. A phone keeps its bonds; its
    /// Wi-Fi has no network.
    case killed(BoardDaemon, on: BoardRole, comesBack: Restart = .afterwards)
    /// A daemon is ended by a segmentation fault (SIGSEGV). The failure in the record has a backtrace.
    case crashed(BoardDaemon, on: BoardRole, comesBack: Restart = .afterwards)
    /// The agent is killed, and all daemons with it. The board's init starts it again before the body runs. Bonds are
    /// kept; accessories are switched off.
    case agentKilled(on: BoardRole)
    /// One Bluetooth adapter is unplugged, and is plugged in again after the body.
    case adapterUnplugged(on: BoardRole, adapter: AdapterID = .first)
    /// The board has no power while the body runs. It boots after the body, which takes seconds.
    ///
    /// Its disk has what the kernel had written: what was synced (`fsync`, `sync`) is kept, and everything else may be
    /// lost. The kernel writes names of files to the disk after 5 s, and their contents after 30 s. Programs have ended
    /// and accessories are switched off; what the harness keeps for them, such as the bonds of accessories as data, it
    /// has synced.
    case powerCut(on: BoardRole)
    /// The board has restarted before the body runs, as by its own command: programs get SIGTERM and 10 s to end, and
    /// everything that was written is on the disk. Accessories are switched off.
    case reboot(on: BoardRole)
    /// The board's clock is ahead by this time until the body ends; behind, if it is negative.
    case clockJump(by: Duration, on: BoardRole)
    /// The board's disk has room for only `leaving` bytes, rounded up to 4 KiB, until the body ends.
    case diskFull(on: BoardRole, leaving: Int = 0)

    /// The board that the fault happens to.
    package var board: BoardRole {
        switch self {
        case .killed(_, let board, _), .crashed(_, let board, _), .agentKilled(let board),
            .adapterUnplugged(let board, _),
            .powerCut(let board), .reboot(let board),
            .clockJump(_, let board), .diskFull(let board, _):
            board
        }
    }

    /// Whether it changes more of a board than what a run has started there.
    var breaksBoard: Bool {
        switch self {
        case .killed, .adapterUnplugged, .powerCut, .reboot: false
        // The proof of a crash comes from the board's kernel, which is set to give it.
        case .crashed, .agentKilled, .clockJump, .diskFull: true
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
        case .reboot(let board): "the \(board.rawValue) board rebooted"
        case .clockJump(let by, let board):
            "the \(board.rawValue) board's clock \(by < .zero ? "behind" : "ahead") by \((by < .zero ? .zero - by : by).short)"
        case .diskFull(let board, _): "the \(board.rawValue) board's disk full"
        }
    }
}
