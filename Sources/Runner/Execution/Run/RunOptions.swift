import HIL

/// How a run goes about its scenarios.
public struct RunOptions: Sendable, Hashable, Codable {
    /// How often a scenario that did not pass runs again.
    public var retries = 0
    /// A scenario that passed only on a retry decides the exit code: 3.
    public var isStrict = false
    /// The scenarios of each round run in an order that this decides, the same each time.
    public var seed: UInt64?
    /// How often everything runs; nil is once or, with ``untilFail``, without end.
    public var rounds: Int?
    /// It ends when a scenario has failed, or met an error of the rig.
    public var untilFail = false
    /// How many rigs run side by side.
    public var jobs = 1
    /// How many failures keep both boards as they were at that moment.
    public var keptBoards = 5

    public init() {}

    /// For people, after the number of scenarios: `, 2 side by side, shuffled by seed 4711`; empty where nothing is unusual.
    public var text: String {
        var parts: [String] = []
        if jobs > 1 { parts.append("\(jobs) side by side") }
        if let seed { parts.append("shuffled by seed \(seed)") }
        if untilFail { parts.append("again and again until one does not pass") }
        if let rounds, rounds > 1 { parts.append("\(untilFail ? "at most " : "")\(rounds) rounds") }
        return parts.map { ", " + $0 }.joined()
    }
}
