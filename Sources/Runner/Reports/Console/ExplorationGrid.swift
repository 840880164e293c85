import HILRecord

/// An exploration as a grid of characters: a line for each fault, a column for each moment of the journey.
package struct ExplorationGrid {
    private let exploration: ExplorationRecord

    package init(_ exploration: ExplorationRecord) { self.exploration = exploration }

    /// How many trials had which outcome: `290 unharmed, 18 told and recovered, 3 silent`.
    package var counts: String {
        exploration.counts.map { "\($0.count) \($0.outcome.words)" }.joined(separator: ", ")
    }

    /// The same after their number: `311 trials: 290 unharmed, 18 told and recovered, 3 silent`.
    package var summary: String {
        exploration.results.isEmpty ? "no trial" : "\(some(exploration.results.count, "trial")): \(counts)"
    }

    /// The first line of an exploration.
    package var head: String {
        let info = exploration.info
        return """
            \(some(info.moments.count, "moment")) × \(some(info.faults.count, "fault")): \(some(info.planned, "trial")) \
            \(info.planned == 1 ? "makes" : "make") sense
            """
    }

    private func some(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// What the characters mean, of those that occur.
    package var legend: String {
        exploration.counts.map { "\($0.outcome.mark) \($0.outcome.words)" }.joined(separator: "   ")
    }

    /// - Parameter width: The most columns. Moments that do not fit are left out at the end.
    package func lines(width: Int) -> [String] {
        var marks: [String: [Moment: Character]] = [:]
        for result in exploration.results where result.second == nil {
            marks[result.cell.fault, default: [:]][result.cell.moment] = result.outcome.mark
        }
        let left = Set(exploration.info.leftOut.flatMap(\.cells))
        let column = (exploration.info.faults.map(\.count).max() ?? 0) + 2
        let moments = exploration.info.moments.map(\.moment).prefix(max(0, width - column))
        return exploration.info.faults.compactMap { fault in
            let cells = moments.map { moment -> Character in
                if let mark = marks[fault]?[moment] { return mark }
                return left.contains(TrialOrder.Cell(fault, at: moment)) ? " " : "_"
            }
            guard cells.contains(where: { $0 != " " }) else { return nil }
            return fault + String(repeating: " ", count: column - fault.count) + String(cells)
        }
    }
}
