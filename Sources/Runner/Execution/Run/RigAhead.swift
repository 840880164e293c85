import RigModel
import Synchronization

/// A rig that is made ready before it is the turn of its scenario.
final class RigAhead: Sendable {
    private let start: Task<any RunningRig, any Error>

    init(_ start: @escaping @Sendable () async throws -> any RunningRig) { self.start = Task(operation: start) }

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

    /// Stops the rig, which nobody needs.
    func discard() async {
        start.cancel()
        if let rig = try? await start.value {
            await rig.stop()
            await rig.release(isError: false)
        }
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
