import HILRecord

/// One result of a scenario in an earlier run.
package struct PastResult: Sendable, Hashable {
    /// The name of the run's folder.
    package var run: String
    package var machine: String
    /// The kind of rig.
    package var rig: String
    /// The accessory board's system; nil if it is not known.
    package var accessory: String?
    /// The firmware of the accessory; nil if it is not known.
    package var firmware: String?
    /// The version of hil.
    package var version: String
    /// Nanoseconds since 1970.
    package var began: Int64
    package var round: Int
    package var verdict: Verdict
    /// The verdict without the quarantine; nil if it was not in quarantine.
    package var actual: Verdict?
    /// From the rig's start to its end, seconds.
    package var seconds: Double
    /// The duration of the body in seconds; nil if it did not end.
    package var bodySeconds: Double?
    package var attempts: Int
    /// Why it did not pass.
    package var cause: String?
    /// What came of an audit's check; nil if it is none.
    package var audit: AuditOutcome?

    package init(_ verdict: Verdict, actual: Verdict? = nil, run: String = "", began: Int64 = 0, seconds: Double = 0) {
        self.verdict = verdict
        self.actual = actual
        self.run = run
        self.began = began
        self.seconds = seconds
        (machine, rig, version, round, attempts) = ("", "", "", 1, 1)
    }

    /// What the result says about the product: passed, flaky or failed; nil if nothing, because the rig failed or lacks
    /// something. A quarantine does not change it.
    package var seen: Verdict? {
        let verdict = actual ?? verdict
        return [.passed, .flaky, .failed].contains(verdict) ? verdict : nil
    }
}

/// The durations of a step in earlier runs.
package struct PastStep: Sendable, Hashable {
    package var name: String
    /// The newest budget, in seconds.
    package var budget: Double
    /// From the newest to the oldest.
    package var seconds: [Double]
}

/// The results of a scenario in earlier runs.
package struct ScenarioPast: Sendable, Hashable {
    /// The identifier of the case, without a round.
    package var scenario: String
    /// The newest title.
    package var title: String
    /// From the newest to the oldest.
    package var results: [PastResult]

    package init(scenario: String, title: String, results: [PastResult] = []) {
        self.scenario = scenario
        self.title = title
        self.results = results
    }

    /// How many results before one count for whether it is flaky.
    private static let window = 5

    /// Whether the result at a place is flaky, by the rule of Allure 3 (`packages/core/src/utils/flaky.ts`): it failed,
    /// and among the five results before it is a pass that is newer than a failure. One that failed and then passed on
    /// a retry is flaky by itself, and counts as a pass for those after it. Results in which the rig failed, or that
    /// were skipped, do not count.
    package func isFlaky(at place: Int) -> Bool {
        switch results[place].seen {
        case .flaky: return true
        case .failed: break
        default: return false
        }
        let before = results[(place + 1)...].lazy.compactMap(\.seen).prefix(ScenarioPast.window)
        let failures = Array(before).map { $0 == .failed }
        guard let pass = failures.firstIndex(of: false), let failure = failures.lastIndex(of: true) else {
            return false
        }
        return pass < failure
    }

    /// How many results say something about the product.
    package var counted: Int { results.count { $0.seen != nil } }

    /// How many of them are flaky.
    package var flaky: Int { results.indices.count { isFlaky(at: $0) } }

    /// The share of the counted results that are flaky, 0 to 1; nil if none counts.
    package var flakyRate: Double? { counted == 0 ? nil : Double(flaky) / Double(counted) }

    /// The median duration of the body where it passed, in seconds; nil if it never passed.
    package var medianSeconds: Double? {
        results.filter { $0.seen == .passed || $0.seen == .flaky }.compactMap(\.bodySeconds).median
    }
}
