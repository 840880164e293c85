import HIL

/// What became of one attempt at a scenario.
package struct AttemptResult: Sendable, Codable {
    package var judgement: Judgement
    /// From the rig's start to its end, seconds.
    package var seconds: Double
    /// What the body took, if it ended.
    package var bodySeconds: Double?
    /// The part of the time in which it was ready to run, 0 to 1, that the board which waited most got no processor; nil
    /// where nobody knows.
    package var waited: Double?
    /// Its folder, relative to the scenario's; empty for the first, whose files lie in the scenario's own.
    package var folder: String
    /// Files of its folder worth opening, the best first; names relative to the scenario's folder.
    package var evidence: [String]
    /// What is missing of the evidence, and why.
    package var missing: [String]
    /// The folder with both boards as they were when it failed, relative to the scenario's; nil where there is none.
    package var boards: String?
    /// What the app did that a rule advises against, each once; nil where there is none.
    package var warnings: [Warning]?

    package init(
        _ judgement: Judgement, seconds: Double, bodySeconds: Double? = nil, waited: Double? = nil, folder: String = "",
        evidence: [String] = [], missing: [String] = [], boards: String? = nil, warnings: [Warning] = []
    ) {
        self.judgement = judgement
        self.seconds = seconds
        self.bodySeconds = bodySeconds
        self.waited = waited
        self.folder = folder
        self.evidence = evidence
        self.missing = missing
        self.boards = boards
        self.warnings = warnings.isEmpty ? nil : warnings
    }
}

/// What became of a scenario.
package struct ScenarioResult: Sendable, Codable {
    package var judgement: Judgement
    /// From the first rig's start to the last one's end, seconds.
    package var seconds: Double
    /// What the body took in the last attempt, if it ended.
    package var bodySeconds: Double?
    /// The largest of the attempts' ``AttemptResult/waited``.
    package var waited: Double?
    /// Files of its folder worth opening, the best first; names relative to that folder.
    package var evidence: [String]
    /// What is missing of the evidence, and why.
    package var missing: [String]
    /// The folder with both boards as they were at the first failure that kept them, relative to the scenario's.
    package var boards: String?
    /// What the app did that a rule advises against, each once; nil where there is none. They decide nothing.
    package var warnings: [Warning]?
    /// Every attempt in its order, where there were several.
    package var attempts: [AttemptResult]?

    package init(
        _ judgement: Judgement, seconds: Double, bodySeconds: Double? = nil, evidence: [String] = [],
        missing: [String] = []
    ) {
        self.judgement = judgement
        self.seconds = seconds
        self.bodySeconds = bodySeconds
        self.evidence = evidence
        self.missing = missing
    }

    /// Of all attempts, in their order.
    package init(attempts: [AttemptResult]) {
        self.init(
            Judgement(attempts: attempts.map(\.judgement)), seconds: attempts.reduce(0) { $0 + $1.seconds },
            bodySeconds: attempts.last?.bodySeconds, evidence: attempts.flatMap(\.evidence),
            missing: attempts.flatMap(\.missing))
        waited = attempts.compactMap(\.waited).max()
        let all = attempts.flatMap { $0.warnings ?? [] }
        let once = all.enumerated().filter { all.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        warnings = once.isEmpty ? nil : once
        boards = attempts.lazy.compactMap(\.boards).first
        if attempts.count > 1 { self.attempts = attempts }
    }
}
