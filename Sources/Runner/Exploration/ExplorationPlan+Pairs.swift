import HILRecord

// Pairs of faults.
extension ExplorationPlan {
    /// Pairs of faults that did no harm alone, the second at a later moment than the first: for each pair of faults one, with
    /// the moments that lie closest.
    package func pairs(of results: [TrialResult]) -> [TrialOrder] {
        let harmless = results.filter { $0.second == nil && $0.outcome.isHarmless }.map(\.cell)
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        func place(_ cell: Cell) -> Int { places[cell.moment] ?? 0 }
        let sorted = harmless.sorted { (place($0), $0.fault) < (place($1), $1.fault) }
        var seen: Set<[String]> = []
        var pairs: [TrialOrder] = []
        for first in sorted {
            for second in sorted where place(second) > place(first) && second.fault != first.fault {
                if seen.insert([first.fault, second.fault]).inserted {
                    pairs.append(TrialOrder(first, second: second))
                }
            }
        }
        return pairs
    }
}
