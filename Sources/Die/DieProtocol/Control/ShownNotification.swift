#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A notification on the die's screen.
package struct ShownNotification: Sendable, Hashable, Codable {
    /// The app's name for it.
    package var identifier: String
    /// The bundle identifier of the app.
    package var source: String
    package var title: String
    package var subtitle: String
    package var body: String
    /// A shorter text for a long notification; empty if there is none.
    package var summary: String
    /// The applicable ones of `critical`, `timeSensitive` and `priority`, in this order.
    package var attributes: [String]
    /// The actions that can be answered.
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

/// An action of a notification on the die's screen.
package struct ShownAction: Sendable, Hashable, Codable {
    /// The app's name for it.
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

/// A picture on the die's screen, described well enough to check that it arrived complete.
package struct ShownPicture: Sendable, Hashable, Codable {
    package enum Role: String, Sendable, Hashable, Codable {
        case sourceIcon, contextIcon, attachment
    }

    package var role: Role
    /// The uniform type identifier.
    package var type: String
    package var byteCount: Int
    /// The SHA-256 digest of the data, 32 bytes.
    package var digest: Data

    package init(role: Role, type: String, byteCount: Int, digest: Data) {
        self.role = role
        self.type = type
        self.byteCount = byteCount
        self.digest = digest
    }
}

/// An alert of the die for a notification.
package struct DieAlert: Sendable, Hashable, Codable {
    /// The app's name for the notification.
    package var notification: String
    /// The category of the notification.
    package var category: NotificationContent.Category
    /// Whether it made a sound. A silenced die only plays sounds that ignore silent mode.
    package var sounded: Bool

    package init(notification: String, category: NotificationContent.Category = .notification, sounded: Bool) {
        self.notification = notification
        self.category = category
        self.sounded = sounded
    }
}
