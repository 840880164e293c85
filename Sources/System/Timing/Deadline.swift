/// A wait that reached its time limit.
public struct TimedOut: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was waited for, as a noun phrase: `the adapter to be powered`.
    package let what: String
    /// The limit that was reached.
    package let limit: Duration

    package init(waitingFor what: String, limit: Duration) {
        self.what = what
        self.limit = limit
    }

    public var description: String { "waited \(limit.short) for \(what)" }
}

extension Duration {
    /// This duration as a number of seconds.
    package var seconds: Double { self / .seconds(1) }

    /// A short text for people: `250 ms`, `1.5 s`.
    package var short: String {
        let rounded = (seconds * 1000).rounded()
        // More than 280 million years.
        guard rounded.magnitude < 9e18 else { return rounded < 0 ? "-∞" : "∞" }
        let milliseconds = Int(rounded)
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

/// Runs `body` and returns its value; throws if it takes longer than `limit`.
///
/// At the limit, `body` is cancelled. It must react to that: this call returns only after `body` has returned.
///
/// - Parameters:
///   - what: What is waited for, for the error: `the adapter to be powered`.
///   - clock: Measures the limit.
/// - Throws: ``TimedOut``, or an error of `body`.
package func withDeadline<Value: Sendable>(
    _ limit: Duration, waitingFor what: String, clock: any Clock<Duration> = ContinuousClock(),
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withDeadline(limit, waitingFor: { what }, clock: clock, body)
}

/// The same, with a description that is made only for an error.
func withDeadline<Value: Sendable>(
    _ limit: Duration, waitingFor what: @Sendable () -> String, clock: any Clock<Duration>,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else {
            throw TimedOut(waitingFor: what(), limit: limit)
        }
        return value
    }
}
