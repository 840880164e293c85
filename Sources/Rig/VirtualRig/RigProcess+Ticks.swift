import Foundation
import HILPOSIX
import RigModel
import Synchronization

/// Checks whether a board's processes run. A result is used for a while, because the check takes a few system calls.
private final class BoardLook: Sendable {
    /// For how many ticks a result is used.
    private static let ticks = 5

    private struct State {
        var processes: [pid_t] = []
        var isRunning = true
        var rest = 0
    }

    private let state = Mutex(State())
    private let root: @Sendable () -> pid_t?

    /// - Parameter root: The board's process; nil while it has no power.
    init(_ root: @escaping @Sendable () -> pid_t?) { self.root = root }

    var isRunning: Bool {
        state.withLock { state in
            if state.rest > 0 {
                state.rest -= 1
                return state.isRunning
            }
            state.rest = BoardLook.ticks - 1
            let answers = state.processes.map { isStandingStill($0) }
            if answers.isEmpty || answers.contains(nil) {
                // Linux is below the shell, its reading child and the sandbox's two processes; the processes of its
                // guests come and go.
                state.processes = root().map { Array(ProcessTree(of: $0).processes.prefix(5)) } ?? []
            }
            // A board without power is never late.
            state.isRunning = !answers.contains(true)
            return state.isRunning
        }
    }
}

extension RigProcess {
    /// Starts recording that this process runs. Without a record, its standstills are not excused.
    func startTicking() {
        ticker.withLock { $0 = try? Ticker(at: RigFolder.ticks(of: .rig, in: folder.path)) }
    }

    /// Starts recording for each board that its processes run.
    func watchBoards() {
        let (emulated, native) = (runningBoards, nativeBoards.withLock { $0 })
        for board in emulated { watch(RigPart(board.role)) { board.process.pid } }
        for board in native { watch(RigPart(board.role)) { board.process?.pid } }
    }

    private func watch(_ part: RigPart, _ root: @escaping @Sendable () -> pid_t?) {
        let look = BoardLook(root)
        ticker.withLock { try? $0?.watch(at: RigFolder.ticks(of: part, in: folder.path)) { look.isRunning } }
    }
}
