import Synchronization

/// A program that starts while the boards are made ready: ``ScenarioTrait/accessory(_:startsWithBoard:)``.
final class ProgramAhead: Sendable {
    let program: AccessoryProgram
    /// Ends when the program is ready.
    let start: Task<RunningProgram, any Error>
    private let error: SharedError

    /// An error that a task leaves for others.
    private final class SharedError: Sendable {
        let value = Mutex<(any Error)?>(nil)
    }

    init(_ program: AccessoryProgram, start: @escaping @Sendable () async throws -> RunningProgram) {
        self.program = program
        let shared = SharedError()
        error = shared
        self.start = Task {
            do { return try await start() } catch {
                shared.value.withLock { $0 = error }
                throw error
            }
        }
    }

    /// Why it could not be started; nil if it could, or is still starting.
    var failure: (any Error)? { error.value.withLock { $0 } }
}
