import HILRecord

/// What an exploration tries, and for how long.
package struct ExplorationOptions: Sendable, Equatable {
    /// Only these faults, by name; none is all.
    package var faults: [String] = []
    /// Only at these moments, as a person writes them; none is all.
    package var moments: [String] = []
    /// How long the trials may take, in seconds; nil is no limit.
    package var budget: Double?
    /// How many trials of one fault are made, however long they take; nil is no limit.
    package var trials: Int?
    /// Whether pairs of harmless faults are tried, too.
    package var pairs = false
    /// The kinds of findings that fail; nil is all.
    package var failOn: Set<TrialOutcome>?
    /// How many trials run side by side.
    package var jobs = 1
    /// How many more run while the machine has processors and memory to spare.
    package var spareJobs = 0
    /// Determines the order of the trials.
    package var seed: UInt64 = 1
    /// Whether results of earlier explorations of the same content count.
    package var resumes = false
    /// Whether to stop when the moments are known.
    package var onlyMoments = false

    package init() {}

    /// The part of the budget that each of some scenarios has.
    func shared(among scenarios: Int) -> Self {
        var share = self
        share.budget = budget.map { $0 / Double(scenarios) }
        share.trials = trials.map { max(1, $0 / scenarios) }
        return share
    }

    func fails(on outcome: TrialOutcome) -> Bool { failOn?.contains(outcome) ?? outcome.isFinding }
}
