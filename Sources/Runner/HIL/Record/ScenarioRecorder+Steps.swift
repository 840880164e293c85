import HILRecord
import HILTiming
import Synchronization

/// Steps, waits and attempts.
extension ScenarioRecorder {
    func beginStep(_ name: String, budget: Duration, at location: SourceLocation) -> Int {
        let token = state.withLock { state in
            // The scenario continues, so it has handled any earlier error.
            state.lastThrown = nil
            state.lastCall = location
            state.lastToken += 1
            state.openSteps.append(
                OpenStep(
                    token: state.lastToken, name: name, began: .now, attempt: ScenarioRecorder.attempt))
            if ScenarioRecorder.attempt >= state.attempt { state.lastStep = name }
            return state.lastToken
        }
        record(.stepBegan(name: name, budget: budget.seconds, at: location, number: token))
        state.withLock { $0.onStep }?(name)
        return token
    }

    func endStep(_ token: Int, outcome: StepOutcome) {
        let step = state.withLock { state in
            defer { state.openSteps.removeAll { $0.token == token } }
            if let name = state.openSteps.first(where: { $0.token == token })?.name {
                state.endedSteps[name, default: 0] += 1
            }
            if outcome == .done { state.lastDone = state.openSteps.first { $0.token == token }?.name }
            return state.openSteps.first { $0.token == token }
        }
        guard let step else { return }
        let seconds = (ContinuousClock.now - step.began).seconds
        record(.stepEnded(name: step.name, seconds: seconds, outcome: outcome, number: token))
    }

    /// The name of the innermost open step, or else of the step that began last; nil before the first.
    var lastStep: String? {
        state.withLock { state in state.openSteps.last { $0.attempt >= state.attempt }?.name ?? state.lastStep }
    }

    /// How many steps of this name have ended.
    func endedSteps(_ name: String) -> Int { state.withLock { $0.endedSteps[name] ?? 0 } }

    /// The place of a scenario between two steps, for people: `after step “join”`.
    var place: String {
        state.withLock { state in state.lastDone.map { "after step “\($0)”" } ?? "before any step" }
    }

    /// The open steps and their times so far, for people; the innermost is last.
    package var standing: String {
        let steps = state.withLock { $0.openSteps }
        guard !steps.isEmpty else { return "between steps" }
        return steps.map { "in “\($0.name)” for \((ContinuousClock.now - $0.began).short)" }.joined(separator: ", ")
    }

    /// What the scenario waits for now, as noun phrases, the oldest first.
    package var awaited: [String] {
        // What an earlier attempt left behind may wait for ever.
        state.withLock { state in state.waits.filter { $0.attempt >= state.attempt } }.map { $0.what() }
    }

    /// An attempt of a trial begins: its number, from 1. What an earlier one still does is marked, and does not count.
    func beginAttempt() -> Int {
        state.withLock { state in
            state.attempts.append(.now)
            return state.attempt
        }
    }

    /// The attempt of a trial that was under way so long ago, from 1; 0 outside of trials.
    func attempt(before time: Duration = .zero) -> Int {
        let instant = ContinuousClock.now - time
        return state.withLock { state in
            state.attempts.isEmpty ? 0 : max(1, state.attempts.count { $0 <= instant })
        }
    }

    /// Calls `body` whenever a wait begins or ends.
    func onWaits(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onWaits = body } }

    /// The shortest wait that is recorded. Most events have already come when a scenario waits for them.
    private static let shortestWait = Duration.milliseconds(10)

    /// Notes a wait.
    ///
    /// - Returns: Call it when the wait has ended.
    @Sendable func beginWait(_ what: @escaping @Sendable () -> String) -> @Sendable () -> Void {
        let began = ContinuousClock.now
        let (token, told) = state.withLock { state in
            state.lastWait += 1
            state.waits.append(
                Wait(token: state.lastWait, began: began, what: what, attempt: ScenarioRecorder.attempt))
            return (state.lastWait, state.onWaits)
        }
        told?()
        return { [self] in
            let time = ContinuousClock.now - began
            state.withLock { state in
                state.waits.removeAll { $0.token == token }
                state.lastEndedWait = (began + time, time)
            }
            told?()
            if time >= ScenarioRecorder.shortestWait { record(.waited(what: what(), seconds: time.seconds)) }
        }
    }
}
