import DieProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A notification as the die's screen shows it.
public struct ShownNotification: Sendable, Hashable, Codable {
    /// Its app's name for it.
    public var identifier: String
    /// The bundle identifier of its app.
    public var source: String
    public var title: String
    public var subtitle: String
    public var body: String
    /// A shorter text for a long one; empty if there is none.
    public var summary: String
    /// `critical`, `timeSensitive` and `priority`, as far as they hold, in this order.
    public var attributes: [String]
    /// What can be answered.
    public var actions: [ShownAction]
    public var pictures: [ShownPicture]

    public init(
        identifier: String, source: String = "", title: String, subtitle: String = "", body: String,
        summary: String = "", attributes: [String] = [], actions: [ShownAction] = [], pictures: [ShownPicture] = []
    ) {
        self.identifier = identifier
        self.source = source
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.summary = summary
        self.attributes = attributes
        self.actions = actions
        self.pictures = pictures
    }
}

/// An action as the die's screen offers it.
public struct ShownAction: Sendable, Hashable, Codable {
    /// Its app's name for it.
    public var identifier: String
    public var title: String
    /// Whether the person enters a text.
    public var takesText: Bool

    public init(identifier: String, title: String, takesText: Bool) {
        self.identifier = identifier
        self.title = title
        self.takesText = takesText
    }
}

/// A picture on the die's screen: enough to know whether it came whole.
public struct ShownPicture: Sendable, Hashable, Codable {
    public enum Role: String, Sendable, Hashable, Codable {
        case sourceIcon, contextIcon, attachment
    }

    public var role: Role
    /// Its uniform type identifier.
    public var type: String
    public var byteCount: Int
    /// SHA-256 of the data, 32 bytes.
    public var digest: Data

    public init(role: Role, type: String, byteCount: Int, digest: Data) {
        self.role = role
        self.type = type
        self.byteCount = byteCount
        self.digest = digest
    }
}

/// How the die drew attention to a notification.
public struct DieAlert: Sendable, Hashable, Codable {
    /// The notification, by its app's name for it.
    public var notification: String
    /// What sort of thing was told.
    public var category: NotificationContent.Category
    /// Whether it was heard: the notification has a sound, and a die that is silenced plays only what ignores that.
    public var sounded: Bool

    public init(notification: String, category: NotificationContent.Category = .notification, sounded: Bool) {
        self.notification = notification
        self.category = category
        self.sounded = sounded
    }
}
