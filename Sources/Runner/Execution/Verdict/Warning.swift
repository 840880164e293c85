import HIL

/// A message that does not change the verdict: the app ignores the advice of a rule, or a scenario has no expectations.
package struct Warning: Sendable, Hashable, Codable {
    /// The rule that advises against it: `K17`; nil if the warning is about the scenario itself.
    package var rule: String?
    /// What is wrong, and how to correct it.
    package var text: String

    package init(rule: String? = nil, _ text: String) {
        self.rule = rule
        self.text = text
    }

    /// One line for people: `K17: the picture of “Lamp” has an opaque background: make it transparent`.
    package var line: String { (rule.map { "\($0): " } ?? "") + text }

    /// The warnings of a worker, each once, in order.
    static func all(in story: [RunLine]) -> [Warning] {
        var warnings: [Warning] = []
        for line in story {
            guard case .phone(.warning(let rule, let text))? = line.worker else { continue }
            let warning = Warning(rule: rule, text)
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        return warnings
    }

    /// A warning if a scenario passed without checking anything; else nil.
    ///
    /// Expectations are: checks of `lab.expect`, a fault of the air that had to fire, and a declared crash. A step
    /// does not count: it only limits how long something may take.
    static func expectsNothing(_ planned: PlannedScenario, _ judgement: Judgement, in story: [RunLine]) -> Warning? {
        guard judgement.verdict == .passed, planned.scenario.traits.expectedCrash == nil else { return nil }
        let hasExpectation = story.contains { line in
            if case .expectation? = line.worker { true } else { false }
        }
        if hasExpectation { return nil }
        return Warning("\(planned.identifier) expects nothing, so it passes whatever is seen: add lab.expect(…)")
    }
}
