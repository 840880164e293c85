/// A wait that came to its end without the awaited thing.
public struct TimedOut: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was awaited, as a noun phrase: `the adapter to be powered`.
    public let what: String
    /// How long it was awaited.
    public let limit: Duration

    public init(waitingFor what: String, limit: Duration) {
        self.what = what
        self.limit = limit
    }

    public var description: String { "waited \(limit.short) for \(what)" }
}

extension Duration {
    /// Seconds, as a floating-point number.
    public var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// For people: `250 ms`, `1.5 s`.
    public var short: String {
        let milliseconds = Int((seconds * 1000).rounded())
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

/// Runs `body` and gives its value, unless `limit` passes first.
///
/// `body` is cancelled at the limit and must heed that; the call returns when it has.
///
/// - Parameters:
///   - what: What is awaited, for the error: `the adapter to be powered`.
///   - clock: The clock that measures; tests give a ``ManualClock``.
/// - Throws: ``TimedOut``, or what `body` throws.
public func withDeadline<Value: Sendable>(
    _ limit: Duration, waitingFor what: String, clock: any Clock<Duration> = ContinuousClock(),
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withDeadline(limit, waitingFor: { what }, clock: clock, body)
}

/// The same for words that are made when the time is over.
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
