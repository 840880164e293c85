import Synchronization

/// Everything that happened so far, in order, and a way to wait for what is still to happen.
///
/// Several tasks may wait at once; each sees every event. Nothing is lost between two waits.
public final class EventLog<Event: Sendable>: Sendable {
    private struct Waiter {
        let token: Int
        /// The place of the first event that counts.
        let start: Int
        let matches: @Sendable (Event) -> Bool
        let continuation: CheckedContinuation<Int, any Error>
    }

    private struct State {
        var events: [Event] = []
        var waiters: [Waiter] = []
        var lastToken = 0
        var cancelled: Set<Int> = []
        var end: (any Error)?
    }

    private let state = Mutex(State())

    public init() {}

    /// The events so far.
    public var events: [Event] { state.withLock { $0.events } }

    /// How many there are: the place from which a later ``first(from:within:waitingFor:clock:where:)`` starts.
    public var count: Int { state.withLock { $0.events.count } }

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Adds an event and wakes who waits for it.
    public func append(_ event: Event) {
        let (index, woken) = state.withLock { state in
            let index = state.events.count
            state.events.append(event)
            let woken = state.waiters.filter { $0.start <= index && $0.matches(event) }
            state.waiters.removeAll { waiter in woken.contains { $0.token == waiter.token } }
            return (index, woken)
        }
        for waiter in woken { waiter.continuation.resume(returning: index) }
    }

    /// Ends the log: who waits, now or later, for something that is not there gets `error`.
    public func finish(throwing error: any Error) {
        let woken = state.withLock { state in
            if state.end == nil { state.end = error }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.continuation.resume(throwing: error) }
    }

    /// The first event from place `start` on that `matches`, waiting for it at most `limit`. The place may be one that no
    /// event has yet.
    ///
    /// - Returns: The event, and the place after it.
    /// - Throws: ``TimedOut``, or the error that the log was finished with.
    public func first(
        from start: Int = 0, within limit: Duration, waitingFor what: String,
        clock: any Clock<Duration> = ContinuousClock(),
        where matches: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> (event: Event, next: Int) {
        try await withDeadline(limit, waitingFor: what, clock: clock) {
            let index = try await self.index(from: start, where: matches)
            return (self.state.withLock { $0.events[index] }, index + 1)
        }
    }

    private func index(from start: Int, where matches: @escaping @Sendable (Event) -> Bool) async throws -> Int {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Int, any Error>? = state.withLock { state in
                    if state.cancelled.remove(token) != nil { return .failure(CancellationError()) }
                    let rest = state.events.indices.dropFirst(start)
                    if let index = rest.first(where: { matches(state.events[$0]) }) { return .success(index) }
                    if let end = state.end { return .failure(end) }
                    state.waiters.append(
                        Waiter(token: token, start: start, matches: matches, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.first { $0.token == token }
                state.waiters.removeAll { $0.token == token }
                if waiter == nil { state.cancelled.insert(token) }
                return waiter
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
