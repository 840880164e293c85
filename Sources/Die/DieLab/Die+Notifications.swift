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
    package func respond(
        to notification: ShownNotification, _ action: String, text: String? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let response = DieResponse(
            source: notification.source, notification: notification.identifier, action: action, text: text)
        try await link.ask(.respond(response), fileID: fileID, filePath: filePath, line: line)
    }

    /// Silences it, or lets it sound again.
    package func setSilenced(
        _ isSilenced: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.setSilenced(isSilenced), fileID: fileID, filePath: filePath, line: line)
    }

    /// How it alerted so far, oldest first.
    package var alerts: [DieAlert] { events.all(.alerted) }
}
