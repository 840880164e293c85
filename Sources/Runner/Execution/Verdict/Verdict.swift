import HIL
import RigModel

/// What became of a scenario.
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
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
    package var isBad: Bool { self == .failed || self == .error }
}

/// A verdict with its reasons.
package struct Judgement: Sendable, Hashable, Codable {
    package var verdict: Verdict
    /// Everything that was wrong: first what the product did, then what the rig did, each in order of time. The decisive one
    /// is ``cause``.
    package var failures: [Failure]
    /// Why it was skipped, who has it in quarantine, or since when quarantine is over.
    package var reason: String?
    /// What the verdict would be without quarantine.
    package var actual: Verdict?
    /// That the machine was too busy for the boards, where it did not decide, for something is wrong that no busy machine
    /// excuses.
    package var busyMachine: String?

    /// - Parameters:
    ///   - busyMachine: What is to be said of a machine that was too busy for the boards; nil where it was not.
    ///   - lack: What the scenario asked for and its rig does not have. Where nothing is wrong, it is skipped for that.
    package init(_ failures: [Failure], busyMachine: String? = nil, lack: RigLacks? = nil) {
        var rigs = failures.filter { $0.kind == .rig }
        let products = failures.filter { $0.kind == .product }
        if let busyMachine, !failures.isEmpty {
            // What was late may have been in time elsewhere; what was wrong was wrong.
            let isExcused = !rigs.isEmpty || products.allSatisfy { $0.basis == .time }
            if isExcused { rigs.append(Failure(.rig, busyMachine)) } else { self.busyMachine = busyMachine }
        }
        self.failures = products + rigs
        // A rig that does wrong makes the product look wrong, never the other way round.
        verdict = failures.isEmpty ? .passed : rigs.isEmpty ? .failed : .error
        if failures.isEmpty, let lack { self = Judgement(skipped: lack) }
    }

    /// Skipped, because the rig lacks that.
    package init(skipped lack: RigLacks) {
        verdict = .skipped
        failures = []
        reason = lack.description
    }

    /// Of all attempts, in their order: passed at once, passed on a retry, which is flaky, or what was wrong.
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

    /// The same where the scenario is in quarantine; the day is in UTC, as `2026-12-31`.
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

    /// The failure that decided: the first of the kind that the verdict is about.
    package var cause: Failure? { failures.first { $0.kind == .rig } ?? decisive }

    /// What people are told first: what the product did wrong, and then the rig's part, where that decided.
    package var headlines: [Failure] {
        [decisive, failures.first { $0.kind == .rig }].compactMap { $0 }
    }

    /// Of the product's failures the first that no busy machine excuses, or else the first.
    private var decisive: Failure? {
        let products = failures.filter { $0.kind == .product }
        return products.first { $0.basis == .fact } ?? products.first
    }

    /// One line for people: why it was skipped, what is in quarantine and what came of it, and that the machine was busy;
    /// nil when ``headlines`` say it all.
    package var remark: String? {
        let found = actual.map { "; this time: \($0.rawValue)" } ?? ""
        let parts = [reason.map { $0 + found }, busyMachine].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
