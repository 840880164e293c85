import FoundationEssentials

/// How notifications travel between a phone and the die over the die's own network: the whole of it.
///
/// The die listens by TCP on its address in each network that it opens, which is the router's there. The phone connects, and
/// both ends send messages over the one connection as long as it stands.
///
/// **Messages** follow each other without a gap. Numbers are little-endian.
///
///     offset  length  field
///     0       1       version of this format, 1
///     1       4       length of the message in bytes, 1 to 1,048,640
///     5               the message: its first byte is the kind
///
/// The messages are ``NotificationMessage``s, as in ``GATTFraming``, byte by byte; a receipt goes over the connection by which
/// its delivery came. Keys are exchanged over Bluetooth alone, and hold here too. The die takes a delivery once, whichever way
/// it comes: a repeated one is answered with a receipt that says so.
///
/// **Limits.** The die serves ``connections`` phones at once; one more takes the place of the one that was silent longest.
/// A peer that breaks the format, or leaves a message unfinished for ``patienceSeconds``, is hung up on: in a stream there is
/// no next message to skip to. A connection that is lost drops what is unfinished on both sides.
package enum DieMessageService {
    /// The TCP port.
    package static let port: UInt16 = 7008
    /// The version of this format.
    package static let version: UInt8 = 1
    /// The largest message in bytes, the same as over Bluetooth.
    package static let maximumMessageLength = GATTFraming.maximumMessageLength
    /// How many phones are served at once.
    package static let connections = 4
    /// How long the rest of a message may take once nothing more of it comes.
    package static let patienceSeconds = 5

    static let headerLength = 5

    /// A message as it travels.
    ///
    /// - Parameter limit: how long it may be, bytes.
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

    /// Takes a connection's bytes apart into messages, however they are cut; a new one for each connection and direction.
    package struct Reader: Sendable {
        private let limit: Int
        private var pending = Data()

        /// - Parameter limit: how long a message may be, bytes.
        package init(limit: Int = maximumMessageLength) { self.limit = limit }

        /// How many bytes of an unfinished message are kept.
        package var pendingByteCount: Int { pending.count }

        /// Takes the next bytes; gives the messages that they complete, in order.
        ///
        /// It keeps no more than was received, whatever length a message announces.
        ///
        /// - Throws: why the connection is of no use any more. What was complete before the fault is lost with it.
        package mutating func push(_ bytes: Data) throws(DieProtocolError) -> [Data] {
            pending.append(bytes)
            var messages: [Data] = []
            var rest = pending[...]
            while let length = try announcedLength(in: rest), rest.count >= headerLength + length {
                messages.append(Data(rest.dropFirst(headerLength).prefix(length)))
                rest = rest.dropFirst(headerLength + length)
            }
            // Once, not for each message: a peer that sends many small ones would have all the rest copied for every one.
            pending = Data(rest)
            return messages
        }

        /// The length of the message that comes next; nil where it has not come yet.
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
