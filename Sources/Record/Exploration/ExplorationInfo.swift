/// What an exploration is about to try: the journey's moments, the faults, and what is left out.
package struct ExplorationInfo: Sendable, Hashable, Codable {
    /// Cells that are not tried, for one reason.
    package struct LeftOut: Sendable, Hashable, Codable {
        package var reason: String
        package var cells: [TrialOrder.Cell]

        package init(reason: String, cells: [TrialOrder.Cell]) { (self.reason, self.cells) = (reason, cells) }
    }

    /// In the order of the journey.
    package var moments: [JourneyMoment]
    /// The moments that some runs without a fault had and others had not. They are not tried.
    package var unstable: [Moment]
    /// The names of the faults, in the order of their table.
    package var faults: [String]
    /// How many trials are planned.
    package var planned: Int
    package var leftOut: [LeftOut]
    /// Determines the order of the trials.
    package var seed: UInt64
    /// The longest time of the journey without a fault, in seconds.
    package var seconds: Double

    package init(
        moments: [JourneyMoment], unstable: [Moment] = [], faults: [String], planned: Int, leftOut: [LeftOut],
        seed: UInt64, seconds: Double
    ) {
        self.unstable = unstable
        (self.moments, self.faults, self.planned) = (moments, faults, planned)
        (self.leftOut, self.seed, self.seconds) = (leftOut, seed, seconds)
    }
}

/// An exploration of one scenario, as far as it has come.
package struct ExplorationRecord: Sendable, Hashable, Codable {
    package var info: ExplorationInfo
    /// In the order in which the trials ended.
    package var results: [TrialResult] = []

    package init(_ info: ExplorationInfo) { self.info = info }

    /// How many trials had each outcome, in the order of the outcomes.
    package var counts: [(outcome: TrialOutcome, count: Int)] {
        TrialOutcome.allCases.compactMap { outcome in
            let count = results.count { $0.outcome == outcome }
            return count == 0 ? nil : (outcome, count)
        }
    }

    /// The outcome of the latest trial of a cell.
    package func outcome(of fault: String, at moment: Moment) -> TrialOutcome? {
        results.last { $0.second == nil && $0.cell.fault == fault && $0.cell.moment == moment }?.outcome
    }
}

extension [TrialResult] {
    /// Adds a result, in place of one of the same trial that proved nothing.
    package mutating func add(_ result: TrialResult) {
        removeAll { $0.cell == result.cell && $0.second == result.second && $0.outcome.isUnproven }
        append(result)
    }
}
