/// The person's response to a notification on the accessory. The phone carries it out.
public struct NotificationResponse: Sendable, Hashable, Codable {
    /// The bundle identifier of the app that posted the notification.
    public var sourceIdentifier: String
    /// The app's name for the notification.
    public var notificationIdentifier: String
    /// The identifier of one of the notification's actions.
    public var actionIdentifier: String
    /// The text that the person entered; nil for an action without a text.
    public var userText: String?

    /// Makes a response for ``AccessoryNotificationsSession/sendResponse(_:)``.
    public init(
        sourceIdentifier: String, notificationIdentifier: String, actionIdentifier: String, userText: String?
    ) {
        self.sourceIdentifier = sourceIdentifier
        self.notificationIdentifier = notificationIdentifier
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }
}
