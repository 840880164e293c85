import Foundation

/// A notification that an app posts on the phone.
public struct PhoneNotification: Sendable, Hashable {
    /// Names one notification among all of the phone.
    public struct Identifier: Sendable, Hashable {
        /// The app's own name for the notification.
        public let notificationIdentifier: String
        /// The bundle identifier of the app that posts it.
        public let sourceIdentifier: String

        public init(notificationIdentifier: String, sourceIdentifier: String) {
            self.notificationIdentifier = notificationIdentifier
            self.sourceIdentifier = sourceIdentifier
        }
    }

    public var identifier: Identifier
    /// The name of the app that posts it.
    public var sourceName: String
    public var deliveryDate: Date
    public var title: String?
    public var subtitle: String?
    public var body: String?
    /// Groups notifications, as those of one conversation.
    public var threadIdentifier: String?
    /// Whether the app may alert with it and asked to.
    public var canAlert: Bool

    /// - Parameters:
    ///   - app: The bundle identifier of the app that posts it.
    ///   - identifier: The app's name for it; a new one when left out.
    ///   - sourceName: The app's name; the last part of its bundle identifier when left out.
    public init(
        app: String, identifier: String = UUID().uuidString, sourceName: String? = nil, title: String? = nil,
        subtitle: String? = nil, body: String? = nil, threadIdentifier: String? = nil, deliveryDate: Date = Date(),
        canAlert: Bool = true
    ) {
        self.identifier = Identifier(notificationIdentifier: identifier, sourceIdentifier: app)
        self.sourceName = sourceName ?? app.split(separator: ".").last.map { String($0).capitalized } ?? app
        self.deliveryDate = deliveryDate
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.threadIdentifier = threadIdentifier
        self.canAlert = canAlert
    }
}
