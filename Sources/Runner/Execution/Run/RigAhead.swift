import RigModel
import Synchronization

/// A rig that is made ready before its scenario's turn, and the worker that waits for it.
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

    /// Stops rig and worker, which are not needed.
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
struct ScheduledCase: Sendable {
    let planned: PlannedScenario
    /// Nil if the rig is started when it is the scenario's turn, or if the scenario needs none.
    var rig: RigAhead?
}

/// Holds turns whose rigs are started ahead, for whoever is free first.
final class CasesAhead: Sendable {
    private let turns = Mutex<[ScheduledCase]>([])

    func put(_ next: ScheduledCase) { turns.withLock { $0.append(next) } }

    /// The earliest turn; nil without any.
    func take() -> ScheduledCase? { turns.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
