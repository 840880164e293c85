import HILRecord
import HILTiming

// What a budget is spent on.
extension Explorer {
    /// The part of a budget that is kept for the edges of findings: a quarter.
    private static let edgeShare = 4
    /// How many trials each rig may have to make while the longest one lasts.
    private static let longestWait = 5

    /// Makes the trials in their order, as far as the budget goes. Its last quarter goes to the edges of what was found,
    /// until they are known.
    ///
    /// - Returns: How many trials are left.
    func spend(on orders: [TrialOrder], _ trials: Trials, _ info: ExplorationInfo) async -> Int {
        if let end = trials.end { return await spend(until: end, on: orders, trials, info) }
        guard let count = options.trials, count < orders.count else {
            await make(longestFirst(orders), trials)
            return trials.takeWaiting().count
        }
        // Part by part: which trials are made must not depend on how fast the machine is.
        var (left, budget) = (orders, count)
        while budget > 0, !left.isEmpty, interruption.cause == nil {
            let part = left.prefix(budget - budget / Explorer.edgeShare)
            left.removeFirst(part.count)
            budget -= part.count
            await make(longestFirst(Array(part)), trials)
            // What proved nothing may be an edge, or a finding.
            await makeUnprovenAgain(trials)
            budget -= await makeEdges(of: &left, atMost: budget, trials, info)
        }
        return trials.takeWaiting().count + left.count
    }

    private func spend(
        until end: ContinuousClock.Instant, on orders: [TrialOrder], _ trials: Trials, _ info: ExplorationInfo
    ) async -> Int {
        let rest = ContinuousClock.now.duration(to: end)
        trials.preferEdges(of: info, from: end - rest / Explorer.edgeShare)
        await make(orders, trials)
        let left = trials.takeWaiting()
        guard ContinuousClock.now < end, interruption.cause == nil else { return left.count }
        // What proved nothing may be an edge, or a finding.
        await makeUnprovenAgain(trials)
        await make(left, trials)
        return trials.takeWaiting().count
    }

    /// The same trials, of the last ones the longest first: no rig is idle while the last trial waits for a person.
    private func longestFirst(_ orders: [TrialOrder]) -> [TrialOrder] {
        func seconds(_ order: TrialOrder) -> Double {
            order.cell.flatMap { FaultKind(rawValue: $0.fault)?.seconds } ?? 0
        }
        let last = orders.suffix(options.jobs * Explorer.longestWait)
        // By place, too: a sort of Swift's may change the order of equals.
        let sorted = last.enumerated().sorted {
            (seconds($1.element), $0.offset) < (seconds($0.element), $1.offset)
        }
        return orders.dropLast(last.count) + sorted.map(\.element)
    }

    /// Makes the trials at the edges of what was found, one for each edge at a time.
    ///
    /// - Parameter left: The trials that may be made. Those that are made are taken out.
    /// - Returns: How many were made.
    private func makeEdges(
        of left: inout [TrialOrder], atMost most: Int, _ trials: Trials, _ info: ExplorationInfo
    ) async -> Int {
        var made = 0
        while made < most, interruption.cause == nil {
            let wanted = Set(ExplorationFinding.all(in: trials.results, of: info).flatMap { $0.range?.edges ?? [] })
            // In the order of the plan, whichever trial ended first.
            let edges = left.filter { $0.cell.map(wanted.contains) == true }.prefix(most - made)
            guard !edges.isEmpty else { break }
            await make(Array(edges), trials)
            let waiting = Set(trials.takeWaiting())
            let done = Set(edges).subtracting(waiting)
            left.removeAll(where: done.contains)
            made += done.count
            if !waiting.isEmpty { break }
        }
        return made
    }
}
