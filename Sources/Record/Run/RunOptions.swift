/// The options of a run.
package struct RunOptions: Sendable, Hashable, Codable {
    /// How often a scenario that did not pass is retried.
    package var retries = 0
    /// Whether a scenario that passed only on a retry makes the exit code 3.
    package var isStrict = false
    /// The seed that decides the order of the scenarios in each round; nil keeps the order of the list.
    package var seed: UInt64?
    /// How often everything runs; nil is once, or without end with ``untilFail``.
    package var rounds: Int?
    /// Whether to repeat everything until a scenario fails or meets an error of the rig.
    package var untilFail = false
    /// How many rigs run side by side.
    package var jobs = 1
    /// For how many failures both boards are saved.
    package var keptBoards = 5

    /// The label of the accessory's firmware; nil if none was given.
    package var firmware: String?

    /// How long the run may take, in seconds; nil is no limit.
    package var budget: Double?
    /// After how many seconds no further scenario begins; nil is no limit.
    package var lastStart: Double?

    package init() {}

    /// A text for people, after the number of scenarios: `, 2 side by side, shuffled by seed 4711`; empty for the
    /// defaults.
    package var text: String {
        var parts: [String] = []
        if jobs > 1 { parts.append("\(jobs) side by side") }
        if let seed { parts.append("shuffled by seed \(seed)") }
        if untilFail { parts.append("repeated until one does not pass") }
        if let rounds, rounds > 1 { parts.append("\(untilFail ? "at most " : "")\(rounds) rounds") }
        return parts.map { ", " + $0 }.joined()
    }
}
