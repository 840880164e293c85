import DieProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A notification as the die's screen shows it.
package struct ShownNotification: Sendable, Hashable, Codable {
    /// Its app's name for it.
    package var identifier: String
    /// The bundle identifier of its app.
    package var source: String
    package var title: String
    package var subtitle: String
    package var body: String
    /// A shorter text for a long one; empty if there is none.
    package var summary: String
    /// `critical`, `timeSensitive` and `priority`, as far as they hold, in this order.
    package var attributes: [String]
    /// What can be answered.
    package var actions: [ShownAction]
    package var pictures: [ShownPicture]

    package init(
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
package struct ShownAction: Sendable, Hashable, Codable {
    /// Its app's name for it.
    package var identifier: String
    package var title: String
    /// Whether the person enters a text.
    package var takesText: Bool

    package init(identifier: String, title: String, takesText: Bool) {
        self.identifier = identifier
        self.title = title
        self.takesText = takesText
    }
}

/// A picture on the die's screen: enough to know whether it came whole.
package struct ShownPicture: Sendable, Hashable, Codable {
    package enum Role: String, Sendable, Hashable, Codable {
        case sourceIcon, contextIcon, attachment
    }

    package var role: Role
    /// Its uniform type identifier.
    package var type: String
    package var byteCount: Int
    /// SHA-256 of the data, 32 bytes.
    package var digest: Data

    package init(role: Role, type: String, byteCount: Int, digest: Data) {
        self.role = role
        self.type = type
        self.byteCount = byteCount
        self.digest = digest
    }
}

/// How the die drew attention to a notification.
package struct DieAlert: Sendable, Hashable, Codable {
    /// The notification, by its app's name for it.
    package var notification: String
    /// What sort of thing was told.
    package var category: NotificationContent.Category
    /// Whether it was heard: the notification has a sound, and a die that is silenced plays only what ignores that.
    package var sounded: Bool

    package init(notification: String, category: NotificationContent.Category = .notification, sounded: Bool) {
        self.notification = notification
        self.category = category
        self.sounded = sounded
    }
}
