import CryptoKit
import DieProtocol
import FoundationEssentials

/// The notifications that the die shows, oldest first.
package struct NotificationScreen: Sendable, Equatable {
    /// The most notifications at once. A new one replaces the oldest.
    package static let capacity = 64
    /// How many numbers of updates are remembered, to recognise an update that comes twice by two transports.
    package static let rememberedNumbers = 256

    /// The notifications, oldest first, without the data of their pictures.
    package private(set) var notifications: [NotificationContent] = []
    /// Descriptions of the pictures, for notifications that have some.
    package private(set) var pictures: [NotificationIdentifier: [ShownPicture]] = [:]
    /// The numbers of the latest updates, oldest first.
    private var numbers: [UInt64] = []

    /// An empty screen.
    package init() {}

    /// Whether an update with this number is new. Remembers the number.
    package mutating func isNew(_ update: NumberedUpdate) -> Bool {
        guard let number = update.number else { return true }
        guard !numbers.contains(number) else { return false }
        numbers.append(number)
        numbers.removeFirst(max(0, numbers.count - Self.rememberedNumbers))
        return true
    }

    /// Carries out an update. Returns whether the screen changed.
    package mutating func apply(_ update: NotificationUpdate) -> Bool {
        let before = (notifications, pictures)
        switch update {
        case .add(let content):
            if let place = place(of: content.identifier) {
                show(content, at: place)
            } else {
                notifications.append(content)
                show(content, at: notifications.count - 1)
                for old in notifications.prefix(max(0, notifications.count - Self.capacity)) {
                    pictures[old.identifier] = nil
                }
                notifications.removeFirst(max(0, notifications.count - Self.capacity))
            }
        case .update(let content):
            if let place = place(of: content.identifier) {
                let category = notifications[place].category
                show(content, at: place)
                notifications[place].category = category
            }
        case .remove(let identifier):
            notifications.removeAll { $0.identifier == identifier }
            pictures[identifier] = nil
        case .removeAll:
            notifications = []
            pictures = [:]
        }
        return notifications != before.0 || pictures != before.1
    }

    /// Keeps only digests of pictures: a die has no room for the data, and digests show that they arrived complete.
    private mutating func show(_ content: NotificationContent, at place: Int) {
        notifications[place] = content
        notifications[place].pictures = []
        pictures[content.identifier] = content.pictures.isEmpty ? nil : content.pictures.map(ShownPicture.init)
    }

    private func place(of identifier: NotificationIdentifier) -> Int? {
        notifications.firstIndex { $0.identifier == identifier }
    }
}

extension ShownPicture {
    fileprivate init(_ picture: NotificationPicture) {
        let role: Role =
            switch picture.role {
            case .sourceIcon: .sourceIcon
            case .contextIcon: .contextIcon
            case .attachment: .attachment
            }
        self.init(
            role: role, type: picture.type, byteCount: picture.data.count,
            digest: Data(SHA256.hash(data: picture.data)))
    }
}
