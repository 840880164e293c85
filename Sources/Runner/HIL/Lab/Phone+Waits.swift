import BoardProtocol
import Phone
import RadioModel
import Timing

/// The phone did not show in time what was awaited; what it showed is told.
public struct ScreenMissing: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was awaited: `the screen passkey`.
    public let what: String
    /// How long it was awaited.
    public let limit: Duration
    /// What the person saw meanwhile, a line for each screen, oldest first.
    public let seen: [String]

    public var description: String {
        let lines = seen.isEmpty ? ["nothing but the app"] : seen
        return "waited \(limit.short) for \(what); on the phone: " + lines.joined(separator: " → ")
    }
}

/// Waits for what happens on the phone. Each begins at a place in the phone's ``Phone/Phone/log``, so that nothing is missed
/// that happened just before: take `log.count` before what sets it off. Without a place they begin where the phone was switched
/// on.
extension Phone {
    /// Waits until the person sees a screen, on top of whatever else there is.
    ///
    /// - Parameters:
    ///   - title: Its whole title; nil for any.
    ///   - line: A line of the text below the title; nil for any.
    ///   - entries: How many accessories it offers at least.
    ///   - place: From where on, in ``Phone/Phone/log``.
    /// - Returns: The screen, as it was when it first was like that.
    /// - Throws: ``ScreenMissing``, which tells what was shown instead.
    @discardableResult
    public func shows(
        _ kind: Screen.Kind, titled title: String? = nil, line: String? = nil, entries: Int = 0, since place: Int = 0,
        within limit: Duration = .seconds(10), fileID: String = #fileID, filePath: String = #filePath,
        at lineNumber: Int = #line
    ) async throws -> Screen {
        var wanted = "the screen \(kind)"
        if let title { wanted += " titled “\(title)”" }
        if let line { wanted += " with the line “\(line)”" }
        if entries > 0 { wanted += " with \(entries) accessories" }
        return try await shows(
            wanted, since: place, within: limit, fileID: fileID, filePath: filePath, at: lineNumber
        ) { screen in
            screen.kind == kind && screen.entries.count >= entries && title.map { $0 == screen.title } ?? true
                && line.map(screen.lines.contains) ?? true
        }
    }

    /// Waits until the person sees a screen that `matches`, on top of whatever else there is.
    ///
    /// - Parameter what: What is awaited, for the error: `a picker with five lamps`.
    /// - Throws: ``ScreenMissing``, which tells what was shown instead.
    @discardableResult
    public func shows(
        _ what: String, since place: Int = 0, within limit: Duration = .seconds(10), fileID: String = #fileID,
        filePath: String = #filePath, at lineNumber: Int = #line, where matches: @escaping @Sendable (Screen) -> Bool
    ) async throws -> Screen {
        let event = try await ScenarioRecorder.call(
            at: SourceLocation(file: fileID, path: filePath, line: lineNumber)
        ) {
            try await screens(what, from: place, within: limit) { $0.map(matches) ?? false }
        }
        guard case .screen(let screen?) = event.kind else {
            preconditionFailure("the log gave an event that does not match")
        }
        return screen
    }

    /// The place in ``Phone/Phone/log`` from where on what the person sees now counts, and nothing that is gone.
    public var screenPlace: Int {
        let events = log.events
        return events.lastIndex { if case .screen = $0.kind { true } else { false } } ?? events.count
    }

    /// Waits until the person sees no screen of a kind any more; returns at once where none is on top now.
    ///
    /// - Throws: ``ScreenMissing``, which tells what is shown still.
    public func showsNo(
        _ kind: Screen.Kind, within limit: Duration = .seconds(10), fileID: String = #fileID,
        filePath: String = #filePath, at lineNumber: Int = #line
    ) async throws {
        let place = screenPlace
        guard place < log.count else { return }
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: lineNumber)) {
            _ = try await screens("no screen \(kind)", from: place, within: limit) { $0?.kind != kind }
        }
    }

    /// Waits until an app was told something by a framework.
    ///
    /// - Parameter event: How it begins in the story: `accessoryRemoved`.
    /// - Throws: ``Timing/TimedOut``.
    public func told(
        _ event: String, since place: Int = 0, within limit: Duration = .seconds(10), fileID: String = #fileID,
        filePath: String = #filePath, at lineNumber: Int = #line
    ) async throws {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: lineNumber)) {
            _ = try await log.first(from: place, within: limit, waitingFor: event, clock: clock) {
                if case .told(_, let text) = $0.kind { text.hasPrefix(event) } else { false }
            }
        }
    }

    /// Waits until the phone's radio notices something.
    ///
    /// - Parameter what: What is awaited, for the error: `the link to end`.
    /// - Throws: ``Timing/TimedOut``.
    @discardableResult
    public func notices(
        _ what: String, since place: Int = 0, within limit: Duration = .seconds(10), fileID: String = #fileID,
        filePath: String = #filePath, at lineNumber: Int = #line,
        where matches: @escaping @Sendable (RadioEvent) -> Bool
    ) async throws -> RadioEvent {
        let event = try await ScenarioRecorder.call(
            at: SourceLocation(file: fileID, path: filePath, line: lineNumber)
        ) {
            try await log.first(from: place, within: limit, waitingFor: what, clock: clock) {
                if case .radio(let noticed) = $0.kind { matches(noticed) } else { false }
            }.event
        }
        guard case .radio(let noticed) = event.kind else {
            preconditionFailure("the log gave an event that does not match")
        }
        return noticed
    }

    /// The first change of the topmost screen that `matches`; nil is the app itself.
    private func screens(
        _ what: String, from place: Int, within limit: Duration, where matches: @escaping @Sendable (Screen?) -> Bool
    ) async throws -> PhoneEvent {
        do {
            return try await log.first(from: place, within: limit, waitingFor: what, clock: clock) {
                if case .screen(let screen) = $0.kind { matches(screen) } else { false }
            }.event
        } catch is TimedOut { throw ScreenMissing(what: what, limit: limit, seen: seen(since: place)) }
    }

    /// What the person saw from a place on, and what was there before: the last five, a line each.
    private func seen(since place: Int) -> [String] {
        let changes = log.events.enumerated().compactMap { index, event -> (index: Int, screen: Screen?)? in
            if case .screen(let screen) = event.kind { (index, screen) } else { nil }
        }
        let before = changes.last { $0.index < place }.map(\.screen) ?? nil
        let seen = [before].compactMap { $0 } + changes.filter { $0.index >= place }.compactMap(\.screen)
        var lines = seen.suffix(5).map { "\($0.kind): \($0)" }
        if case .some(.none) = changes.last?.screen, !lines.isEmpty { lines.append("nothing but the app") }
        return lines
    }
}
