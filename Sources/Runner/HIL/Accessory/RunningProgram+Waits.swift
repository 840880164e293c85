import BoardProtocol
import HILRecord
import HILTiming

extension RunningProgram {
    /// Waits until it prints a line that contains `text`, to standard output or standard error, and returns the line.
    ///
    /// The wait ends with ``ProgramEnded`` if the program ends without such a line.
    ///
    /// - Parameters:
    ///   - mark: Lines before it do not count; by default those of the latest run count. Take it before the action that
    ///     causes the line: `let mark = thermostat.events.mark`.
    ///   - limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    /// - Throws: `TimedOut`, ``ProgramEnded``.
    @discardableResult
    public func prints(
        _ text: String, since mark: EventLog<ProgramEvent>.Mark? = nil, within limit: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> String {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            let line = try await next(.printed(text), since: mark, within: limit)
            recorder.noteLine(text)
            return line
        }
    }

    /// Waits until a program that ``AccessoryProgram/endsByItself`` has ended, and returns how.
    ///
    /// - Parameter limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    /// - Throws: `TimedOut`.
    @discardableResult
    public func exits(
        within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> ProgramExit {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            if let exit { return exit }
            return try await events.first(.ended, within: limit, waitingFor: "the program “\(name)” to end").value
        }
    }
}

extension EventPattern where Event == ProgramEvent, Value == ProgramLine {
    /// The program printed a line; the value is the line.
    public static var printed: Self {
        Self("to print a line") { if case .printed(let line) = $0 { line } else { nil } }
    }
}

extension EventPattern where Event == ProgramEvent, Value == String {
    /// The program printed a line that contains this text; the value is the line.
    public static func printed(_ text: String) -> Self {
        Self("to print “\(text)”") {
            if case .printed(let line) = $0, line.source != .board, line.text.contains(text) { line.text } else { nil }
        }
    }
}

extension EventPattern where Event == ProgramEvent, Value == ProgramExit {
    /// The program ended; the value is how.
    public static var ended: Self { Self("to end") { if case .ended(let exit, _) = $0 { exit } else { nil } } }
}
