import Synchronization

/// The deadline of a step. All waits inside the step share it and name what they wait for.
///
/// No wait outlives its deadline, not even a wait in a task that the step started and forgot.
package final class SharedDeadline: Sendable {
    private struct State {
        var lastToken = 0
        var waits: [(token: Int, what: @Sendable () -> String)] = []
    }

    /// The limit of a wait that has neither its own limit nor a deadline: 10 s.
    package static let usual = Duration.seconds(10)

    /// The innermost deadline of the current task; nil if there is none.
    @TaskLocal package static var current: SharedDeadline?

    /// Replaces the clock of every wait in the current task by one that stands still while a person is asked. Nil
    /// replaces nothing.
    @TaskLocal package static var pausingClock: (any Clock<Duration>)?

    /// Receives a description of each wait in the current task, and returns a function to call when the wait ends.
    @TaskLocal package static var onWait: (@Sendable (@escaping @Sendable () -> String) -> @Sendable () -> Void)?

    private let limit: Duration
    private let parent: SharedDeadline?
    private let state = Mutex(State())
    private let end = EventLog<Void>()

    /// Makes a deadline inside the current one. The caller must measure the time, and call ``pass()`` at the end.
    ///
    /// - Parameter limit: The whole time, which errors show.
    package init(after limit: Duration) {
        self.limit = limit
        parent = SharedDeadline.current
    }

    /// What the waits that are under way wait for, as noun phrases; the oldest wait is first.
    package var awaited: [String] { state.withLock { $0.waits }.map { $0.what() } }

    /// Ends every wait that has this deadline, and every later one at once.
    package func pass() { end.append(()) }

    /// Runs `body` until it returns, or until its limit or the current deadline is over.
    ///
    /// - Parameters:
    ///   - what: What is awaited, as a noun phrase: `the die to be bonded`. It is evaluated only for an error.
    ///   - limit: How long to wait at most; nil for the rest of the deadline's time, or ``usual`` without a deadline.
    ///   - clock: Measures the limit.
    ///   - body: Is cancelled when the time is over. It must react to that, because this call waits for it to return.
    /// - Throws: ``TimedOut``, or the error of `body`.
    package static func wait<Value: Sendable>(
        for what: @escaping @autoclosure @Sendable () -> String, within limit: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock(), _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let done = onWait?(what)
        defer { done?() }
        let clock = pausingClock ?? clock
        guard let outer = current else { return try await limited(limit ?? usual, what, clock, body) }
        let undo = outer.note(what)
        defer { undo() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                guard let limit else { return try await body() }
                return try await limited(limit, what, clock, body)
            }
            group.addTask {
                _ = try await outer.end.first(from: 0) { true }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else {
                throw TimedOut(waitingFor: what(), limit: outer.limit)
            }
            return value
        }
    }

    /// Runs `body` with a limit, which also holds for the waits inside it.
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

    /// Notes a wait in this deadline and in the outer ones.
    ///
    /// - Returns: Call it when the wait has ended.
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
