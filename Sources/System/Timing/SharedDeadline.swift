import Synchronization

/// The end of the time that a step has. Every wait inside of the step knows it, and says what it waits for.
///
/// No wait outlives its deadline, not even one in a task that was started in passing.
public final class SharedDeadline: Sendable {
    private struct State {
        var lastToken = 0
        var waits: [(token: Int, what: @Sendable () -> String)] = []
    }

    /// How long a wait may take that has neither a limit of its own nor a deadline.
    public static let usual = Duration.seconds(10)

    /// The innermost deadline that holds here; nil where none does.
    @TaskLocal public static var current: SharedDeadline?

    private let limit: Duration
    private let parent: SharedDeadline?
    private let state = Mutex(State())
    private let end = EventLog<Void>()

    /// A deadline inside of the one that holds here.
    ///
    /// - Parameter limit: The time there is in all, for errors. Whoever makes a deadline measures the time, and calls ``pass()``.
    public init(after limit: Duration) {
        self.limit = limit
        parent = SharedDeadline.current
    }

    /// What is awaited now, the longest wait first.
    public var awaited: [String] { state.withLock { $0.waits }.map { $0.what() } }

    /// Ends every wait that has this deadline, now and later.
    public func pass() { end.append(()) }

    /// Waits for `body`, and has the deadline that holds here know what is awaited.
    ///
    /// - Parameters:
    ///   - what: What is awaited, as a noun phrase: `the die to be bonded`. It is asked for when an error is to tell it.
    ///   - limit: How long to wait at most; nil for the rest of the deadline's time, or ``usual`` where there is none.
    ///   - clock: Measures the limit.
    ///   - body: Is cancelled when the time is over, and has to heed that.
    /// - Throws: ``TimedOut``, or what `body` throws.
    public static func wait<Value: Sendable>(
        for what: @escaping @autoclosure @Sendable () -> String, within limit: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock(), _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let outer = current else { return try await limited(limit ?? usual, what, clock, body) }
        let undo = outer.note(what)
        defer { undo() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                guard let limit else { return try await body() }
                return try await limited(limit, what, clock, body)
            }
            group.addTask {
                _ = try await outer.end.next(from: 0) { true }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else {
                throw TimedOut(waitingFor: what(), limit: outer.limit)
            }
            return value
        }
    }

    /// Waits with a limit of its own, which holds for the waits inside of `body` as well.
    private static func limited<Value: Sendable>(
        _ limit: Duration, _ what: @escaping @Sendable () -> String, _ clock: any Clock<Duration>,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let deadline = SharedDeadline(after: limit)
        defer { deadline.pass() }
        return try await $current.withValue(deadline) {
            try await withDeadline(limit, waitingFor: what, clock: clock, body)
        }
    }

    /// Notes a wait here and in the deadlines around.
    private func note(_ what: @escaping @Sendable () -> String) -> @Sendable () -> Void {
        let token = state.withLock { state in
            state.lastToken += 1
            state.waits.append((state.lastToken, what))
            return state.lastToken
        }
        let outer = parent?.note(what)
        return { [self] in
            state.withLock { $0.waits.removeAll { $0.token == token } }
            outer?()
        }
    }
}
