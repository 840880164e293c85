/// A program that starts before its scenario asks for it: ``ScenarioTrait/accessory(_:startsWithBoard:)``.
struct ProgramAhead: Sendable {
    let program: AccessoryProgram
    /// Ends when the program is ready, or cannot be.
    let start: Task<RunningProgram, any Error>
}
