import HIL
import Timing

/// How a run goes about its scenarios.
package struct RunOptions: Sendable, Hashable, Codable {
    /// How often a scenario that did not pass runs again.
    package var retries = 0
    /// A scenario that passed only on a retry decides the exit code: 3.
    package var isStrict = false
    /// The scenarios of each round run in an order that this decides, the same each time.
    package var seed: UInt64?
    /// How often everything runs; nil is once or, with ``untilFail``, without end.
    package var rounds: Int?
    /// It ends when a scenario has failed, or met an error of the rig.
    package var untilFail = false
    /// How many rigs run side by side.
    package var jobs = 1
    /// How many failures keep both boards as they were at that moment.
    package var keptBoards = 5

    /// How long the run may take, seconds; nil is without end.
    package var budget: Double?

    package init() {}

    /// How long these scenarios may take at the most: each its budget and ``slack`` for its boards and its evidence, at every
    /// attempt. Without an end where they run again and again.
    package func longest(_ scenarios: [PlannedScenario]) -> Double? {
        if untilFail, rounds == nil { return nil }
        let each = scenarios.map { ($0.scenario.traits.budget.seconds + RunOptions.slack) * Double(retries + 1) }
        // Whatever their order, the last begins when the others, shared out among the rigs, are done.
        return each.reduce(0, +) * Double(rounds ?? 1) / Double(jobs) + (each.max() ?? 0)
    }

    /// Seconds, for what is not a scenario's body: as long as a board may take to get ready, and half as much again.
    static let slack = 90.0

    /// For people, after the number of scenarios: `, 2 side by side, shuffled by seed 4711`; empty where nothing is unusual.
    package var text: String {
        var parts: [String] = []
        if jobs > 1 { parts.append("\(jobs) side by side") }
        if let seed { parts.append("shuffled by seed \(seed)") }
        if untilFail { parts.append("again and again until one does not pass") }
        if let rounds, rounds > 1 { parts.append("\(untilFail ? "at most " : "")\(rounds) rounds") }
        return parts.map { ", " + $0 }.joined()
    }
}
