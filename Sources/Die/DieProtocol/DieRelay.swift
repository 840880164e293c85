import FoundationEssentials

/// How a phone and the die exchange notifications over the internet: through a relay of the die's maker. Apple has no
/// such relay. This is the complete description.
///
/// The relay listens by TCP at ``host``. Dies and companion apps connect. They send messages in the framing of
/// ``DieMessageService``, with a limit of ``maximumMessageLength``. A die has a mailbox for the phone with which it
/// shares keys. The name of the mailbox is the identifier of the keys, which nobody else knows. The relay passes on
/// sealed messages and cannot open them. Receipts are not sealed.
///
/// **Messages.** Each starts with its kind, one byte. Numbers are little-endian. Mailboxes and sessions have 16 bytes,
/// most significant first.
///
///     kind  from, to       then
///     32    die, relay     attend: mailbox. From now on this die receives its messages, and no other
///     33    relay, die     attended: mailbox
///     34    app, relay     post: mailbox; token, a length of 1 byte and its bytes; the message
///     35    relay, die     posted: number of the app's connection, 4 bytes; token as in 34; the message
///     36    die, relay     answer: number of the app's connection, 4 bytes; the message
///     37    relay, app     answered: the message
///     38    relay, app     absent: no die attends the mailbox, and the posted message was dropped
///     39    die, relay     push: token as in 34; session; the bytes of ``MessageSealing/Ratchet``
///
/// The message of 34 and 35 is a delivery of ``NotificationMessage``, that of 36 and 37 its receipt. They are passed on
/// at once or not at all, so that an old message never comes after a new one by another transport. Messages of the die
/// to the data provider are sent by 39 to the phone's push service, which stores them for an absent phone.
///
/// **Limits.** A token has 1 to 255 bytes. A push has at most ``maximumPushLength`` bytes, sealed. A peer that sends
/// invalid bytes, or leaves a message incomplete for ``DieMessageService/patienceSeconds``, is disconnected.
package enum DieRelay {
    /// The relay's IPv4 address, from a range for documentation (RFC 5737), in dotted form.
    package static let host = "203.0.113.1"
    /// The TCP port.
    package static let port: UInt16 = 7009
    /// The largest message in bytes: one of ``DieMessageService`` and the relay's own fields.
    package static let maximumMessageLength = DieMessageService.maximumMessageLength + 512
    /// The largest push in bytes, sealed. It fits into a notification of the push service, 4096 bytes.
    package static let maximumPushLength = 2800

    /// A message to or from the relay.
    package enum Message: Sendable, Hashable {
        case attend(mailbox: UUID)
        case attended(mailbox: UUID)
        case post(mailbox: UUID, token: Data, Data)
        case posted(app: UInt32, token: Data, Data)
        case answer(app: UInt32, Data)
        case answered(Data)
        case absent
        case push(token: Data, session: UUID, sealed: Data)
    }

    /// The bytes to send for a message.
    ///
    /// - Throws: `tooLong` above ``maximumMessageLength``, `invalid` for a token without bytes or with more than 255.
    package static func frame(_ message: Message) throws(DieProtocolError) -> Data {
        try DieMessageService.frame(message.encoded(), limit: maximumMessageLength)
    }

    /// Splits the bytes of a connection into messages. Use a new reader for each connection and direction.
    package struct Reader: Sendable {
        private var frames = DieMessageService.Reader(limit: maximumMessageLength)

        package init() {}

        /// How many bytes of an incomplete message are kept.
        package var pendingByteCount: Int { frames.pendingByteCount }

        /// Adds received bytes, and returns the messages that are complete now, in order.
        ///
        /// - Throws: Why the connection cannot be used any more. Messages that were complete before the fault are lost
        ///   too.
        package mutating func push(_ bytes: Data) throws(DieProtocolError) -> [Message] {
            var messages: [Message] = []
            for frame in try frames.push(bytes) { messages.append(try Message(decoding: frame)) }
            return messages
        }
    }
}

extension DieRelay.Message {
    /// Parses a complete message.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        var reader = ByteReader(bytes)
        let kind = try reader.uint8("a relay message's kind")
        switch kind {
        case 32: self = .attend(mailbox: try Self.identifier(&reader, "the mailbox"))
        case 33: self = .attended(mailbox: try Self.identifier(&reader, "the mailbox"))
        case 34:
            let mailbox = try Self.identifier(&reader, "the mailbox")
            self = .post(mailbox: mailbox, token: try Self.token(&reader), try Self.rest(&reader))
        case 35:
            let app = try reader.uint32("the app's connection")
            self = .posted(app: app, token: try Self.token(&reader), try Self.rest(&reader))
        case 36: self = .answer(app: try reader.uint32("the app's connection"), try Self.rest(&reader))
        case 37: self = .answered(try Self.rest(&reader))
        case 38: self = .absent
        case 39:
            let token = try Self.token(&reader)
            let session = try Self.identifier(&reader, "the session")
            self = .push(token: token, session: session, sealed: try Self.rest(&reader))
        default: throw .unknownKind(kind, what: "a relay message")
        }
        try reader.end(of: "a relay message")
    }

    private static func identifier(_ reader: inout ByteReader, _ what: String) throws(DieProtocolError) -> UUID {
        UUID(bigEndian: try reader.bytes(16, what))
    }

    private static func token(_ reader: inout ByteReader) throws(DieProtocolError) -> Data {
        let count = Int(try reader.uint8("the token's length"))
        guard count > 0 else { throw .invalid(what: "the token's length, 0,") }
        return try reader.bytes(count, "the token")
    }

    private static func rest(_ reader: inout ByteReader) throws(DieProtocolError) -> Data {
        guard reader.count > 0 else { throw .truncated(what: "the message to pass on") }
        return reader.remainder()
    }

    /// The bytes of the message.
    ///
    /// - Throws: `invalid` for a token without bytes, `tooLong` for one with more than 255.
    package func encoded() throws(DieProtocolError) -> Data {
        var bytes = Data()
        switch self {
        case .attend(let mailbox): bytes.append(32, mailbox)
        case .attended(let mailbox): bytes.append(33, mailbox)
        case .post(let mailbox, let token, let message):
            bytes.append(34, mailbox)
            try bytes.append(token: token)
            bytes.append(message)
        case .posted(let app, let token, let message):
            bytes.append(35)
            bytes.append(littleEndian: app)
            try bytes.append(token: token)
            bytes.append(message)
        case .answer(let app, let message):
            bytes.append(36)
            bytes.append(littleEndian: app)
            bytes.append(message)
        case .answered(let message):
            bytes.append(37)
            bytes.append(message)
        case .absent: bytes.append(38)
        case .push(let token, let session, let sealed):
            bytes.append(39)
            try bytes.append(token: token)
            bytes.append(session)
            bytes.append(sealed)
        }
        return bytes
    }
}

extension Data {
    fileprivate mutating func append(_ kind: UInt8, _ identifier: UUID) {
        append(kind)
        append(identifier)
    }

    fileprivate mutating func append(_ identifier: UUID) {
        Swift.withUnsafeBytes(of: identifier.uuid) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(token: Data) throws(DieProtocolError) {
        guard !token.isEmpty else { throw .invalid(what: "the token, which is empty,") }
        guard token.count <= 255 else { throw .tooLong(what: "the token", count: token.count, limit: 255) }
        append(UInt8(token.count))
        append(token)
    }
}
