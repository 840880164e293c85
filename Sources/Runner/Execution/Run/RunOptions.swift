import HIL

/// How a run goes about its scenarios.
public struct RunOptions: Sendable, Hashable, Codable {
    /// How often a scenario that did not pass runs again.
    public var retries = 0
    /// A scenario that passed only on a retry decides the exit code: 3.
    public var isStrict = false

    public init() {}
}
