import HIL

/// What became of a scenario.
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every expectation held.
    case passed
    /// It did not pass at first, then it did, on a retry.
    case flaky
    /// The accessory or the app did wrong, crashed unasked, or missed its budget.
    case failed
    /// The rig did wrong: nothing is known of the product.
    case error
    /// The rig lacks what the scenario needs.
    case skipped
    /// It is known to be bad, and does not decide how the run ends.
    case quarantined

    /// Something is wrong with the product or the rig, and somebody has to look.
    public var isBad: Bool { self == .failed || self == .error }
}

/// A verdict with its reasons.
public struct Judgement: Sendable, Hashable, Codable {
    public var verdict: Verdict
    /// Everything that was wrong, in order of time; the decisive one is ``cause``.
    public var failures: [Failure]
    /// Why it was skipped, who has it in quarantine, or since when quarantine is over.
    public var reason: String?
    /// What the verdict would be without quarantine.
    public var actual: Verdict?

    public init(_ failures: [Failure]) {
        self.failures = failures
        // A rig that does wrong makes the product look wrong, never the other way round.
        let isRigs = failures.contains { $0.kind == .rig }
        verdict = failures.isEmpty ? .passed : isRigs ? .error : .failed
    }

    /// Skipped, because the rig lacks that.
    public init(rig: String, lacks: [Capability]) {
        verdict = .skipped
        failures = []
        reason = "the \(rig) rig lacks \(lacks.map(\.description).joined(separator: " and "))"
    }

    /// Of all attempts, in their order: passed at once, passed on a retry, which is flaky, or what was wrong.
    ///
    /// A failure of the product is certain even if another attempt met an error of the rig.
    public init(attempts: [Judgement]) {
        guard attempts.last?.verdict == .passed else {
            self = attempts.first { $0.verdict == .failed } ?? attempts.first ?? Judgement([])
            return
        }
        self = attempts.first { $0.verdict != .passed } ?? Judgement([])
        if verdict != .passed { verdict = .flaky }
    }

    /// The same where the scenario is in quarantine; the day is in UTC, as `2026-12-31`.
    public func quarantined(_ quarantine: Quarantine?, today: String) -> Judgement {
        guard let quarantine else { return self }
        var judgement = self
        let whose = "\(quarantine.owner), \(quarantine.ticket)"
        if quarantine.holds(on: today) {
            judgement.actual = verdict
            judgement.verdict = .quarantined
            judgement.reason = "in quarantine until \(quarantine.until) (\(whose))"
        } else if verdict != .passed {
            judgement.reason = "its quarantine ended on \(quarantine.until) (\(whose))"
        }
        return judgement
    }

    /// The failure that decided: the first of the kind that the verdict is about.
    public var cause: Failure? { failures.first { $0.kind == .rig } ?? failures.first }

    /// One line for people: why it was skipped, what is in quarantine and what came of it; nil when ``cause`` says it all.
    public var remark: String? {
        guard let reason else { return nil }
        guard let actual else { return reason }
        return "\(reason); this time: \(actual.rawValue)"
    }
}
