import HILRecord

// The attempts of a trial. The body of one that is over may run on beside the next one.
extension ScenarioRecorder {
    /// The attempt of a trial that the code belongs to, from 1; 0 for code of no attempt.
    @TaskLocal static var attempt = 0
}

extension ScenarioEvent {
    /// The same as what an attempt does that is over: it says so, and what fails does not count.
    func late(of attempt: Int) -> ScenarioEvent {
        let mark = "attempt \(attempt), late"
        return switch self {
        case .note(let text): .note(text: "\(mark): \(text)")
        case .expectation(let text, let held, _):
            .note(text: "\(mark): \(held ? "holds" : "does not hold"): \(text)")
        // Without its daemon, the accessory's board cannot go on, whoever brought it down.
        case .failure(let failure) where failure.kind == .product && failure.finding?.kind != .daemon:
            .note(text: "\(mark): \(failure.message)")
        case .stepBegan(let name, let budget, let location, let number):
            .stepBegan(name: "\(name) (\(mark))", budget: budget, at: location, number: number)
        case .stepEnded(let name, let seconds, let outcome, let number):
            .stepEnded(name: "\(name) (\(mark))", seconds: seconds, outcome: outcome, number: number)
        case .waited(let what, let seconds): .waited(what: "\(what) (\(mark))", seconds: seconds)
        default: self
        }
    }
}
