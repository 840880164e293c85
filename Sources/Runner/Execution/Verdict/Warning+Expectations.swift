import HIL
import HILRecord

extension Warning {
    /// A warning if a scenario passed without checking anything; else nil.
    ///
    /// Expectations are: checks of `lab.expect`, a fault of the air that had to fire, what a check of an audit has found, and
    /// a declared crash. A step does not count: it only limits how long something may take.
    static func expectsNothing(_ planned: PlannedScenario, _ judgement: Judgement, in story: [RunLine]) -> Warning? {
        guard judgement.verdict == .passed, planned.scenario.traits.expectedCrash == nil else { return nil }
        let hasExpectation = story.contains { line in
            switch line.worker {
            case .expectation, .audit(.found): true
            default: false
            }
        }
        if hasExpectation { return nil }
        return Warning("\(planned.identifier) expects nothing, so it passes whatever is seen: add lab.expect(…)")
    }
}
