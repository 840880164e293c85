import FoundationEssentials

/// Identifies a notification among all notifications of a phone.
package struct NotificationIdentifier: Sendable, Hashable, Codable {
    /// The bundle identifier of the app that posted it.
    package var source: String
    /// The app's own name for it.
    package var notification: String

    package init(source: String, notification: String) {
        self.source = source
        self.notification = notification
    }
}

/// The content of a notification on the die.
package struct NotificationContent: Sendable, Hashable {
    /// The kind of notification. The raw values are those in messages.
    package enum Category: UInt8, Sendable, Hashable, Codable {
        case notification = 0
        case incomingCall = 1
        case timer = 2
        case alarm = 3
    }

    /// How urgent it is. The bits are those in messages.
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let critical = Attributes(rawValue: 1)
        package static let timeSensitive = Attributes(rawValue: 2)
        package static let priority = Attributes(rawValue: 4)
    }

    /// The sound of an alert.
    package struct Sound: Sendable, Hashable {
        /// Whether it is played even if the die is silenced.
        package var ignoresSilentMode: Bool

        package init(ignoresSilentMode: Bool = false) { self.ignoresSilentMode = ignoresSilentMode }
    }

    /// The date to show with a notification.
    package struct DisplayDate: Sendable, Hashable {
        /// How precise the date is. The raw values are those in messages.
        package enum Precision: UInt8, Sendable, Hashable {
            case minute = 0
            case day = 1
        }

        /// Seconds since 1970, UTC.
        package var seconds: Int64
        package var precision: Precision

        package init(seconds: Int64, precision: Precision = .minute) {
            self.seconds = seconds
            self.precision = precision
        }
    }

    package var identifier: NotificationIdentifier
    /// The name of the app that posted it.
    package var sourceName: String
    package var title: String
    package var subtitle: String
    package var body: String
    /// A shorter text for a long notification; empty if there is none.
    package var summary = ""
    /// Groups notifications, for example those of one conversation; empty for no group.
    package var thread = ""
    /// Nil to show no date.
    package var date: DisplayDate?
    package var attributes: Attributes = []
    /// An update does not change it.
    package var category = Category.notification
    /// The actions that can be answered; at most 255.
    package var actions: [NotificationAction] = []
    /// At most 255.
    package var pictures: [NotificationPicture] = []
    /// Whether the die should alert.
    package var alerts: Bool
    /// Nil to alert without a sound.
    package var sound: Sound?

    package init(
        identifier: NotificationIdentifier, sourceName: String = "", title: String, subtitle: String = "",
        body: String = "", alerts: Bool = false
    ) {
        self.identifier = identifier
        self.sourceName = sourceName
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.alerts = alerts
    }
}

/// An action that a person can choose on the die.
package struct NotificationAction: Sendable, Hashable {
    /// The phone's reaction to it. The raw values are those in messages.
    package enum Kind: UInt8, Sendable, Hashable {
        case dismiss = 0
        case background = 1
        /// The answer contains a text.
        case textInput = 2
    }

    package var kind: Kind
    /// The app's name for it. The answer repeats it.
    package var identifier: String
    /// The text that the person reads; may be empty.
    package var title: String
    /// The text in the empty input field.
    package var placeholder: String

    package init(kind: Kind, identifier: String, title: String = "", placeholder: String = "") {
        self.kind = kind
        self.identifier = identifier
        self.title = title
        self.placeholder = placeholder
    }
}

/// A picture or another file of a notification.
package struct NotificationPicture: Sendable, Hashable {
    /// Where it is shown. The raw values are those in messages.
    package enum Role: UInt8, Sendable, Hashable {
        /// The icon of the app.
        case sourceIcon = 0
        /// A second icon, such as the face of the sender.
        case contextIcon = 1
        case attachment = 2
    }

    package var role: Role
    /// A uniform type identifier, at most 255 bytes: `public.png`.
    package var type: String
    package var data: Data

    package init(role: Role, type: String, data: Data) {
        self.role = role
        self.type = type
        self.data = data
    }
}
