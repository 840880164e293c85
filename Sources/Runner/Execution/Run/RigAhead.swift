import RigModel
import Synchronization

/// A rig that is made ready before it is the turn of its scenario, and the worker that waits for it.
final class RigAhead: Sendable {
    /// The worker of the scenario; nil if it could not be started.
    let worker: (any RunningWorker)?
    private let start: Task<any RunningRig, any Error>

    /// - Parameter start: Starts the rig.
    init(worker: (any RunningWorker)? = nil, _ start: @escaping @Sendable () async throws -> any RunningRig) {
        self.worker = worker
        self.start = Task(operation: start)
    }

    /// The rig, once it is ready.
    ///
    /// - Throws: The error of its start; `CancellationError` if this task was cancelled, and then the start is as well.
    var rig: any RunningRig {
        get async throws {
            try await withTaskCancellationHandler {
                try await start.value
            } onCancel: {
                start.cancel()
            }
        }
    }

    /// Stops rig and worker, which nobody needs.
    func discard() async {
        worker?.kill()
        start.cancel()
        if let rig = try? await start.value {
            await rig.stop()
            await rig.release(isError: false)
        }
        _ = await worker?.wait()
    }
}

/// The next scenario of a rig's work, which has left the agenda.
struct Turn: Sendable {
    let planned: PlannedScenario
    /// Nil if the rig is started when it is the scenario's turn, or if the scenario needs none.
    var rig: RigAhead?
}

/// Holds the next turn from the end of one scenario to the beginning of the next.
final class TurnAhead: Sendable {
    private let turn = Mutex<Turn?>(nil)

    func put(_ next: Turn) { turn.withLock { $0 = next } }

    func take() -> Turn? {
        turn.withLock { turn in
            defer { turn = nil }
            return turn
        }
    }
}
