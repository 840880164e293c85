import FoundationEssentials

/// A change of the phone's notifications for the die: the plaintext that is sealed for one delivery.
///
///     offset  length  field
///     0       1       version, 1
///     1       1       operation: 1 add, 2 update, 3 remove, 4 remove all
///     then fields until the end, each at most once, in any order:
///             1       tag
///             4       length n, little-endian
///             n       value
///
///     tag  field                          for
///     1    notification's identifier      add, update, remove; required
///     2    source's identifier            add, update, remove; required
///     3    source's name                  add, update
///     4    title                          add, update
///     5    subtitle                       add, update
///     6    body                           add, update
///     7    alert: 1 byte, 0 or 1          add; absent means 0
///     8    number: 8 bytes                all; an update with a number that was received before is ignored
///     9    category: 1 byte               add; 0 notification, 1 incoming call, 2 timer, 3 alarm; absent means 0
///     10   sound: 1 byte                  add; bit 0: played even if the die is silenced; absent means no sound
///     11   attributes: 1 byte             add, update; bit 0 critical, 1 time-sensitive, 2 priority; absent means 0
///     12   actions                        add, update
///     13   pictures                       add, update
///     14   summary                        add, update
///     15   date: 9 bytes                  add, update; seconds since 1970, 8 bytes, signed; then 0 minute, 1 day
///     16   thread                         add, update
///
/// Actions: their count, 1 byte; then for each: kind 1 (0 dismiss, 1 background, 2 text input), and three texts, each
/// with a length of 2 bytes: identifier, title, and the text in the empty input field.
/// Pictures: their count, 1 byte; then for each: role 1 (0 the app's icon, 1 a second icon, 2 attachment), length 1 and
/// uniform type identifier, length 4 and data.
///
/// Numbers are little-endian. Texts are UTF-8; an absent text is empty. Fields with other tags and bits without a
/// meaning are ignored, so that new ones can be added later.
/// An update with its pictures has at most ``GATTFraming/maximumContentLength`` bytes.
package enum NotificationUpdate: Sendable, Hashable {
    /// Shows a notification. It replaces one with the same identifier.
    case add(NotificationContent)
    /// Changes a notification on the screen. Never alerts. Ignored if the notification is not on the screen.
    case update(NotificationContent)
    /// Removes a notification from the screen.
    case remove(NotificationIdentifier)
    /// Empties the screen.
    case removeAll
}

/// An update with a number of its sender. The number shows that an update has come twice, by two transports.
package struct NumberedUpdate: Sendable, Hashable {
    /// No other update has this number. Nil if the sender uses no numbers.
    package var number: UInt64?
    package var update: NotificationUpdate

    package init(_ update: NotificationUpdate, number: UInt64? = nil) {
        self.update = update
        self.number = number
    }
}

extension NotificationUpdate {
    fileprivate static let version: UInt8 = 1

    enum Tag {
        static let notification: UInt8 = 1
        static let source: UInt8 = 2
        static let sourceName: UInt8 = 3
        static let title: UInt8 = 4
        static let subtitle: UInt8 = 5
        static let body: UInt8 = 6
        static let alert: UInt8 = 7
        static let number: UInt8 = 8
        static let category: UInt8 = 9
        static let sound: UInt8 = 10
        static let attributes: UInt8 = 11
        static let actions: UInt8 = 12
        static let pictures: UInt8 = 13
        static let summary: UInt8 = 14
        static let date: UInt8 = 15
        static let thread: UInt8 = 16
    }

    /// Parses the plaintext of one delivery.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        self = try NumberedUpdate(decoding: bytes).update
    }

    /// The plaintext of one delivery. Throws if it is too long.
    package func encoded() throws(DieProtocolError) -> Data {
        try NumberedUpdate(self).encoded()
    }
}

extension NumberedUpdate {
    /// Parses the plaintext of one delivery.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        guard bytes.count <= GATTFraming.maximumContentLength else {
            throw .tooLong(what: "an update", count: bytes.count, limit: GATTFraming.maximumContentLength)
        }
        var reader = ByteReader(bytes)
        let version = try reader.uint8("an update's version")
        guard version == NotificationUpdate.version else { throw .unknownVersion(version, what: "an update") }
        let operation = try reader.uint8("an update's operation")
        let fields = try TaggedFields(&reader)
        number = try fields.number(NotificationUpdate.Tag.number, "an update's number")
        switch operation {
        case 1: update = .add(try NotificationContent(fields, isNew: true))
        case 2: update = .update(try NotificationContent(fields, isNew: false))
        case 3:
            update = .remove(
                try fields.identifier(NotificationUpdate.Tag.notification, NotificationUpdate.Tag.source))
        case 4: update = .removeAll
        default: throw .unknownKind(operation, what: "an update")
        }
    }

    /// The plaintext of one delivery. Throws if it is too long.
    package func encoded() throws(DieProtocolError) -> Data {
        var bytes = Data([NotificationUpdate.version])
        switch update {
        case .add(let content):
            bytes.append(1)
            try content.append(to: &bytes, isNew: true)
        case .update(let content):
            bytes.append(2)
            try content.append(to: &bytes, isNew: false)
        case .remove(let identifier):
            bytes.append(3)
            bytes.append(identifier, NotificationUpdate.Tag.notification, NotificationUpdate.Tag.source)
        case .removeAll:
            bytes.append(4)
        }
        if let number {
            var value = Data()
            value.append(littleEndian: number)
            bytes.append(field: value, NotificationUpdate.Tag.number)
        }
        guard bytes.count <= GATTFraming.maximumContentLength else {
            throw .tooLong(what: "an update", count: bytes.count, limit: GATTFraming.maximumContentLength)
        }
        return bytes
    }
}

extension Data {
    /// Appends the two fields that identify a notification.
    mutating func append(_ identifier: NotificationIdentifier, _ notification: UInt8, _ source: UInt8) {
        append(field: Data(identifier.notification.utf8), notification)
        append(field: Data(identifier.source.utf8), source)
    }
}
