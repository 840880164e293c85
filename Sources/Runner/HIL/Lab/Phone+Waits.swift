import HILPhone
import HILRecord
import HILTiming

/// The phone did not show an awaited screen in time. The error says which screens it showed.
public struct ScreenMissing: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was awaited: `the screen passkey`.
    package let what: String
    /// How long the wait was.
    package let limit: Duration
    /// The screens that the person saw meanwhile, one line for each, oldest first.
    package let seen: [String]

    public var description: String { "waited \(limit.short) for \(what); \(ScreenMissing.story(seen))" }

    static func story(_ seen: [String]) -> String {
        "on the phone: " + (seen.isEmpty ? "nothing but the app" : seen.joined(separator: " → "))
    }
}

/// Waits for the screens that the person sees.
///
/// Each wait begins at a mark of the phone's `Phone.log`, so that it misses nothing: take `log.mark` before the
/// action that causes the screen. Without a mark, a wait begins when the phone was switched on. Without a limit, it has
/// the step's remaining time, or 10 s outside a step.
extension Phone {
    /// Waits until a screen of this kind is the topmost.
    ///
    /// - Parameters:
    ///   - title: Its whole title; nil for any.
    ///   - line: A whole line of the text below the title; nil for any.
    ///   - entries: How many accessories it offers at least.
    ///   - mark: Where in `Phone.log` to begin.
    /// - Returns: The screen, as it was when it first matched.
    /// - Throws: ``ScreenMissing``, which says what was shown instead.
    @discardableResult
    public func shows(
        _ kind: Screen.Kind, titled title: String? = nil, line: String? = nil, entries: Int = 0,
        since mark: EventLog<PhoneEvent>.Mark = .start, within limit: Duration? = nil, fileID: String = #fileID,
        filePath: String = #filePath, at lineNumber: Int = #line
    ) async throws -> Screen {
        var wanted = "the screen \(kind)"
        if let title { wanted += " titled “\(title)”" }
        if let line { wanted += " with the line “\(line)”" }
        if entries > 0 { wanted += " with \(entries) accessories" }
        return try await shows(
            wanted, since: mark, within: limit, fileID: fileID, filePath: filePath, at: lineNumber
        ) { screen in
            screen.kind == kind && screen.entries.count >= entries && title.map { $0 == screen.title } ?? true
                && line.map(screen.lines.contains) ?? true
        }
    }

    /// Waits until the topmost screen is one for which `matches` is true.
    ///
    /// - Parameter what: What is awaited, for the error: `a picker with five lamps`.
    /// - Throws: ``ScreenMissing``, which says what was shown instead.
    @discardableResult
    public func shows(
        _ what: String, since mark: EventLog<PhoneEvent>.Mark = .start, within limit: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, at lineNumber: Int = #line,
        where matches: @escaping @Sendable (Screen) -> Bool
    ) async throws -> Screen {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: lineNumber)) {
            try await screen(what, since: mark, within: limit) { $0.flatMap { matches($0) ? $0 : nil } }
        }
    }

    /// The mark in `Phone.log` just before the screen that is shown now. Earlier screens do not count from
    /// there on.
    public var screenMark: EventLog<PhoneEvent>.Mark { log.latest(.topmostScreen) ?? log.mark }

    /// Waits until the topmost screen is not of this kind; returns at once if it is not now.
    ///
    /// - Throws: ``ScreenMissing``, which says what is still shown.
    public func showsNo(
        _ kind: Screen.Kind, within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath,
        at lineNumber: Int = #line
    ) async throws {
        guard let mark = log.latest(.topmostScreen) else { return }
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: lineNumber)) {
            try await screen("no screen \(kind)", since: mark, within: limit) { $0?.kind != kind ? () : nil }
        }
    }

    /// Waits for the first change of the topmost screen for which `value` is not nil. The screen nil is the app itself.
    private func screen<Value: Sendable>(
        _ what: String, since mark: EventLog<PhoneEvent>.Mark, within limit: Duration?,
        value: @escaping @Sendable (Screen?) -> Value?
    ) async throws -> Value {
        do {
            let story: @Sendable () -> String = { "\(what); \(ScreenMissing.story(self.seen(since: mark)))" }
            return try await SharedDeadline.wait(for: story(), within: limit, clock: clock) {
                for try await event in self.log.events(since: mark) {
                    if case .screen(let screen) = event.kind, let value = value(screen) { return value }
                }
                throw CancellationError()
            }
        } catch let error as TimedOut {
            throw ScreenMissing(what: what, limit: error.limit, seen: seen(since: mark))
        }
    }

    /// The screens that the person saw since a mark, and the one before it: the last five, a line each.
    private func seen(since mark: EventLog<PhoneEvent>.Mark) -> [String] {
        let changes = log.all(.topmostScreen, since: mark)
        let before = log.all(.topmostScreen).dropLast(changes.count).last.flatMap(\.self)
        var lines = ([before] + changes).compactMap(\.self).suffix(5).map { "\($0.kind): \($0)" }
        if case .some(.none) = changes.last, !lines.isEmpty { lines.append("nothing but the app") }
        return lines
    }
}

extension EventPattern where Event == PhoneEvent, Value == Screen? {
    /// Another screen, or the app itself, appeared on top.
    fileprivate static var topmostScreen: Self {
        Self("another screen") { if case .screen(let screen) = $0.kind { .some(screen) } else { nil } }
    }
}
