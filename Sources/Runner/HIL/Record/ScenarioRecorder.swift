import POSIX
import RigModel
import Synchronization
import Timing

/// Keeps what a scenario did and hands it on, event by event. Any thread may record.
package final class ScenarioRecorder: Sendable {
    private struct OpenStep {
        let token: Int
        let name: String
        let began: ContinuousClock.Instant
    }

    private struct State {
        var lastToken = 0
        var openSteps: [OpenStep] = []
        var failures: [Failure] = []
        /// What the rig lacks that the scenario asked for first.
        var lack: RigLacks?
        /// The last step that was done.
        var lastDone: String?
        var lastThrown: (error: String, location: SourceLocation)?
        /// The last call of the lab that the scenario made.
        var lastCall: SourceLocation?

        /// Keeps what is wrong, and gives what is to be told: what the product does wrong once its rig lacks something
        /// follows from that, and is a note.
        mutating func take(_ event: ScenarioEvent) -> ScenarioEvent {
            switch event {
            case .lacks(let what): lack = lack ?? what
            case .failure(let failure) where failure.kind == .product && lack != nil:
                return .note(text: "not counted, for the rig lacks what the scenario needs: \(failure.message)")
            case .failure(let failure): failures.append(failure)
            default: break
            }
            return event
        }
    }

    private let state = Mutex(State())
    private let write: @Sendable (StampedEvent) -> Void

    /// - Parameter write: Takes each event, in order; called under a lock, so it must not record in turn.
    package init(write: @escaping @Sendable (StampedEvent) -> Void) { self.write = write }

    /// Everything that is wrong so far.
    package var failures: [Failure] { state.withLock { $0.failures } }

    /// Hands an event on, with the moment; long texts lose their ends.
    package func record(_ event: ScenarioEvent) {
        let event = event.bounded
        state.withLock { state in
            let event = state.take(event)
            write(StampedEvent(time: wallClockNanoseconds(), event: event))
        }
    }

    /// Which steps are under way, and since when: the innermost last.
    package var standing: String {
        let steps = state.withLock { $0.openSteps }
        guard !steps.isEmpty else { return "between steps" }
        return steps.map { "in “\($0.name)” for \((ContinuousClock.now - $0.began).short)" }.joined(separator: ", ")
    }

    func beginStep(_ name: String, budget: Duration, at location: SourceLocation) -> Int {
        record(.stepBegan(name: name, budget: budget.seconds, at: location))
        return state.withLock { state in
            // Whatever was thrown before was dealt with.
            state.lastThrown = nil
            state.lastCall = location
            state.lastToken += 1
            state.openSteps.append(OpenStep(token: state.lastToken, name: name, began: .now))
            return state.lastToken
        }
    }

    func endStep(_ token: Int, outcome: StepOutcome) {
        let step = state.withLock { state in
            defer { state.openSteps.removeAll { $0.token == token } }
            if outcome == .done { state.lastDone = state.openSteps.first { $0.token == token }?.name }
            return state.openSteps.first { $0.token == token }
        }
        guard let step else { return }
        let seconds = (ContinuousClock.now - step.began).seconds
        record(.stepEnded(name: step.name, seconds: seconds, outcome: outcome))
    }

    /// Between which steps a scenario is that is in none, for people: `after step “join”`.
    var place: String {
        state.withLock { state in state.lastDone.map { "after step “\($0)”" } ?? "before any step" }
    }

    /// Does what a scenario asks of the lab; an error that ends the scenario is a failure at the line of the call.
    func call<Value>(
        at location: SourceLocation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        noteCall(at: location)
        do { return try await body() } catch {
            noteThrown(error, at: location)
            throw error
        }
    }

    /// The recorder of the scenario whose body runs; nil elsewhere.
    @TaskLocal static var current: ScenarioRecorder?

    /// The same for what knows no lab, as the phone does.
    static func call<Value>(
        at location: SourceLocation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let current else { return try await body() }
        return try await current.call(at: location, body)
    }

    /// Remembers how far the scenario has come, for an error of which nobody knows the line.
    func noteCall(at location: SourceLocation) {
        state.withLock { state in
            state.lastThrown = nil
            state.lastCall = location
        }
    }

    /// The line of the last call of the lab; nil before the first.
    var lastCall: SourceLocation? { state.withLock { $0.lastCall } }

    /// Remembers where an error came from, should it turn out to end the scenario.
    func noteThrown(_ error: any Error, at location: SourceLocation) {
        let text = String(reflecting: error)
        state.withLock { state in
            // An outer step throws on what an inner one threw: the inner line says more.
            if state.lastThrown?.error != text { state.lastThrown = (text, location) }
        }
    }

    /// Where an error came from: the line of the step or the call that threw it, if one did.
    func origin(of error: any Error) -> SourceLocation? {
        let text = String(reflecting: error)
        return state.withLock { $0.lastThrown?.error == text ? $0.lastThrown?.location : nil }
    }
}
