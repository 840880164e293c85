import FoundationEssentials

/// A person's answer on the die: the plaintext that is sealed for one message to the phone's data provider.
///
///     offset  length  field
///     0       1       version, 1
///     1       1       kind: 1 response
///     then fields until the end, each at most once, in any order:
///             1       tag
///             4       length n, little-endian
///             n       value
///
///     tag  field
///     1    notification's identifier; required
///     2    source's identifier; required
///     3    action's identifier, one of the notification's actions; required
///     4    text that the person entered, for an action of kind text input
///     5    number: 8 bytes, little-endian; a reply with a number that was received before is ignored
///
/// Texts are UTF-8. Fields with other tags are skipped, so that new fields can be added later.
/// A reply has at most ``maximumLength`` bytes.
package struct NotificationReply: Sendable, Hashable {
    /// The largest reply in bytes, 64 KiB: more than a person can type on a die.
    package static let maximumLength = 1 << 16

    package var identifier: NotificationIdentifier
    /// The app's name for the chosen action.
    package var action: String
    /// Nil for an action without a text.
    package var text: String?
    /// No other reply has this number. Nil if the sender uses no numbers.
    package var number: UInt64?

    package init(identifier: NotificationIdentifier, action: String, text: String? = nil, number: UInt64? = nil) {
        self.identifier = identifier
        self.action = action
        self.text = text
        self.number = number
    }
}

extension NotificationReply {
    private static let version: UInt8 = 1
    private static let response: UInt8 = 1

    private enum Tag {
        static let notification: UInt8 = 1
        static let source: UInt8 = 2
        static let action: UInt8 = 3
        static let text: UInt8 = 4
        static let number: UInt8 = 5
    }

    /// Parses the plaintext of one message.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        guard bytes.count <= Self.maximumLength else {
            throw .tooLong(what: "a reply", count: bytes.count, limit: Self.maximumLength)
        }
        var reader = ByteReader(bytes)
        let version = try reader.uint8("a reply's version")
        guard version == Self.version else { throw .unknownVersion(version, what: "a reply") }
        let kind = try reader.uint8("a reply's kind")
        guard kind == Self.response else { throw .unknownKind(kind, what: "a reply") }
        let fields = try TaggedFields(&reader)
        identifier = try fields.identifier(Tag.notification, Tag.source)
        guard let action = try fields.text(Tag.action) else { throw .truncated(what: "the action's identifier") }
        self.action = action
        text = try fields.text(Tag.text)
        number = try fields.number(Tag.number, "a reply's number")
    }

    /// The plaintext of one message. Throws if it is longer than ``maximumLength``.
    package func encoded() throws(DieProtocolError) -> Data {
        var bytes = Data([Self.version, Self.response])
        bytes.append(identifier, Tag.notification, Tag.source)
        bytes.append(field: Data(action.utf8), Tag.action)
        if let text { bytes.append(field: Data(text.utf8), Tag.text) }
        if let number {
            var value = Data()
            value.append(littleEndian: number)
            bytes.append(field: value, Tag.number)
        }
        guard bytes.count <= Self.maximumLength else {
            throw .tooLong(what: "a reply", count: bytes.count, limit: Self.maximumLength)
        }
        return bytes
    }
}
