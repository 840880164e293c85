/// Trials that show the same fault of the product.
package struct ExplorationFinding: Sendable, Hashable {
    /// The trial that stands for the others: the shortest.
    package var shortest: TrialResult
    /// All of them, the shortest first.
    package var trials: [TrialResult]
    /// How often the shortest came again when it was tried, and how often it was tried; nil before that.
    package var confirmed: Confirmation?

    /// How often a trial was made, and how often it had the same outcome.
    package struct Confirmation: Sendable, Hashable {
        package let times: Int
        package let of: Int

        package init(_ times: Int, of count: Int) { (self.times, of) = (times, count) }
    }

    /// - Parameter trials: All of them, the shortest first.
    package init(shortest: TrialResult, trials: [TrialResult]) { (self.shortest, self.trials) = (shortest, trials) }

    package var outcome: TrialOutcome { shortest.outcome }

    /// A name that stays from run to run, for history and JUnit: `silent/linkLost/set up`.
    package var key: String {
        let place = [shortest.step, shortest.screen].compactMap { $0 }.joined(separator: "/")
        let family = FaultKind(rawValue: shortest.cell.fault)?.family.rawValue ?? shortest.cell.fault
        return [outcome.rawValue, family, place.isEmpty ? "-" : place].joined(separator: "/")
    }

    /// ``key`` as a part of a file's name.
    package var slug: String {
        String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(80))
    }

    /// One sentence: when what goes wrong, what happens.
    package var sentence: String {
        let clause = FaultKind(rawValue: shortest.cell.fault)?.clause ?? "“\(shortest.cell.fault)” happens"
        let more = shortest.second.map { second in
            ", and \(FaultKind(rawValue: second.fault)?.clause ?? "“\(second.fault)” happens") at \(second.moment)"
        }
        let count = trials.count == 1 ? "" : " (\(trials.count) trials)"
        return "When \(clause) at \(shortest.cell.moment)\(more ?? ""), \(shortest.detail ?? outcome.words)\(count)."
    }

    /// How sure it is: `3 of 3`; nil before it was tried again.
    package var certainty: String? { confirmed.map { "\($0.times) of \($0.of)" } }

    /// The findings among trials: those of the same outcome, family of faults, awaited thing and screen are one.
    package static func all(in results: [TrialResult]) -> [ExplorationFinding] {
        struct Key: Hashable {
            let outcome: TrialOutcome
            let family: String
            let awaited: String?
            let step: String?
            let screen: String?
            let isPair: Bool
        }
        var groups: [Key: [TrialResult]] = [:]
        var order: [Key] = []
        for result in results where result.outcome.isFinding {
            let key = Key(
                outcome: result.outcome,
                family: FaultKind(rawValue: result.cell.fault)?.family.rawValue ?? result.cell.fault,
                awaited: result.awaited.map(Failure.alike), step: result.step, screen: result.screen,
                isPair: result.second != nil)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(result)
        }
        return order.compactMap { key in
            let trials = (groups[key] ?? []).sorted { ($0.seconds, "\($0.cell)") < ($1.seconds, "\($1.cell)") }
            return trials.first.map { ExplorationFinding(shortest: $0, trials: trials) }
        }
    }
}
