import HILRecord
import HILTiming

/// Waits of a scenario for events in a log: of the phone, of forwarding, of an accessory, or of the app.
extension EventLog {
    /// Waits for the first event that a pattern matches, and returns the pattern's value. Earlier events count as well.
    ///
    /// - Parameters:
    ///   - mark: Events before it do not count. Take it before the action that causes the event:
    ///     `let mark = lab.phone.log.mark`.
    ///   - limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    ///   - what: What is awaited, as a noun phrase for the error; by default the pattern's own words.
    /// - Throws: `TimedOut`, or the error that the log ended with.
    @discardableResult
    public func next<Value>(
        _ pattern: EventPattern<Event, Value>, since mark: Mark = .start, within limit: Duration? = nil,
        waitingFor what: String? = nil, clock: any Clock<Duration> = ContinuousClock(), fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Value {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await first(pattern, since: mark, within: limit, waitingFor: what, clock: clock).value
        }
    }

    /// Waits for `count` events that a pattern matches, and returns the pattern's values, oldest first.
    ///
    /// The limit holds for each event. The other parameters and the errors are those of
    /// ``next(_:since:within:waitingFor:clock:fileID:filePath:line:)``.
    @discardableResult
    public func next<Value>(
        _ count: Int, _ pattern: EventPattern<Event, Value>, since mark: Mark = .start, within limit: Duration? = nil,
        waitingFor what: String? = nil, clock: any Clock<Duration> = ContinuousClock(), fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> [Value] {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            var (values, mark) = ([Value](), mark)
            while values.count < count {
                let what = (what ?? pattern.what) + (count > 1 ? " (\(values.count + 1) of \(count))" : "")
                let next = try await first(pattern, since: mark, within: limit, waitingFor: what, clock: clock)
                (mark, values) = (next.mark, values + [next.value])
            }
            return values
        }
    }
}
