import Foundation

extension PhoneNotification {
    /// What sort of thing is told.
    public enum Kind: Sendable, Hashable, Codable {
        case notification
        case incomingCall
        case timer
        case alarm
    }

    /// How urgent it is. Apps know it as `AccessoryNotification.Attributes`.
    public struct Attributes: OptionSet, Sendable, Hashable, Codable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Health or safety: it alerts through every Focus and silent mode, if the person lets the app do that.
        public static let critical = Attributes(rawValue: 1 << 0)
        /// It matters now: it alerts through a Focus, if the person lets it.
        public static let timeSensitive = Attributes(rawValue: 1 << 1)
        /// Apple Intelligence found it important; that changes where it is shown, not whether it alerts.
        public static let priority = Attributes(rawValue: 1 << 2)
    }

    /// Which date to show with it. Apps know it as `AccessoryNotification.DisplayDate`.
    public enum DisplayDate: Sendable, Hashable, Codable {
        /// When it was delivered, to the minute.
        case deliveryDate
        /// A moment that it is about, to the minute.
        case contentDate(Date)
        /// A day that it is about.
        case allDayDate(Date)
        /// None.
        case hideDate
    }

    /// Something that the person can do with it. Apps know it as `AccessoryNotification.Action`.
    public struct Action: Sendable, Hashable, Codable {
        /// What becomes of it.
        public enum ActionType: Sendable, Hashable, Codable {
            /// The notification goes away.
            case dismiss
            /// The app does something, without being opened.
            case background
            /// The app gets a text that the person enters; `placeholder` is shown while there is none.
            case textInput(placeholder: String)
        }

        /// The app's name for it.
        public let identifier: String
        /// What the person reads.
        public let title: String?
        public let type: ActionType

        public init(identifier: String, title: String? = nil, type: ActionType) {
            self.identifier = identifier
            self.title = title
            self.type = type
        }

        /// The action that iOS adds to clear a notification, under its name for it in UserNotifications.
        public static let dismiss = Action(
            identifier: "com.apple.UNNotificationDismissActionIdentifier", title: "Clear", type: .dismiss)
    }

    /// A picture or other file that belongs to it.
    public struct File: Sendable, Hashable, Codable {
        /// Where it is, until the notification is gone.
        public var url: URL
        /// Its uniform type identifier: `public.png`.
        public var type: String

        public init(url: URL, type: String) {
            self.url = url
            self.type = type
        }
    }
}
