import HILRecord
import HILTiming

extension Lab {
    /// Waits until a condition holds, and records that as an expectation.
    ///
    /// The condition may be about phone, app, accessory, or several of them. It is checked on the main actor after each
    /// event of phone, boards and air, and every 50 ms. It must be quick and must change nothing.
    ///
    /// - Parameters:
    ///   - text: The condition, as a sentence: `the peripheral is connected`.
    ///   - limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    ///   - holds: Whether the condition holds now.
    /// - Throws: `TimedOut`, or the error of `holds`.
    public func becomes(
        _ text: String, within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ holds: @escaping @MainActor () throws -> Bool
    ) async throws {
        try await given(text, within: limit, fileID: fileID, filePath: filePath, line: line) {
            try holds() ? true : nil
        }
    }

    /// Waits until `value` returns something other than nil, and returns that.
    ///
    /// It checks as often as ``becomes(_:within:fileID:filePath:line:_:)`` does.
    ///
    /// - Parameter text: What holds when there is a value, as a sentence: `the app has an accessory`.
    /// - Throws: `TimedOut`, or the error of `value`.
    @discardableResult
    public func given<Value: Sendable>(
        _ text: String, within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ value: @escaping @MainActor () throws -> Value?
    ) async throws -> Value {
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        return try await recorder.call(at: location) {
            let value = try await SharedDeadline.wait(for: "it to hold that \(text)", within: limit, clock: clock) {
                try await self.look(for: value)
            }
            _ = expect(true, text, .seen, at: location)
            return value
        }
    }

    /// The time between two checks of a condition if no event comes.
    private static let recheck = Duration.milliseconds(50)

    private func look<Value>(for value: @MainActor () throws -> Value?) async throws -> Value {
        try await changes.listen { stream, listener in
            // An app changes its variables on its own queues, some time after the event that causes it, and no event
            // reports the change. So the condition is checked between events as well. Nothing else in hil polls.
            let ticks = Task { [clock] in
                while true {
                    try await clock.sleep(for: Lab.recheck)
                    listener.yield()
                }
            }
            defer { ticks.cancel() }
            if let found = try value() { return found }
            for await _ in stream {
                if let found = try value() { return found }
            }
            throw CancellationError()
        }
    }
}
