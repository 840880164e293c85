import Synchronization

/// A list of events in order, with a way to wait for events that are still to come.
///
/// Several tasks may wait at once; each sees every event. Nothing is lost between two waits.
///
/// A log that lives long is bounded: it forgets its oldest events. Places stay the same: an event's place is the number
/// of events before it, forgotten ones included.
public final class EventLog<Event: Sendable>: Sendable {
    private struct Entry {
        let place: Int
        let event: Event
    }

    private struct Waiter {
        let token: Int
        /// The place of the first event that counts.
        let start: Int
        let matches: @Sendable (Event) -> Bool
        let continuation: CheckedContinuation<Entry, any Error>
    }

    private struct State {
        /// The kept events, in the order of their places.
        var entries: [Entry] = []
        var count = 0
        /// How many of the entries count towards the limit.
        var boundedCount = 0
        var waiters: [Waiter] = []
        var lastToken = 0
        var end: (any Error)?
        /// What counts as the start of the log.
        var start = 0

        /// The index of the first entry at this place or after it, by binary search.
        func index(of place: Int) -> Int {
            let place = place == 0 ? start : place
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].place < place { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private let limit: Int
    private let isBounded: @Sendable (Event) -> Bool
    /// Is called with each event that a wait for a pattern has found.
    let awaited: (@Sendable (Event) -> Void)?
    private let state = Mutex(State())

    /// Makes a log that keeps all events.
    public init() {
        limit = .max
        isBounded = { _ in false }
        awaited = nil
    }

    /// Makes a log that keeps all events.
    ///
    /// - Parameter awaited: Is called with each event that a wait for a pattern has found.
    package init(awaited: @escaping @Sendable (Event) -> Void) {
        limit = .max
        isBounded = { _ in false }
        self.awaited = awaited
    }

    /// Makes a log that forgets its oldest events.
    ///
    /// - Parameters:
    ///   - limit: The most events that are kept, 2 or more. The latest `limit / 2` events are always kept.
    ///   - isBounded: Whether an event counts towards the limit and may be forgotten. All other events are kept for
    ///     ever.
    package init(keepingAtMost limit: Int, of isBounded: @escaping @Sendable (Event) -> Bool = { _ in true }) {
        precondition(limit >= 2, "an event log must keep at least two events")
        self.limit = limit
        self.isBounded = isBounded
        awaited = nil
    }

    /// The kept events, oldest first.
    public var events: [Event] { state.withLock { $0.entries.map(\.event) } }

    /// The kept events from a place on, each with its place.
    func entries(from start: Int) -> [(place: Int, event: Event)] {
        state.withLock { state in state.entries[state.index(of: start)...].map { ($0.place, $0.event) } }
    }

    /// How many events there were so far. It is the place from which a later
    /// ``first(from:within:waitingFor:clock:where:)`` starts.
    public var count: Int { state.withLock { $0.count } }

    /// How many waits are under way.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Adds an event, and ends the waits for it.
    public func append(_ event: Event) {
        let counts = isBounded(event)
        let (entry, woken) = state.withLock { state in
            let entry = Entry(place: state.count, event: event)
            state.count += 1
            state.entries.append(entry)
            if counts {
                state.boundedCount += 1
                if state.boundedCount > limit { forgetOldest(&state) }
            }
            let woken = state.waiters.filter { $0.start <= entry.place && $0.matches(event) }
            state.waiters.removeAll { waiter in woken.contains { $0.token == waiter.token } }
            return (entry, woken)
        }
        for waiter in woken { waiter.continuation.resume(returning: entry) }
    }

    /// Forgets events down to half of the limit at once, so that the mean cost of an event does not grow with the log.
    private func forgetOldest(_ state: inout State) {
        var excess = state.boundedCount - max(1, limit / 2)
        state.boundedCount -= excess
        state.entries.removeAll { entry in
            guard excess > 0, isBounded(entry.event) else { return false }
            excess -= 1
            return true
        }
    }

    /// From now on the start of the log is here: what begins at its start does not count the events before.
    package func beginAgain() { state.withLock { $0.start = $0.count } }

    /// Ends the log. Current and later waits for events that are not in the log fail with `error`.
    package func finish(throwing error: any Error) {
        let woken = state.withLock { state in
            if state.end == nil { state.end = error }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.continuation.resume(throwing: error) }
    }

    /// Waits for the first event from place `start` on for which `matches` is true.
    ///
    /// The place may be later than the last event. Forgotten events do not count.
    ///
    /// - Parameters:
    ///   - start: The place of the first event that counts.
    ///   - limit: How long to wait at most.
    ///   - what: What is awaited, as a noun phrase for the error.
    ///   - clock: Measures the limit.
    /// - Returns: The event, and the place after it.
    /// - Throws: ``TimedOut``, or the error that the log was finished with.
    public func first(
        from start: Int = 0, within limit: Duration, waitingFor what: String,
        clock: any Clock<Duration> = ContinuousClock(),
        where matches: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> (event: Event, next: Int) {
        try await withDeadline(limit, waitingFor: what, clock: clock) {
            try await self.first(from: start, where: matches)
        }
    }

    /// The same without a limit: it waits until the task is cancelled or the log has ended.
    package func first(
        from start: Int = 0, where matches: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> (event: Event, next: Int) {
        let entry = try await entry(from: start, where: matches)
        return (entry.event, entry.place + 1)
    }

    private func entry(from start: Int, where matches: @escaping @Sendable (Event) -> Bool) async throws -> Entry {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Entry, any Error>? = state.withLock { state in
                    // Checked under the lock, so that a later cancellation finds the waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    let rest = state.entries[state.index(of: start)...]
                    if let entry = rest.first(where: { matches($0.event) }) { return .success(entry) }
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
                return waiter
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
