import HIL
import RigModel

/// The verdict on a scenario.
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every expectation held.
    case passed
    /// It passed only on a retry.
    case flaky
    /// The accessory or the app did something wrong, crashed unexpectedly, or missed its budget.
    case failed
    /// The rig failed: nothing is known about the product.
    case error
    /// The rig lacks what the scenario needs.
    case skipped
    /// It is known to fail, and does not count for the run.
    case quarantined

    /// Whether the product or the rig needs attention: failed or error.
    package var isBad: Bool { self == .failed || self == .error }
}

/// A verdict with its reasons.
package struct Judgement: Sendable, Hashable, Codable {
    package var verdict: Verdict
    /// All failures: first those of the product, then those of the rig, each in order of time. The decisive one
    /// is ``cause``.
    package var failures: [Failure]
    /// Why it was skipped, who has it in quarantine, or when its quarantine ended.
    package var reason: String?
    /// The verdict without the quarantine; nil if it is not in quarantine.
    package var actual: Verdict?
    /// The message that the machine was too busy for the boards, if that did not decide the verdict; else nil.
    package var busyMachine: String?

    /// - Parameters:
    ///   - busyMachine: The message that the machine was too busy for the boards; nil if it was not.
    ///   - lack: The capability that the rig lacks. Without any failure, the scenario is skipped for that.
    package init(_ failures: [Failure], busyMachine: String? = nil, lack: RigLacks? = nil) {
        var rigs = failures.filter { $0.kind == .rig }
        let products = failures.filter { $0.kind == .product }
        if let busyMachine, !failures.isEmpty {
            // A busy machine excuses only what was late, not what was wrong.
            let isExcused = !rigs.isEmpty || products.allSatisfy { $0.basis == .time }
            if isExcused {
                rigs.append(Failure(.rig, busyMachine, finding: Finding(.machine)))
            } else {
                self.busyMachine = busyMachine
            }
        }
        self.failures = products + rigs
        // A failure of the rig can cause failures of the product, but not the other way round.
        verdict = failures.isEmpty ? .passed : rigs.isEmpty ? .failed : .error
        guard failures.isEmpty, let lack else { return }
        self = Judgement(skipped: lack)
        // What an accessory lacks is said in full.
        guard !lack.capabilities.isEmpty else { return }
        let needs = lack.capabilities.map { ".\($0.rawValue)" }.joined(separator: ", ")
        reason = "\(lack); found out at a call: with .needs(\(needs)) it is skipped before it starts"
    }

    /// The judgement of a scenario that is skipped because of this lack.
    package init(skipped lack: RigLacks) {
        verdict = .skipped
        failures = []
        reason = lack.description
    }

    /// Combines all attempts, given in order: passed at once, flaky if it passed on a retry, or the first failure.
    ///
    /// A failure of the product is certain even if another attempt met an error of the rig.
    package init(attempts: [Judgement]) {
        guard attempts.last?.verdict == .passed else {
            self = attempts.first { $0.verdict == .failed } ?? attempts.first ?? Judgement([])
            return
        }
        self = attempts.first { $0.verdict != .passed } ?? Judgement([])
        if verdict != .passed { verdict = .flaky }
    }

    /// The judgement with the scenario's quarantine applied; the day is in UTC, as `2026-12-31`.
    package func quarantined(_ quarantine: Quarantine?, today: String) -> Judgement {
        guard let quarantine, verdict != .skipped else { return self }
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

    /// The failure that decided the verdict.
    package var cause: Failure? { failures.first { $0.kind == .rig } ?? decisive }

    /// The failures to show first: that of the product, then that of the rig, if there is one.
    package var headlines: [Failure] {
        [decisive, failures.first { $0.kind == .rig }].compactMap { $0 }
    }

    /// The first failure of the product that a busy machine does not excuse, or else its first failure.
    private var decisive: Failure? {
        let products = failures.filter { $0.kind == .product }
        return products.first { $0.basis == .fact } ?? products.first
    }

    /// One line for people: why it was skipped, its quarantine and actual verdict, and that the machine was busy; nil
    /// if ``headlines`` say everything.
    package var remark: String? {
        let found = actual.map { "; this time: \($0.rawValue)" } ?? ""
        let parts = [reason.map { $0 + found }, busyMachine].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
