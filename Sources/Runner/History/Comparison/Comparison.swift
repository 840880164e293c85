import HILRecord

/// The differences between two runs: verdicts, and how long steps take.
///
/// Pure: the results of both runs go in, the differences come out.
package struct Comparison: Sendable {
    /// A case whose verdict is worth a line.
    package struct Change: Sendable, Hashable, Codable {
        /// The identifier of the case, without a round.
        package var scenario: String
        /// The verdict in the first run; nil if it was not in it.
        package var before: Verdict?
        /// The verdict in the second run; nil if it was not in it.
        package var after: Verdict?
        /// Why it did not pass in the second run.
        package var cause: String?
    }

    /// In the first run it passed, in the second it failed.
    package private(set) var newlyFailed: [Change] = []
    /// In the first run it failed, in the second it passed.
    package private(set) var fixed: [Change] = []
    /// It passed at once in the first run, and only on a retry in the second.
    package private(set) var newlyFlaky: [Change] = []
    /// In the first run an audit's control held, or did not apply; in the second it is breached.
    package private(set) var newBreaches: [Change] = []
    /// In the first run a breach was accepted; in the second nobody accepts it.
    package private(set) var noLongerAccepted: [Change] = []
    /// In the first run a control was breached; in the second it holds, or does not apply.
    package private(set) var mended: [Change] = []
    /// In the first run a control was breached; in the second the same is accepted.
    package private(set) var newlyAccepted: [Change] = []
    /// It failed in both.
    package private(set) var stillFailed: [Change] = []
    /// It failed in the second run, and the first one says nothing about it: its rig failed, or it was skipped.
    package private(set) var failedUnknown: [Change] = []
    /// Only in the second run.
    package private(set) var new: [Change] = []
    /// Only in the first run.
    package private(set) var gone: [Change] = []
    /// The rig failed in the second run, so that nothing is known about the product.
    package private(set) var rigErrors: [Change] = []
    /// How many cases have a verdict in both runs: those that can be compared.
    package private(set) var inBoth = 0
    package private(set) var times: StepTimes

    /// - Parameters:
    ///   - before: The results of the first run.
    ///   - after: The results of the second run.
    ///   - times: The steps' durations on both sides.
    package init(_ before: [CaseOutcome], _ after: [CaseOutcome], times: StepTimes) {
        self.times = times
        let old = Dictionary(before.map { ($0.scenario, $0) }) { first, _ in first }
        let now = Dictionary(after.map { ($0.scenario, $0) }) { first, _ in first }
        for outcome in after {
            let earlier = old[outcome.scenario]
            let change = Change(
                scenario: outcome.scenario, before: earlier?.verdict, after: outcome.verdict, cause: outcome.cause)
            if earlier == nil { new.append(change) }
            if outcome.verdict == .error { rigErrors.append(change) }
            guard let earlier else { continue }
            inBoth += 1
            if take(change, earlier.audit, outcome.audit) { continue }
            switch (earlier.seen, outcome.seen) {
            case (.failed?, .failed?): stillFailed.append(change)
            case (nil, .failed?): failedUnknown.append(change)
            case (_, .failed?): newlyFailed.append(change)
            case (.failed?, .passed?), (.failed?, .flaky?): fixed.append(change)
            case (.passed?, .flaky?): newlyFlaky.append(change)
            default: break
            }
        }
        gone = before.filter { now[$0.scenario] == nil }.map {
            Change(scenario: $0.scenario, before: $0.verdict, after: nil, cause: nil)
        }
    }

    /// Puts a change of an audit's check where it belongs.
    ///
    /// - Returns: False if the outcomes say no more than the verdicts do.
    private mutating func take(_ change: Change, _ before: AuditOutcome?, _ after: AuditOutcome?) -> Bool {
        switch (before, after) {
        case (.holds, .breached), (.doesNotApply, .breached): newBreaches.append(change)
        case (.accepted, .breached): noLongerAccepted.append(change)
        case (.breached, .holds), (.breached, .doesNotApply): mended.append(change)
        case (.breached, .accepted): newlyAccepted.append(change)
        default: return false
        }
        return true
    }

    /// The sentence for no change, with the number of its cases.
    package var unchanged: String {
        switch inBoth {
        case 0: "no case is in both runs"
        case 1: "the verdict of the one case in both runs is unchanged"
        default: "the verdicts of the \(inBoth) cases in both runs are unchanged"
        }
    }

    /// Whether something is worse than before: newly failed or breached, no longer accepted, or slower.
    package var isRegression: Bool {
        [newlyFailed, newBreaches, noLongerAccepted].contains { !$0.isEmpty } || !times.slower.isEmpty
    }
}

/// The result of a case in a run: the worst of all its rounds.
package struct CaseOutcome: Sendable, Hashable {
    /// The identifier of the case, without a round.
    package var scenario: String
    package var verdict: Verdict
    /// The verdict without the quarantine; nil if it was not in quarantine.
    package var actual: Verdict?
    /// Why it did not pass.
    package var cause: String?
    /// What came of an audit's check; nil if it is none.
    package var audit: AuditOutcome?

    package init(
        _ scenario: String, _ verdict: Verdict, actual: Verdict? = nil, cause: String? = nil,
        audit: AuditOutcome? = nil
    ) {
        self.scenario = scenario
        self.verdict = verdict
        self.actual = actual
        self.cause = cause
        self.audit = audit
    }

    /// What the run says about the product: passed, flaky or failed; nil if nothing. A case in quarantine is not
    /// compared.
    package var seen: Verdict? { [.passed, .flaky, .failed].contains(verdict) ? verdict : nil }

    /// The result of each case of a run that has one, in the order of the run.
    package static func all(of record: RunRecord) -> [CaseOutcome] {
        var outcomes: [CaseOutcome] = []
        var places: [String: Int] = [:]
        for entry in record.entries {
            guard let judgement = entry.result?.judgement else { continue }
            let outcome = CaseOutcome(
                entry.info.caseAndRound.identifier, judgement.verdict, actual: judgement.actual,
                cause: judgement.cause?.message ?? judgement.reason,
                audit: AuditReport.Check(entry, of: record)?.outcome)
            if let place = places[outcome.scenario] {
                if outcome.badness > outcomes[place].badness { outcomes[place] = outcome }
            } else {
                places[outcome.scenario] = outcomes.count
                outcomes.append(outcome)
            }
        }
        return outcomes
    }

    private var badness: Int {
        switch verdict {
        case .skipped: 0
        case .passed: 1
        case .quarantined: 2
        case .flaky: 3
        case .error: 4
        case .failed: 5
        }
    }
}
