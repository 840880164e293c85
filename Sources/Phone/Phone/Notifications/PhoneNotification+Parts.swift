import Foundation
@_exported import HILNotificationParts

extension PhoneNotification {
    /// Identifies a notification among all notifications of the phone.
    public typealias Identifier = NotificationParts.Identifier
    /// The kind of notification. Calls, timers and alarms alert by their own rules (N4).
    public typealias Kind = NotificationParts.Kind
    /// How urgent a notification is.
    public typealias Attributes = NotificationParts.Attributes
    /// The date to show with a notification.
    package typealias DisplayDate = NotificationParts.DisplayDate
    /// An action that the person can choose for a notification.
    public typealias Action = NotificationParts.Action

    /// A picture or another file of a notification.
    public struct File: Sendable, Hashable, Codable {
        /// The file's location, valid until the notification is removed.
        package var url: URL
        /// Its uniform type identifier, such as `public.png`.
        package var type: String

        package init(url: URL, type: String) {
            self.url = url
            self.type = type
        }
    }
}
