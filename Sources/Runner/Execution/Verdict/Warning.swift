import HIL

/// What the app does although a rule advises against it. It works all the same, and decides no verdict.
public struct Warning: Sendable, Hashable, Codable {
    /// The rule that advises against it: `K17`.
    public var rule: String
    /// What the app does, and how to mend it.
    public var text: String

    public init(rule: String, _ text: String) {
        self.rule = rule
        self.text = text
    }

    /// One line for people: `K17: the picture of “Die” has an opaque background: make it transparent`.
    public var line: String { "\(rule): \(text)" }

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
}
