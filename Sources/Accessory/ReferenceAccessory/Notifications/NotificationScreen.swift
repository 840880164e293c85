import DieProtocol

/// The notifications that the die shows, oldest first.
public struct NotificationScreen: Sendable, Equatable {
    /// How many are shown at once; the oldest makes room for a newer one.
    public static let capacity = 64

    /// What is shown, oldest first.
    public private(set) var notifications: [NotificationContent] = []

    /// An empty screen.
    public init() {}

    /// Does what the phone asks; tells whether anything on the screen changed.
    public mutating func apply(_ update: NotificationUpdate) -> Bool {
        let before = notifications
        switch update {
        case .add(let content):
            if let place = place(of: content.identifier) {
                notifications[place] = content
            } else {
                notifications.append(content)
                notifications.removeFirst(max(0, notifications.count - Self.capacity))
            }
        case .update(let content):
            if let place = place(of: content.identifier) { notifications[place] = content }
        case .remove(let identifier):
            notifications.removeAll { $0.identifier == identifier }
        case .removeAll:
            notifications = []
        }
        return notifications != before
    }

    private func place(of identifier: NotificationIdentifier) -> Int? {
        notifications.firstIndex { $0.identifier == identifier }
    }
}
