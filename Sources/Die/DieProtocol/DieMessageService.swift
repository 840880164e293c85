import FoundationEssentials

/// How a phone and the die exchange notifications over the die's own network. This is the complete description.
///
/// The die listens by TCP on its address in each network that it opens. That address is also the router's. The phone
/// connects, and both sides send messages over the one connection as long as it exists.
///
/// **Messages** follow each other without a gap. Numbers are little-endian.
///
///     offset  length  field
///     0       1       version of this format, 1
///     1       4       length of the message in bytes, 1 to 1,048,640
///     5               the message: its first byte is the kind
///
/// The messages are ``NotificationMessage``s with the same bytes as in ``GATTFraming``. A receipt is sent over the
/// connection of its delivery. Keys are exchanged over Bluetooth only, and are also valid here. The die accepts a
/// delivery once, by any transport: a repeated one is answered with a receipt that says so.
///
/// **Limits.** The die serves ``connections`` phones at once. A further phone replaces the phone that was silent
/// longest. A peer that sends invalid bytes, or leaves a message incomplete for ``patienceSeconds``, is disconnected,
/// because a stream has no mark for the next message. When a connection is lost, both sides drop incomplete messages.
package enum DieMessageService {
    /// The TCP port.
    package static let port: UInt16 = 7008
    /// The version of this format.
    package static let version: UInt8 = 1
    /// The largest message in bytes, the same as over Bluetooth.
    package static let maximumMessageLength = GATTFraming.maximumMessageLength
    /// The most phones at once.
    package static let connections = 4
    /// How long to wait for more bytes of an incomplete message, in seconds.
    package static let patienceSeconds = 5

    static let headerLength = 5

    /// The bytes to send for a message.
    ///
    /// - Parameter limit: The longest message, in bytes.
    /// - Throws: `invalid` for an empty message, `tooLong` above the limit.
    package static func frame(
        _ message: Data, limit: Int = maximumMessageLength
    ) throws(DieProtocolError) -> Data {
        guard !message.isEmpty else { throw .invalid(what: "the message, which is empty,") }
        guard message.count <= limit else {
            throw .tooLong(what: "the message", count: message.count, limit: limit)
        }
        var bytes = Data(capacity: headerLength + message.count)
        bytes.append(version)
        bytes.append(littleEndian: UInt32(message.count))
        bytes.append(message)
        return bytes
    }

    /// Splits the bytes of a connection into messages. Use a new reader for each connection and direction.
    package struct Reader: Sendable {
        private let limit: Int
        private var pending = Data()

        /// - Parameter limit: The longest message, in bytes.
        package init(limit: Int = maximumMessageLength) { self.limit = limit }

        /// How many bytes of an incomplete message are kept.
        package var pendingByteCount: Int { pending.count }

        /// Adds received bytes, and returns the messages that are complete now, in order.
        ///
        /// It keeps no more than was received, regardless of the announced length.
        ///
        /// - Throws: Why the connection cannot be used any more. Messages that were complete before the fault are lost
        ///   too.
        package mutating func push(_ bytes: Data) throws(DieProtocolError) -> [Data] {
            pending.append(bytes)
            var messages: [Data] = []
            var rest = pending[...]
            while let length = try announcedLength(in: rest), rest.count >= headerLength + length {
                messages.append(Data(rest.dropFirst(headerLength).prefix(length)))
                rest = rest.dropFirst(headerLength + length)
            }
            // Once for all messages: otherwise many small messages would each copy all remaining bytes.
            pending = Data(rest)
            return messages
        }

        /// The length of the next message; nil if its header is incomplete.
        private func announcedLength(in bytes: Data) throws(DieProtocolError) -> Int? {
            guard let first = bytes.first else { return nil }
            guard first == version else { throw .unknownVersion(first, what: "a message") }
            guard bytes.count >= headerLength else { return nil }
            var reader = ByteReader(bytes.dropFirst())
            let length = Int(try reader.uint32("a message's length"))
            guard length > 0 else { throw .invalid(what: "an announced message's length, 0,") }
            guard length <= limit else {
                throw .tooLong(what: "an announced message", count: length, limit: limit)
            }
            return length
        }
    }
}
