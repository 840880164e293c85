extension EventLog {
    /// A moment in a log. A wait or a search since a mark counts only the events after it.
    public struct Mark: Sendable, Hashable {
        let place: Int

        /// Before the first event.
        public static var start: Mark { Mark(place: 0) }
    }

    /// The present moment. Take it before the action that causes an event, then wait for the event since that mark.
    public var mark: Mark { Mark(place: count) }

    /// The values of all events that a pattern matches, oldest first.
    public func all<Value>(_ pattern: EventPattern<Event, Value>, since mark: Mark = .start) -> [Value] {
        entries(from: mark.place).compactMap { pattern.value(of: $0.event) }
    }

    /// The value of the latest event that a pattern matches; nil if there is none.
    public func last<Value>(_ pattern: EventPattern<Event, Value>, since mark: Mark = .start) -> Value? {
        entries(from: mark.place).reversed().lazy.compactMap { pattern.value(of: $0.event) }.first
    }

    /// The moment just before the latest event that a pattern matches; nil if there is none.
    public func latest<Value>(_ pattern: EventPattern<Event, Value>) -> Mark? {
        entries(from: 0).last { pattern.value(of: $0.event) != nil }.map { Mark(place: $0.place) }
    }

    /// How many events a pattern matches.
    public func count<Value>(_ pattern: EventPattern<Event, Value>, since mark: Mark = .start) -> Int {
        all(pattern, since: mark).count
    }

    /// Whether a pattern matches any event.
    public func contains<Value>(_ pattern: EventPattern<Event, Value>, since mark: Mark = .start) -> Bool {
        last(pattern, since: mark) != nil
    }

    /// Waits for the first event that a pattern matches. Events that are in the log already count as well.
    ///
    /// - Parameters:
    ///   - mark: Events before it do not count.
    ///   - limit: How long to wait at most; nil for the rest of the current deadline's time, or 10 s without a
    ///     deadline.
    ///   - what: What is awaited, as a noun phrase for the error; by default the pattern's own words.
    ///   - clock: Measures the limit.
    /// - Returns: The event's value, and the moment after the event.
    /// - Throws: ``TimedOut``, or the error that the log was finished with.
    public func first<Value>(
        _ pattern: EventPattern<Event, Value>, since mark: Mark = .start, within limit: Duration? = nil,
        waitingFor what: String? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> (value: Value, mark: Mark) {
        try await SharedDeadline.wait(for: what ?? pattern.what, within: limit, clock: clock) {
            let (event, next) = try await self.first(from: mark.place) { pattern.value(of: $0) != nil }
            guard let value = pattern.value(of: event) else {
                preconditionFailure("the log returned an event that the pattern does not match")
            }
            self.awaited?(event)
            return (value, Mark(place: next))
        }
    }

    /// The events since a mark, and all events that are still to come.
    ///
    /// The sequence throws `CancellationError` when its task is cancelled, and the log's error when the log has ended.
    public func events(since mark: Mark = .start) -> Events { Events(log: self, mark: mark) }

    /// The events of a log since a mark, as an asynchronous sequence.
    public struct Events: AsyncSequence, Sendable {
        let log: EventLog
        let mark: Mark

        public func makeAsyncIterator() -> Iterator { Iterator(log: log, place: mark.place) }

        /// Waits for one event after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let log: EventLog
            var place: Int

            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Event? {
                let (event, next) = try await log.first(from: place)
                place = next
                return event
            }

            public mutating func next() async throws -> Event? { try await next(isolation: nil) }
        }
    }
}
