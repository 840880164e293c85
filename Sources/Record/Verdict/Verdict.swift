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
    /// Why the failures prove nothing, so that the scenario runs again; nil if they do, or if there are none.
    package var unproven: String?

    /// - Parameters:
    ///   - failures: All failures, in order of time.
    ///   - lack: The capability that the rig lacks. Without any failure, the scenario is skipped for that.
    package init(_ failures: [Failure], lack: Lack? = nil) {
        let rigs = Judgement.ofRig(failures)
        let products = failures.filter { $0.kind == .product }
        self.failures = products + failures.filter { $0.kind == .rig }
        // A failure of the rig can cause failures of the product, but not the other way round.
        verdict = failures.isEmpty ? .passed : rigs.isEmpty ? .failed : .error
        if let first = failures.first, let lateness = first.lateness, !first.isProven,
            // What follows from a failure that proves nothing proves nothing either.
            rigs.isEmpty ? !products.contains(where: { $0.basis == .certain }) : rigs.allSatisfy({ !$0.isProven })
        {
            let why = """
                too late for a verdict: \(lateness.text ?? "the machine was late"); run fewer rigs (--jobs 1), or less \
                beside them
                """
            unproven = why
            verdict = .error
            self.failures.append(Failure(.rig, why, finding: Finding(.machine)))
        }
        guard failures.isEmpty, let lack else { return }
        self = Judgement(skipped: lack)
        // The text about an accessory's lack is complete.
        guard !lack.capabilities.isEmpty else { return }
        let needs = lack.capabilities.map { ".\($0)" }.joined(separator: ", ")
        reason = "\(lack); found out at a call: with .needs(\(needs)) it is skipped before it starts"
    }

    /// The judgement of a scenario that is skipped because of this lack.
    package init(skipped lack: Lack) {
        verdict = .skipped
        failures = []
        reason = lack.description
    }

    /// Combines all attempts, given in order: passed at once, flaky if it passed on a retry, or the first failure.
    ///
    /// A failure of the product is certain even if another attempt met an error of the rig. Attempts that prove nothing
    /// count only if there is no other one.
    package init(attempts: [Judgement]) {
        let proofs = attempts.filter { $0.unproven == nil }
        guard let last = proofs.last else {
            self = attempts.last ?? Judgement([])
            return
        }
        if last.verdict == .passed {
            self = proofs.first { $0.verdict != .passed } ?? last
            if verdict != .passed { verdict = .flaky }
        } else {
            self = proofs.first { $0.verdict == .failed } ?? proofs[0]
        }
        guard let late = attempts.first(where: { $0.unproven != nil }) else { return }
        let cause = late.decisive.map { ", after \($0.headline)" } ?? ""
        reason = [reason, "ran again: the first time the machine was \(late.unproven ?? "late")\(cause)"]
            .compactMap { $0 }.joined(separator: "; ")
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
    package var cause: Failure? { Judgement.ofRig(failures).first ?? decisive }

    /// The failures to show first: that of the product, then that of the rig, if there is one.
    package var headlines: [Failure] {
        [decisive, Judgement.ofRig(failures).first].compactMap { $0 }
    }

    /// The failures that are the rig's fault. If the accessory has brought a daemon down, its board cannot go on: that is
    /// not one.
    private static func ofRig(_ failures: [Failure]) -> [Failure] {
        let isBroughtDown = failures.contains { $0.kind == .product && $0.finding?.kind == .daemon }
        return failures.filter { $0.kind == .rig && !(isBroughtDown && $0.mayFollowFromDaemon) }
    }

    /// The first failure of the product that counts on any machine, or else its first failure.
    private var decisive: Failure? {
        let products = failures.filter { $0.kind == .product }
        return products.first { $0.basis == .certain } ?? products.first
    }

    /// One line for people: why it was skipped or ran again, its quarantine and actual verdict; nil if ``headlines`` say
    /// everything.
    package var remark: String? {
        let found = actual.map { "; this time: \($0.rawValue)" } ?? ""
        return reason.map { $0 + found }
    }
}

extension Failure {
    /// Whether the end of a daemon can be its cause.
    fileprivate var mayFollowFromDaemon: Bool {
        switch finding?.kind {
        case nil, .daemon, .agent, .board: true
        case .kernel, .leak, .capture, .machine: false
        }
    }
}
