import Foundation

/// A notification that an app posts on the phone.
public struct PhoneNotification: Sendable, Hashable {
    /// Names one notification among all of the phone.
    public struct Identifier: Sendable, Hashable, Codable {
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
    public var displayDate = DisplayDate.deliveryDate
    public var title: String?
    public var subtitle: String?
    public var body: String?
    /// What Apple Intelligence makes of a long text.
    public var summary: String?
    /// Groups notifications, as those of one conversation.
    public var threadIdentifier: String?
    public var attributes: Attributes
    public var kind: Kind
    /// What can be done with it where it is shown.
    public var actions: [Action]
    /// The app's icon.
    public var sourceIcon: File?
    /// A second one, such as the face of who wrote.
    public var contextIcon: File?
    public var attachments: [File]
    /// Whether the app wants it noticed; false for a passive one, which is only there to be found.
    public var canAlert: Bool
    /// Whether the app gave it a sound.
    public var hasSound: Bool

    /// - Parameters:
    ///   - app: The bundle identifier of the app that posts it.
    ///   - identifier: The app's name for it; a new one when left out.
    ///   - sourceName: The app's name; the last part of its bundle identifier when left out.
    public init(
        app: String, identifier: String = UUID().uuidString, sourceName: String? = nil, title: String? = nil,
        subtitle: String? = nil, body: String? = nil, threadIdentifier: String? = nil, deliveryDate: Date = Date(),
        kind: Kind = .notification, attributes: Attributes = [], actions: [Action] = [], sourceIcon: File? = nil,
        contextIcon: File? = nil, attachments: [File] = [], canAlert: Bool = true, hasSound: Bool = true
    ) {
        self.identifier = Identifier(notificationIdentifier: identifier, sourceIdentifier: app)
        self.sourceName = sourceName ?? app.split(separator: ".").last.map { String($0).capitalized } ?? app
        self.deliveryDate = deliveryDate
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.threadIdentifier = threadIdentifier
        self.kind = kind
        self.attributes = attributes
        self.actions = actions
        self.sourceIcon = sourceIcon
        self.contextIcon = contextIcon
        self.attachments = attachments
        self.canAlert = canAlert
        self.hasSound = hasSound
    }

    /// Somebody calls. Take it away with ``NotificationCentre/remove(_:)`` when the call is answered or over.
    public static func incomingCall(
        from caller: String, app: String = "com.apple.mobilephone", identifier: String = UUID().uuidString
    ) -> PhoneNotification {
        PhoneNotification(
            app: app, identifier: identifier, sourceName: "Phone", title: caller, body: "Incoming Call",
            kind: .incomingCall)
    }
}
