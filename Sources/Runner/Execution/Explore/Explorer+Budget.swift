import HILRecord
import HILTiming

// What a budget is spent on.
extension Explorer {
    /// The part of a budget that is kept for the edges of findings: a quarter.
    private static let edgeShare = 4
    /// What is left of a time is not divided any further below this.
    private static let shortest = Duration.seconds(10)

    /// Makes the trials in their order, as far as the budget goes. Each time three quarters of it are spent, a part of the
    /// rest goes to the edges of what was found, until they are known.
    ///
    /// - Returns: How many trials are left.
    func spend(on orders: [TrialOrder], _ trials: Trials, _ info: ExplorationInfo) async -> Int {
        if let end = trials.end { return await spend(until: end, on: orders, trials, info) }
        guard let count = options.trials, count < orders.count else {
            await make(orders, trials)
            return trials.takeWaiting().count
        }
        var (left, budget) = (orders, count)
        while budget > 0, !left.isEmpty, interruption.cause == nil {
            let part = left.prefix(budget - budget / Explorer.edgeShare)
            left.removeFirst(part.count)
            budget -= part.count
            await make(Array(part), trials)
            // What proved nothing may be an edge, or a finding.
            await makeUnprovenAgain(trials)
            budget -= await makeEdges(of: &left, atMost: budget, trials, info)
        }
        return trials.takeWaiting().count + left.count
    }

    private func spend(
        until end: ContinuousClock.Instant, on orders: [TrialOrder], _ trials: Trials, _ info: ExplorationInfo
    ) async -> Int {
        var left = orders
        while !left.isEmpty, interruption.cause == nil, ContinuousClock.now < end {
            let rest = ContinuousClock.now.duration(to: end)
            let isLast = rest < Explorer.shortest
            trials.pause(at: isLast ? nil : end - rest / Explorer.edgeShare)
            await make(left, trials)
            left = trials.takeWaiting()
            trials.pause(at: nil)
            if !isLast { await makeUnprovenAgain(trials) }
            _ = await makeEdges(of: &left, atMost: left.count, trials, info)
        }
        return trials.takeWaiting().count + left.count
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
