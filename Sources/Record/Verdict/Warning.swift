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
    package static func all(in story: [RunLine]) -> [Warning] {
        var warnings: [Warning] = []
        for text in story.lazy.compactMap({ $0.worker?.whatWasNotSeen }) {
            let warning = Warning("nobody saw this with the phone in the hand: \(text)")
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        for line in story {
            guard case .phone(.warning(let rule, let text))? = line.worker else { continue }
            let warning = Warning(rule: rule, text)
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        return warnings
    }
}
