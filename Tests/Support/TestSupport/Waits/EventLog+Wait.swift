import HILTiming

extension EventLog {
    /// Waits until a condition holds. It looks now, and again at each new event of this log.
    ///
    /// Use it for a state whose changes this log tells, after each change: a phone's state with the phone's own log.
    ///
    /// - Parameters:
    ///   - what: What is awaited, as a noun phrase for the error: `the link to end`.
    ///   - limit: How long to wait, by the wall clock. It is long by default, because all tests run at once, on machines
    ///     that may be busy.
    ///   - holds: Whether the condition holds now.
    /// - Throws: `TimedOut`, the error that the log was finished with, or `CancellationError` if the time limit of the
    ///   test is over.
    public func wait(
        for what: String, within limit: Duration = .seconds(300), isolation: isolated (any Actor)? = #isolation,
        until holds: () throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            // Before the look: an event that comes meanwhile is a reason to look again.
            let place = count
            if try holds() { return }
            do {
                _ = try await first(from: place, within: .now(until: deadline), waitingFor: what)
            } catch is TimedOut { throw TimedOut(waitingFor: what, limit: limit) }
        }
    }
}

extension Duration {
    /// The time from now until then.
    static func now(until then: ContinuousClock.Instant) -> Duration { ContinuousClock.now.duration(to: then) }
}
