import Timing

extension Lab {
    /// Waits until something holds: of the phone, the app, the accessory, or of several of them together.
    ///
    /// What is asked for is looked at again after each event of phone, boards and air, on the main actor. It has to be quick and
    /// to change nothing. That it holds is recorded as an expectation.
    ///
    /// - Parameters:
    ///   - text: What is to hold, as a sentence: `the peripheral is connected`.
    ///   - limit: How long to wait at most; nil for the rest of the step's time, or 10 s outside of a step.
    /// - Throws: ``Timing/TimedOut``, or what `holds` throws.
    public func becomes(
        _ text: String, within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ holds: @escaping @MainActor () throws -> Bool
    ) async throws {
        try await given(text, within: limit, fileID: fileID, filePath: filePath, line: line) {
            try holds() ? true : nil
        }
    }

    /// Waits until there is a value, and gives it; see ``becomes(_:within:fileID:filePath:line:_:)``.
    ///
    /// - Parameter text: What is to hold then, as a sentence: `the app has an accessory`.
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
            _ = expect(true, text, .fact, at: location)
            return value
        }
    }

    /// How often something is looked at again that no event tells of.
    private static let recheck = Duration.milliseconds(50)

    private func look<Value>(for value: @MainActor () throws -> Value?) async throws -> Value {
        try await news.listen { stream, listener in
            // An app changes its variables on queues of its own, some time after the event that causes it, and tells nobody. So it
            // is looked at again between events as well; this is the only place that does so.
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
