/// A program that starts before its scenario asks for it: ``ScenarioTrait/accessory(_:startsWithBoard:)``.
struct ProgramAhead: Sendable {
    let program: AccessoryProgram
    /// Ends when the program is ready, or cannot be.
    let start: Task<RunningProgram, any Error>

    /// Returns the program when it is ready. A caller whose time is over ends the start, as it would end its own
    /// call's.
    func ready() async throws -> RunningProgram {
        try await withTaskCancellationHandler {
            try await start.value
        } onCancel: {
            start.cancel()
        }
    }
}
