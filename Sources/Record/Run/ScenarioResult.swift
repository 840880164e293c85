/// The result of one attempt at a scenario.
package struct AttemptResult: Sendable, Codable {
    package var judgement: Judgement
    /// The time from the rig's start to its end, in seconds.
    package var seconds: Double
    /// The duration of the body in seconds; nil if it did not end.
    package var bodySeconds: Double?
    /// How late everything was during the attempt; nil if unknown, and in records of formats before 4.
    package var lateness: Lateness?
    /// The processor time that it needed; nil if unknown.
    package var processor: ProcessorUse?
    /// Its folder relative to the scenario's folder; empty for the first attempt, whose files are in the scenario's
    /// folder.
    package var folder: String
    /// The files worth opening, the most useful first, relative to the scenario's folder.
    package var evidence: [String]
    /// What is missing of the evidence, and why.
    package var missing: [String]
    /// The folder with both saved boards, relative to the scenario's folder; nil if they were not saved.
    package var boards: String?
    /// The warnings, each once; nil if there are none.
    package var warnings: [Warning]?
    /// The name of its rig: that of a bench; nil if rigs are all alike, or if none was available.
    package var rig: String?
    /// The firmware of the accessory, as the run's label or the accessory's own hook says it; nil if unknown.
    package var firmware: String?
    /// The versions of the programs on the boards, by board, then by name; nil if unknown.
    package var versions: [String: [String: String]]?

    package init(
        _ judgement: Judgement, seconds: Double, bodySeconds: Double? = nil, lateness: Lateness? = nil,
        processor: ProcessorUse? = nil, folder: String = "", evidence: [String] = [], missing: [String] = [],
        boards: String? = nil, warnings: [Warning] = [], firmware: String? = nil,
        versions: [String: [String: String]]? = nil
    ) {
        self.firmware = firmware
        self.versions = versions
        self.judgement = judgement
        self.seconds = seconds
        self.bodySeconds = bodySeconds
        self.lateness = lateness
        self.processor = processor
        self.folder = folder
        self.evidence = evidence
        self.missing = missing
        self.boards = boards
        self.warnings = warnings.isEmpty ? nil : warnings
    }
}

/// The result of a scenario.
package struct ScenarioResult: Sendable, Codable {
    package var judgement: Judgement
    /// The time from the first rig's start to the last one's end, in seconds.
    package var seconds: Double
    /// The duration of the last attempt's body in seconds; nil if it did not end.
    package var bodySeconds: Double?
    /// How late everything was during the last attempt; nil if unknown, and in records of formats before 4.
    package var lateness: Lateness?
    /// The processor time of all attempts; nil if unknown.
    package var processor: ProcessorUse?
    /// The files worth opening, the most useful first, relative to the scenario's folder.
    package var evidence: [String]
    /// What is missing of the evidence, and why.
    package var missing: [String]
    /// The folder with both boards of the first failure that saved them, relative to the scenario's folder.
    package var boards: String?
    /// The warnings, each once; nil if there are none. They do not change the verdict.
    package var warnings: [Warning]?
    /// All attempts in order; nil if there was only one.
    package var attempts: [AttemptResult]?
    /// The name of the last attempt's rig: that of a bench; nil if rigs are all alike.
    package var rig: String?
    /// The name of the rig on which the scenario met an error before it was moved to another one, which decided the
    /// verdict; nil if it was not moved.
    package var movedFrom: String?
    /// The firmware of the accessory, as the run's label or the accessory's own hook says it; nil if unknown.
    package var firmware: String?
    /// The versions of the programs on the boards, by board, then by name; nil if unknown.
    package var versions: [String: [String: String]]?

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

    /// Combines all attempts, given in order.
    ///
    /// - Parameter movedFrom: The name of the rig of the first attempt, if that ended in an error of the rig and does not
    ///   count.
    package init(attempts: [AttemptResult], movedFrom: String? = nil) {
        let counted = movedFrom == nil || attempts.count < 2 ? attempts[...] : attempts.dropFirst()
        self.init(
            Judgement(attempts: counted.map(\.judgement)), seconds: attempts.reduce(0) { $0 + $1.seconds },
            bodySeconds: attempts.last?.bodySeconds, evidence: attempts.flatMap(\.evidence),
            missing: attempts.flatMap(\.missing))
        lateness = attempts.last?.lateness
        let uses = attempts.compactMap(\.processor)
        processor = uses.isEmpty ? nil : uses.reduce(ProcessorUse()) { $0.adding($1) }
        let all = attempts.flatMap { $0.warnings ?? [] }
        let once = all.enumerated().filter { all.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        warnings = once.isEmpty ? nil : once
        boards = attempts.lazy.compactMap(\.boards).first
        firmware = attempts.lazy.reversed().compactMap(\.firmware).first
        versions = attempts.lazy.reversed().compactMap(\.versions).first
        if attempts.count > 1 { self.attempts = attempts }
        rig = attempts.last?.rig
        self.movedFrom = movedFrom
    }
}

extension ScenarioResult {
    /// On which rig the scenario ran, where rigs have names: `on bench-2, moved from bench-1 after an error there`. Else nil.
    package var whereItRan: String? {
        guard let moved = movedFrom else { return rig.map { "on \($0)" } }
        // Without a second attempt there was no move.
        guard let rig, attempts != nil else { return "on \(moved)" }
        return rig == moved
            ? "on \(rig), twice after an error there" : "on \(rig), moved from \(moved) after an error there"
    }
}
