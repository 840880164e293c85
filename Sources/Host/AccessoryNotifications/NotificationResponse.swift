/// What a person did on an accessory with a notification.
public struct NotificationResponse: Sendable, Hashable, Codable {
    /// The bundle identifier of the app that posted the notification.
    public var sourceIdentifier: String
    /// The app's name for the notification.
    public var notificationIdentifier: String
    /// One of the notification's actions.
    public var actionIdentifier: String
    /// What the person entered, for an action that takes a text.
    public var userText: String?

    public init(
        sourceIdentifier: String, notificationIdentifier: String, actionIdentifier: String, userText: String?
    ) {
        self.sourceIdentifier = sourceIdentifier
        self.notificationIdentifier = notificationIdentifier
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }
}
