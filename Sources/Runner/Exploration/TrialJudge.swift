import HILRecord

/// Judges trials by what a journey without a fault is like. Pure.
package struct TrialJudge: Sendable {
    package let journey: Journey

    package init(_ journey: Journey) { self.journey = journey }

    /// What came of a trial.
    ///
    /// - Parameters:
    ///   - note: What its worker saw; nil if it ended before it could tell.
    ///   - judgement: The verdict on its worker and its rig.
    ///   - seconds: How long it took.
    package func result(
        of order: TrialOrder, _ note: TrialNote?, _ judgement: Judgement, seconds: Double
    ) -> TrialResult? {
        guard let cell = order.cell else { return nil }
        let (outcome, detail) = outcome(of: order, note, judgement)
        let told = note.flatMap { attempt(of: outcome, $0) }
        return TrialResult(
            cell, second: order.second, outcome, detail: detail, awaited: told?.awaited, step: told?.step,
            screen: told?.screen, told: told?.told.last ?? told?.toldOwnEnd, seconds: seconds)
    }

    /// The attempt that an outcome is about: of a journey that is stuck, the next one that does not pass.
    private func attempt(of outcome: TrialOutcome, _ note: TrialNote) -> TrialNote.Attempt? {
        guard outcome == .stuck else { return note.attempts.first }
        return note.attempts.dropFirst().first { $0.ending != .passed } ?? note.attempts.first
    }

    /// A finding as a failure: whose fault it is, how sure it is, and how long was waited in vain for it.
    ///
    /// - Parameters:
    ///   - text: What is told of it.
    ///   - note: What its worker saw.
    package func failure(of result: TrialResult, _ note: TrialNote?, _ text: String) -> Failure {
        var failure = Failure(
            result.outcome == .error ? .rig : .product, text, basis: result.outcome == .crashed ? .certain : .seen)
        failure.waited = waitInVain(of: result, note)?.seconds
        return failure
    }

    /// The attempt whose wait in vain a finding is about; nil if it is about something else.
    package func waitInVain(of result: TrialResult, _ note: TrialNote?) -> TrialNote.Attempt? {
        let attempt: TrialNote.Attempt? =
            switch result.outcome {
            case .silent: note?.attempts.first
            case .stuck: note?.attempts.last
            case .unharmed, .toldAndRecovered, .recoveredAlone, .crashed, .split, .leaked, .brokenPromise, .notReached,
                .error:
                nil
            }
        return attempt?.ending == .waited ? attempt : nil
    }

    private func outcome(
        of order: TrialOrder, _ note: TrialNote?, _ judgement: Judgement
    ) -> (TrialOutcome, String?) {
        // A lost rig explains everything else. Failures of the product reach the verdict only if the worker, or a daemon of
        // the accessory, crashed.
        if let cause = judgement.cause {
            // On a phone, the code of an ended app does not run on.
            let endsApp = [order.cell, order.second].contains { $0?.fault == FaultKind.appEnded.rawValue }
            if endsApp, cause.message.contains("with no app running") { return (.error, cause.message) }
            return cause.kind == .rig ? (.error, cause.message) : (.crashed, cause.headline)
        }
        guard let note, let first = note.attempts.first, let last = note.attempts.last else {
            return (.error, judgement.reason ?? "the trial told nothing")
        }
        guard note.isReached else { return (.notReached, first.failure) }
        guard note.proof != nil else { return (.error, "nothing proves that the fault happened") }
        if let crash = note.crashes.first { return (.crashed, crash) }
        if let leak = note.leaks.first { return (.leaked, leak) }
        if isSilent(first, after: order) { return (.silent, silence(first)) }
        if last.ending != .passed { return stuck(note, last) }
        if let difference = disagreement(note) { return (.split, difference) }
        if let promise = note.broken.first { return (.brokenPromise, promise) }
        if let left = leftover(note.leftovers) { return (.leaked, left) }
        guard first.ending == .passed else {
            return note.attempts.count > 2 ? stuck(note, note.attempts[1]) : (.toldAndRecovered, first.failure)
        }
        return first.seconds > journey.seconds * 1.5 + 0.5 ? (.recoveredAlone, nil) : (.unharmed, nil)
    }

    /// Whether an attempt waited in vain, and the app was told nothing that explains it.
    private func isSilent(_ attempt: TrialNote.Attempt, after order: TrialOrder) -> Bool {
        // Where no app is told anything, nobody is to be told of an end.
        guard attempt.ending == .waited, journey.tellsApp else { return false }
        // Waiting for the app itself is waiting for ever, whatever it was told.
        guard attempt.awaited != nil else { return true }
        // The system tells the app of the person's choice, and no event of theirs follows.
        let isChoice = [order.cell, order.second].contains { $0?.fault == FaultKind.personCancels.rawValue }
        return attempt.told.isEmpty && !isChoice
    }

    private func silence(_ attempt: TrialNote.Attempt) -> String {
        let place = attempt.step.map { " in “\($0)”" } ?? ""
        let last = attempt.told.last ?? attempt.toldOwnEnd
        let told = last.map { ", although it was told \($0)" } ?? ", and was told nothing"
        guard let awaited = attempt.awaited else { return "the app waits for ever\(place)\(told)" }
        let only = attempt.toldOwnEnd.map { ", and the app was told only \($0), for which it had asked" }
        return "\(awaited) never comes\(place)\(only ?? told)"
    }

    /// A next attempt did not pass. That says something only if the journey can be made twice without a fault.
    private func stuck(_ note: TrialNote, _ attempt: TrialNote.Attempt) -> (TrialOutcome, String?) {
        if journey.unrepeatable != nil { return (.toldAndRecovered, note.attempts.first?.failure) }
        let why = attempt.failure ?? "it does not end"
        guard note.attempts.count > 2 else { return (.stuck, "the next attempt fails: \(why)") }
        let isMended = note.attempts.last?.ending == .passed
        return (
            .stuck,
            "the next attempt fails\(isMended ? " until the accessory is restarted" : ", also after the accessory was restarted"): \(why)"
        )
    }

    // MARK: State

    /// In what phone, app and accessory disagree, and did not without a fault; nil if they agree.
    private func disagreement(_ note: TrialNote) -> String? {
        let state = note.state
        // What a person did next instead of the journey may have left another state than the journey does, but none in which
        // two disagree.
        let isJourneysEnd = !note.hasOwnRecovery || note.attempts.count == 1
        let most = journey.state[.accessories]?.upperBound
        if let usual = most.map({ isJourneysEnd ? $0 : max($0, 1) }), let count = state[.accessories], count > usual {
            let words = TrialFact.accessories.words(state)
            return usual == 0 ? "\(words), and has none without a fault" : "\(words), not \(usual)"
        }
        let isBondAsUsual = (isAsUsual(.phoneBonds, state), isAsUsual(.accessoryBonds, state))
        switch isBondAsUsual {
        case (true, false): return "\(TrialFact.accessoryBonds.words(state)), and \(TrialFact.phoneBonds.words(state))"
        case (false, true): return "\(TrialFact.phoneBonds.words(state)), and \(TrialFact.accessoryBonds.words(state))"
        default: break
        }
        if isJourneysEnd, !isAsUsual(.accessories, state), isBondAsUsual.0 {
            return "\(TrialFact.accessories.words(state)), and \(TrialFact.phoneBonds.words(state))"
        }
        return nil
    }

    private func isAsUsual(_ fact: TrialFact, _ state: [TrialFact: Int]) -> Bool {
        guard let usual = journey.state[fact], let count = state[fact] else { return true }
        return usual.contains(count) || (count > 0) == (usual.lowerBound > 0) && usual.lowerBound > 0
    }

    /// What is left after the person has removed the accessory, and is not without a fault; nil if nothing is.
    private func leftover(_ state: [TrialFact: Int]) -> String? {
        let left = TrialFact.allCases.first { fact in
            guard let usual = journey.leftovers[fact], let count = state[fact] else { return false }
            return fact != .phoneNetwork && count > usual.upperBound
        }
        return left.map { "after the person has removed the accessory, \($0.words(state))" }
    }
}

extension TrialFact {
    /// What there is of it, as a clause: `the phone has no bond`.
    fileprivate func words(_ state: [TrialFact: Int]) -> String {
        let count = state[self] ?? 0
        func some(_ one: String, _ many: String) -> String {
            count == 0 ? "no \(one)" : count == 1 ? "a \(one)" : "\(count) \(many)"
        }
        return switch self {
        case .phoneBonds: "the phone has \(some("bond", "bonds"))"
        case .accessoryBonds: "the accessory has \(some("bond", "bonds"))"
        case .accessories: "the app has \(count == 1 ? "an accessory" : some("accessory", "accessories"))"
        case .networks: "the phone has \(some("configured network", "configured networks"))"
        case .phoneNetwork: count == 0 ? "the phone is on no network" : "the phone is on a network"
        case .accessoryNetworks: "the accessory has \(some("network", "networks"))"
        }
    }
}
