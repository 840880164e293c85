import FoundationEssentials

/// Names one notification among all those of a phone.
public struct NotificationIdentifier: Sendable, Hashable, Codable {
    /// The bundle identifier of the app that posted it.
    public var source: String
    /// The app's own name for it.
    public var notification: String

    public init(source: String, notification: String) {
        self.source = source
        self.notification = notification
    }
}

/// What the die shows of a notification.
public struct NotificationContent: Sendable, Hashable {
    /// What sort of thing is told; the values are those on the wire.
    public enum Category: UInt8, Sendable, Hashable, Codable {
        case notification = 0
        case incomingCall = 1
        case timer = 2
        case alarm = 3
    }

    /// How urgent it is; one bit each, as on the wire.
    public struct Attributes: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let critical = Attributes(rawValue: 1)
        public static let timeSensitive = Attributes(rawValue: 2)
        public static let priority = Attributes(rawValue: 4)
    }

    /// What the die sounds like when it alerts.
    public struct Sound: Sendable, Hashable {
        /// Whether it is to be heard although the die is silenced.
        public var ignoresSilentMode: Bool

        public init(ignoresSilentMode: Bool = false) { self.ignoresSilentMode = ignoresSilentMode }
    }

    /// The date to show with it.
    public struct DisplayDate: Sendable, Hashable {
        /// How exactly; the values are those on the wire.
        public enum Precision: UInt8, Sendable, Hashable {
            case minute = 0
            case day = 1
        }

        /// Seconds since 1970, UTC.
        public var seconds: Int64
        public var precision: Precision

        public init(seconds: Int64, precision: Precision = .minute) {
            self.seconds = seconds
            self.precision = precision
        }
    }

    public var identifier: NotificationIdentifier
    /// The name of the app that posted it.
    public var sourceName: String
    public var title: String
    public var subtitle: String
    public var body: String
    /// A shorter text for a long one; empty if there is none.
    public var summary = ""
    /// Groups notifications, as those of one conversation; empty for one on its own.
    public var thread = ""
    /// Nil to show none.
    public var date: DisplayDate?
    public var attributes: Attributes = []
    /// An update does not change it.
    public var category = Category.notification
    /// What can be answered; at most 255.
    public var actions: [NotificationAction] = []
    /// At most 255.
    public var pictures: [NotificationPicture] = []
    /// Whether the die should draw attention to it.
    public var alerts: Bool
    /// Nil to alert without a sound.
    public var sound: Sound?

    public init(
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

/// Something that a person can answer on the die.
public struct NotificationAction: Sendable, Hashable {
    /// What the phone makes of it; the values are those on the wire.
    public enum Kind: UInt8, Sendable, Hashable {
        case dismiss = 0
        case background = 1
        /// The answer has a text.
        case textInput = 2
    }

    public var kind: Kind
    /// The app's name for it, which the answer repeats.
    public var identifier: String
    /// What the person reads; may be empty.
    public var title: String
    /// What stands in the field for the text while that is empty.
    public var placeholder: String

    public init(kind: Kind, identifier: String, title: String = "", placeholder: String = "") {
        self.kind = kind
        self.identifier = identifier
        self.title = title
        self.placeholder = placeholder
    }
}

/// A picture, or another file, that comes with a notification.
public struct NotificationPicture: Sendable, Hashable {
    /// Where it belongs; the values are those on the wire.
    public enum Role: UInt8, Sendable, Hashable {
        /// The icon of the app.
        case sourceIcon = 0
        /// A second icon, such as the face of who wrote.
        case contextIcon = 1
        case attachment = 2
    }

    public var role: Role
    /// A uniform type identifier, at most 255 bytes: `public.png`.
    public var type: String
    public var data: Data

    public init(role: Role, type: String, data: Data) {
        self.role = role
        self.type = type
        self.data = data
    }
}
