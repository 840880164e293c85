import DieControl
import HIL
import Timing

/// What a person does with the notifications on a die, and how it alerts.
extension Die {
    /// Answers a notification that it shows; returns when the answer is on its way.
    ///
    /// - Parameters:
    ///   - action: One of those that the die offers, by the app's name for it.
    ///   - text: What is entered, for an action that takes a text.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for what the die does not offer.
    public func respond(
        to notification: ShownNotification, _ action: String, text: String? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let response = DieResponse(
            source: notification.source, notification: notification.identifier, action: action, text: text)
        try await link.ask(.respond(response), fileID: fileID, filePath: filePath, line: line)
    }

    /// Silences it, or lets it sound again.
    public func setSilenced(
        _ isSilenced: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.setSilenced(isSilenced), fileID: fileID, filePath: filePath, line: line)
    }

    /// How it alerted so far, oldest first.
    public var alerts: [DieAlert] {
        events.events.compactMap { if case .alerted(let alert) = $0 { alert } else { nil } }
    }
}

extension DieScreen {
    /// Waits until the screen is as it should be, from its start on, and gives what it shows then.
    ///
    /// - Parameter what: What is awaited, for the error: `the die to show two notifications`.
    /// - Throws: ``Timing/TimedOut``, or ``RadioModel/RadioError/rig(_:)`` when the die's board is lost.
    @discardableResult
    public func first(
        from place: Int = 0, within limit: Duration, waitingFor what: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line,
        where matches: @escaping @Sendable ([ShownNotification]) -> Bool
    ) async throws -> [ShownNotification] {
        let event = try await link.event(
            from: place, within: limit, waitingFor: what, fileID: fileID, filePath: filePath, line: line
        ) { if case .screen(let shown) = $0 { matches(shown) } else { false } }
        guard case .screen(let shown) = event else { return [] }
        return shown
    }
}
