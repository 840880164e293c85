import HILRecord
import Synchronization

/// A scenario with all its attempts so far.
struct UnconfirmedCase: Sendable {
    let planned: PlannedScenario
    /// The scenario's folder.
    let folder: String
    var attempts: [AttemptResult]
    /// The rig that it was moved from after an error there; nil if it was not moved.
    let movedFrom: String?

    /// The result of its attempts.
    var result: ScenarioResult { ScenarioResult(attempts: attempts, movedFrom: movedFrom) }
}

/// The scenarios of a run whose failures prove nothing so far, because something was late. They run again at the end.
final class UnconfirmedCases: Sendable {
    private let turns = Mutex<[UnconfirmedCase]>([])

    func add(_ turn: UnconfirmedCase) { turns.withLock { $0.append(turn) } }

    /// Removes and returns all of them.
    func take() -> [UnconfirmedCase] {
        turns.withLock { turns in
            defer { turns = [] }
            return turns
        }
    }
}
