/// What an audit has shown, as far as it has come: each control on each accessory.
///
/// It is made of the record alone, and says the same in each report.
package struct AuditReport: Sendable {
    /// A control on an accessory.
    package struct Check: Sendable {
        package var control: AuditInfo.Control
        package var outcome: AuditOutcome
        /// One line; nil if it holds.
        package var reason: String?
        /// What to do in place of a check that is out of reach.
        package var instead: String?
        /// The case that checked it; nil if none did.
        package var identifier: String?
        /// The folder of its decisive attempt in the run's folder.
        package var folder: String?
        /// The command that makes the check again; nil if nothing checked it.
        package var replay: String?
        /// Its attempt: what was tried, the matrix, the seed; nil if nothing checked it.
        package var attempt: AuditAttempt?
        /// When the case's body began, nanoseconds since 1970: times of notes count from it.
        package var zero: UInt64 = 0
        package var seconds: Double?
    }

    /// An accessory with its checks, in the order of the controls.
    package struct Target: Sendable {
        package var info: AuditInfo.Target
        package var checks: [Check]

        /// How many checks have each outcome, in the order of the outcomes.
        package var counts: [(outcome: AuditOutcome, count: Int)] {
            AuditOutcome.allCases.compactMap { outcome in
                let count = checks.count { $0.outcome == outcome }
                return count == 0 ? nil : (outcome, count)
            }
        }

        /// What attacks have shown: `3 breached, 20 hold`, the worst first.
        package var result: String { words([.breached, .undecided, .accepted, .holds], "nothing was attacked") }

        /// What no attack has shown, without what the command line did not ask for: `2 out of reach`; empty if it is nothing.
        package var rest: String { words([.doesNotApply, .outOfReach, .notChecked], "") }

        /// ``result`` and ``rest``.
        package var summary: String { [result, rest].filter { !$0.isEmpty }.joined(separator: ", ") }

        private func words(_ outcomes: [AuditOutcome], _ nothing: String) -> String {
            let parts = outcomes.compactMap { outcome in
                let count = checks.count { $0.control.isChosen && $0.outcome == outcome }
                return count == 0 ? nil : "\(count) \(count == 1 ? outcome.words : outcome.plural)"
            }
            return parts.isEmpty ? nothing : parts.joined(separator: ", ")
        }
    }

    package let info: AuditInfo
    package let targets: [Target]

    /// What each report begins with: what an audit shows, and what it cannot.
    package static let scope = """
        This shows what strangers nearby tried, and what came of it. It is evidence for the \
        clauses that each check names, never a certificate. “Holds” means that these attacks did not work, not that none does. \
        What the strangers' controllers cannot do, what nothing on the air shows, and what was not checked stands below, with what \
        to do instead.
        """

    /// - Returns: Nil if the run is no audit.
    package init?(_ record: RunRecord) {
        guard let info = record.info?.audit else { return nil }
        var entries: [String: [String: RunRecord.Entry]] = [:]
        for entry in record.entries {
            guard let check = entry.info.check else { continue }
            entries[check.target, default: [:]][check.control] = entry
        }
        self.info = info
        targets = info.targets.map { target in
            Target(
                info: target,
                checks: info.controls.map { control in
                    entries[target.scenario]?[control.name].map { Check(control, $0, isLeft: record.isLeft($0)) }
                        ?? Check(control)
                })
        }
    }

    /// All checks of all accessories.
    package var checks: [Check] { targets.flatMap(\.checks) }
}

extension AuditReport.Check {
    /// A control that no case checks.
    init(_ control: AuditInfo.Control) {
        let missing = control.missing ?? AuditInfo.Missing(.notChecked, "it was not run on this accessory")
        self.init(
            control: control, outcome: missing.outcome, reason: missing.reason, instead: missing.instead,
            identifier: nil, folder: nil, replay: nil, attempt: nil)
    }

    /// The check of a case; nil if the case is none.
    package init?(_ entry: RunRecord.Entry, of record: RunRecord) {
        guard let name = entry.info.check?.control,
            let control = record.info?.audit?.controls.first(where: { $0.name == name })
        else { return nil }
        self.init(control, entry, isLeft: record.isLeft(entry))
    }

    /// A control that a case checks, or will check.
    ///
    /// - Parameter isLeft: Whether the case did not begin because the budget was used up.
    init(_ control: AuditInfo.Control, _ entry: RunRecord.Entry, isLeft: Bool = false) {
        let attempt = entry.decisive
        self.init(
            control: control, outcome: .notChecked, reason: nil, instead: nil, identifier: entry.info.identifier,
            folder: attempt.number == 1 ? entry.info.folder : "\(entry.info.folder)/attempt-\(attempt.number)",
            replay: entry.info.replay, attempt: attempt.audit, zero: attempt.zero,
            seconds: entry.result?.seconds)
        guard let judgement = entry.result?.judgement else {
            reason =
                isLeft
                ? "it was left when the budget was used up"
                : entry.isInterrupted ? "the run was interrupted" : "it has not ended"
            return
        }
        let told = attempt.audit ?? AuditAttempt()
        let cause = judgement.cause?.headline
        switch judgement.actual ?? judgement.verdict {
        case .passed, .quarantined: (outcome, reason) = (told.outcome ?? .holds, told.reason)
        case .skipped:
            (outcome, reason) = (told.outcome ?? .outOfReach, told.reason ?? judgement.reason)
            instead = told.instead ?? (told.outcome == nil ? "check it on a rig that has it" : nil)
        case .failed, .flaky: (outcome, reason) = AuditReport.Check.failed(told, cause)
        case .error: (outcome, reason) = (.undecided, cause ?? judgement.reason)
        }
    }

    /// What a case that failed shows: a breach, an accessory that serves its owner no longer, or nothing.
    private static func failed(_ told: AuditAttempt, _ cause: String?) -> (AuditOutcome, String?) {
        switch told.outcome {
        case .breached: (.breached, told.reason ?? cause)
        case nil where told.hasBegun: (.undecided, cause.map { "the attack came to no end: \($0)" })
        case nil: (.undecided, cause.map { "the accessory could not be set up: \($0)" })
        default: (.breached, "after the attack it serves its owner no longer: \(cause ?? "the journey fails")")
        }
    }
}

extension RunInfo.Entry {
    /// The control that the case checks, and the accessory: `pairing.legacy` and `lampIsSetUp[build=weak]` of
    /// `lampIsSetUp~pairing.legacy[build=weak]`; nil if it is no check of an audit.
    package var check: (control: String, target: String)? {
        guard let control else { return nil }
        let target = identifier.replacing("~\(control)", with: "", maxReplacements: 1)
        return (control, target)
    }
}
