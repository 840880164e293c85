import FoundationEssentials

/// What a phone tells the die about its notifications: the plaintext that is sealed for one delivery.
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
///
/// Texts are UTF-8; an absent text is empty. Fields with other tags are skipped, so that later ones do no harm.
/// All of it has at most ``GATTFraming/maximumContentLength`` bytes.
public enum NotificationUpdate: Sendable, Hashable {
    /// Shows a notification, in the place of one with the same identifier if there is one.
    case add(NotificationContent)
    /// Changes a notification that is shown; never alerts. One that is not shown stays so.
    case update(NotificationContent)
    /// Takes a notification from the screen.
    case remove(NotificationIdentifier)
    /// Empties the screen.
    case removeAll
}

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
public struct NotificationContent: Sendable, Hashable, Codable {
    public var identifier: NotificationIdentifier
    /// The name of the app that posted it.
    public var sourceName: String
    public var title: String
    public var subtitle: String
    public var body: String
    /// Whether the die should draw attention to it.
    public var alerts: Bool

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

extension NotificationUpdate {
    private static let version: UInt8 = 1

    private enum Tag {
        static let notification: UInt8 = 1
        static let source: UInt8 = 2
        static let sourceName: UInt8 = 3
        static let title: UInt8 = 4
        static let subtitle: UInt8 = 5
        static let body: UInt8 = 6
        static let alert: UInt8 = 7
    }

    /// From the plaintext of one delivery.
    public init(decoding bytes: Data) throws(DieProtocolError) {
        guard bytes.count <= GATTFraming.maximumContentLength else {
            throw .tooLong(what: "an update", count: bytes.count, limit: GATTFraming.maximumContentLength)
        }
        var reader = ByteReader(bytes)
        let version = try reader.uint8("an update's version")
        guard version == Self.version else { throw .unknownVersion(version, what: "an update") }
        let operation = try reader.uint8("an update's operation")
        let fields = try Fields(&reader)
        switch operation {
        case 1: self = .add(try Self.content(of: fields))
        case 2: self = .update(try Self.content(of: fields))
        case 3: self = .remove(try Self.identifier(of: fields))
        case 4: self = .removeAll
        default: throw .unknownKind(operation, what: "an update")
        }
    }

    private static func identifier(of fields: Fields) throws(DieProtocolError) -> NotificationIdentifier {
        guard let notification = try fields.text(Tag.notification), let source = try fields.text(Tag.source) else {
            throw .truncated(what: "the notification's identifier")
        }
        return NotificationIdentifier(source: source, notification: notification)
    }

    private static func content(of fields: Fields) throws(DieProtocolError) -> NotificationContent {
        let alert = fields.values[Tag.alert]
        guard alert == nil || alert == Data([0]) || alert == Data([1]) else { throw .invalid(what: "the alert") }
        return NotificationContent(
            identifier: try identifier(of: fields), sourceName: try fields.text(Tag.sourceName) ?? "",
            title: try fields.text(Tag.title) ?? "", subtitle: try fields.text(Tag.subtitle) ?? "",
            body: try fields.text(Tag.body) ?? "", alerts: alert == Data([1]))
    }

    /// The plaintext of one delivery, or an error if it is longer than a delivery may be.
    public func encoded() throws(DieProtocolError) -> Data {
        var bytes = Data([Self.version])
        switch self {
        case .add(let content):
            bytes.append(1)
            Self.append(content, to: &bytes)
            if content.alerts { Self.append(Data([1]), Tag.alert, to: &bytes) }
        case .update(let content):
            bytes.append(2)
            Self.append(content, to: &bytes)
        case .remove(let identifier):
            bytes.append(3)
            Self.append(identifier, to: &bytes)
        case .removeAll:
            bytes.append(4)
        }
        guard bytes.count <= GATTFraming.maximumContentLength else {
            throw .tooLong(what: "an update", count: bytes.count, limit: GATTFraming.maximumContentLength)
        }
        return bytes
    }

    private static func append(_ content: NotificationContent, to bytes: inout Data) {
        append(content.identifier, to: &bytes)
        for (text, tag) in [
            (content.sourceName, Tag.sourceName), (content.title, Tag.title), (content.subtitle, Tag.subtitle),
            (content.body, Tag.body),
        ] where !text.isEmpty {
            append(Data(text.utf8), tag, to: &bytes)
        }
    }

    private static func append(_ identifier: NotificationIdentifier, to bytes: inout Data) {
        append(Data(identifier.notification.utf8), Tag.notification, to: &bytes)
        append(Data(identifier.source.utf8), Tag.source, to: &bytes)
    }

    private static func append(_ value: Data, _ tag: UInt8, to bytes: inout Data) {
        bytes.append(tag)
        bytes.append(littleEndian: UInt32(clamping: value.count))
        bytes.append(value)
    }

    /// The fields of an update, by their tags.
    private struct Fields {
        private(set) var values: [UInt8: Data] = [:]

        init(_ reader: inout ByteReader) throws(DieProtocolError) {
            while reader.count > 0 {
                let tag = try reader.uint8("a field's tag")
                let value = try reader.bytes(Int(reader.uint32("a field's length")), "a field's value")
                guard values.updateValue(value, forKey: tag) == nil else { throw .invalid(what: "a field, twice,") }
            }
        }

        func text(_ tag: UInt8) throws(DieProtocolError) -> String? {
            guard let value = values[tag] else { return nil }
            guard let text = String(validating: value, as: UTF8.self) else { throw .invalid(what: "a text") }
            return text
        }
    }
}
