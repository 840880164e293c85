import DieProtocol
import HIL
import HILTiming

/// Answering notifications on a die, and its alerts.
extension Die {
    /// Answers a notification that the die shows. Returns when the answer is being sent.
    ///
    /// - Parameters:
    ///   - action: The app's name for one of the actions that the die shows.
    ///   - text: The text to enter, for an action with a text.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if the die does not show the notification or the action.
    package func respond(
        to notification: ShownNotification, _ action: String, text: String? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let response = DieResponse(
            source: notification.source, notification: notification.identifier, action: action, text: text)
        try await perform(.respond(response), fileID, filePath, line)
    }

    /// Switches silent mode on or off.
    package func setSilenced(
        _ isSilenced: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await perform(.setSilenced(isSilenced), fileID, filePath, line)
    }

    /// The alerts so far, oldest first.
    package var alerts: [DieAlert] { events.all(.alerted) }
}
