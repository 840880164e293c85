import HIL

/// What became of a scenario.
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every expectation held.
    case passed
    /// The accessory or the app did wrong, crashed unasked, or missed its budget.
    case failed
    /// The rig did wrong: nothing is known of the product.
    case error
}

/// A verdict with its reasons.
public struct Judgement: Sendable, Hashable, Codable {
    public var verdict: Verdict
    /// Everything that was wrong, in order of time; the decisive one is ``cause``.
    public var failures: [Failure]

    public init(_ failures: [Failure]) {
        self.failures = failures
        // A rig that does wrong makes the product look wrong, never the other way round.
        let isRigs = failures.contains { $0.kind == .rig }
        verdict = failures.isEmpty ? .passed : isRigs ? .error : .failed
    }

    /// The failure that decided: the first of the kind that the verdict is about.
    public var cause: Failure? {
        failures.first { $0.kind == (verdict == .error ? .rig : .product) }
    }
}
