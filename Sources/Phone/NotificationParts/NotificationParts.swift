import Foundation

/// The parts of a notification that an app sees as well as the phone.
///
/// They are in their own module, which `AccessoryNotifications` re-exports: with the feature MemberImportVisibility, a
/// file sees members only of modules that it imports.
public enum NotificationParts {
    /// Identifies a notification among all notifications of the phone. Apps know it as
    /// `AccessoryNotification.Identifier`.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The app's own identifier of the notification.
        public let notificationIdentifier: String
        /// The bundle identifier of the app that posts the notification.
        public let sourceIdentifier: String

        public init(notificationIdentifier: String, sourceIdentifier: String) {
            self.notificationIdentifier = notificationIdentifier
            self.sourceIdentifier = sourceIdentifier
        }
    }

    /// The kind of notification. Calls, timers and alarms alert by their own rules (N4).
    public enum Kind: Sendable, Hashable, Codable {
        case notification
        case incomingCall
        case timer
        case alarm
    }

    /// How urgent a notification is. Apps know it as `AccessoryNotification.Attributes`.
    public struct Attributes: OptionSet, Sendable, Hashable, Codable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// About health or safety: alerts in any Focus and in silent mode, if the person allows it for the app.
        public static let critical = Attributes(rawValue: 1 << 0)
        /// Important right now: alerts during a Focus, if the person allows it.
        public static let timeSensitive = Attributes(rawValue: 1 << 1)
        /// Apple Intelligence rates it as important. This affects where it is shown, not whether it alerts.
        public static let priority = Attributes(rawValue: 1 << 2)
    }

    /// The date to show with a notification. Apps know it as `AccessoryNotification.DisplayDate`.
    public enum DisplayDate: Sendable, Hashable, Codable {
        /// The time of delivery, to the minute.
        case deliveryDate
        /// The time that the notification is about, to the minute.
        case contentDate(Date)
        /// The day that the notification is about.
        case allDayDate(Date)
        /// No date.
        case hideDate
    }

    /// An action that the person can choose for a notification. Apps know it as `AccessoryNotification.Action`.
    public struct Action: Sendable, Hashable, Codable {
        /// The effect of the action.
        public enum ActionType: Sendable, Hashable, Codable {
            /// The notification disappears.
            case dismiss
            /// The app handles the action in the background.
            case background
            /// The app gets a text from the person; `placeholder` is shown until they enter one.
            case textInput(placeholder: String)
        }

        /// The app's identifier of the action.
        public let identifier: String
        /// The text that the person reads.
        public let title: String?
        public let type: ActionType

        public init(identifier: String, title: String? = nil, type: ActionType) {
            self.identifier = identifier
            self.title = title
            self.type = type
        }

        /// The action that iOS adds to clear a notification, with its identifier from UserNotifications.
        public static let dismiss = Action(
            identifier: "com.apple.UNNotificationDismissActionIdentifier", title: "Clear", type: .dismiss)
    }
}
