import HIL

/// What somebody should look at although it decides no verdict: what the app does against a rule's advice, or a scenario
/// that expects nothing.
package struct Warning: Sendable, Hashable, Codable {
    /// The rule that advises against it: `K17`; nil where it is about the scenario itself.
    package var rule: String?
    /// What is done, and how to mend it.
    package var text: String

    package init(rule: String? = nil, _ text: String) {
        self.rule = rule
        self.text = text
    }

    /// One line for people: `K17: the picture of “Lamp” has an opaque background: make it transparent`.
    package var line: String { (rule.map { "\($0): " } ?? "") + text }

    /// The warnings that a worker told, each once, in their order.
    static func all(in story: [RunLine]) -> [Warning] {
        var warnings: [Warning] = []
        for line in story {
            guard case .phone(.warning(let rule, let text))? = line.worker else { continue }
            let warning = Warning(rule: rule, text)
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        return warnings
    }

    /// The warning of a scenario that passed and would have passed whatever app and accessory do; nil for any other.
    ///
    /// An expectation is what `lab.expect` checked, a fault of the air that had to fire, and a crash that was declared. A
    /// step is no expectation: it says how long something may take, and not what is to be seen.
    static func expectsNothing(_ planned: PlannedScenario, _ judgement: Judgement, in story: [RunLine]) -> Warning? {
        guard judgement.verdict == .passed, planned.scenario.traits.expectedCrash == nil else { return nil }
        let hasExpectation = story.contains { line in
            if case .expectation? = line.worker { true } else { false }
        }
        if hasExpectation { return nil }
        return Warning("\(planned.identifier) expects nothing, so it passes whatever is seen: add lab.expect(…)")
    }
}
