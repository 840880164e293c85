import Foundation

/// A notification on the phone: its texts, pictures and actions, and whether it asks for an alert.
public struct PhoneNotification: Sendable, Hashable {
    /// Tells notifications of all apps apart.
    public var identifier: Identifier
    /// The name of the app that posts the notification.
    public var sourceName: String
    /// When it was delivered.
    public var deliveryDate: Date
    package var displayDate = DisplayDate.deliveryDate
    /// The first line.
    public var title: String?
    /// The second line.
    public var subtitle: String?
    /// The text.
    public var body: String?
    /// Apple Intelligence's summary of a long text.
    public var summary: String?
    /// Groups notifications, such as those of one conversation.
    public var threadIdentifier: String?
    /// Its priority, and whether it is time-sensitive or critical.
    public var attributes: Attributes
    /// What it is: calls, timers and alarms alert by rules of their own (N4).
    public var kind: Kind
    /// The actions that the person can choose.
    public var actions: [Action]
    /// The app's icon.
    public var sourceIcon: File?
    /// A second icon, such as the face of the sender.
    public var contextIcon: File?
    /// The notification's own pictures and files.
    public var attachments: [File]
    /// Whether the app asks for an alert; false for a passive notification, which only waits in the notification
    /// centre.
    public var canAlert: Bool
    /// Whether the app set a sound.
    public var hasSound: Bool

    /// - Parameters:
    ///   - app: The bundle identifier of the app that posts it.
    ///   - identifier: The app's identifier of the notification. The default is a new one.
    ///   - sourceName: The app's name. The default is the last part of its bundle identifier.
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

    /// The notification of an incoming call. Call ``NotificationCentre/remove(_:)`` when the call is answered or ends.
    public static func incomingCall(
        from caller: String, app: String = "com.apple.mobilephone", identifier: String = UUID().uuidString
    ) -> PhoneNotification {
        PhoneNotification(
            app: app, identifier: identifier, sourceName: "Phone", title: caller, body: "Incoming Call",
            kind: .incomingCall)
    }
}
