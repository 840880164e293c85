import FoundationEssentials

/// How a phone and the die exchange notifications and keys over GATT. This is the complete wire format.
///
/// To write another accessory or to replace this format, only this file and ``NotificationUpdate`` are needed. Numbers
/// are little-endian. Texts are UTF-8.
///
/// **Two channels**, each in both directions. The phone subscribes to both characteristics.
///
///     characteristic             phone to die               die to phone   carries
///     DieGATT.security           write with response        notification   KeyExchangeMessage
///     DieGATT.notifications      write without response     notification   NotificationMessage
///
/// **Segments.** Each write and each notification is one segment of a message. The segments of a message follow each
/// other in order, and messages of one channel and direction never mix. A segment has at most ATT_MTU - 3 bytes, and at
/// most 512, the longest attribute value. The sender chooses the length.
///
///     offset  length  field
///     0       1       high 4 bits: version of this format, 1; bit 0: first segment; bit 1: last segment
///     1       1       number of the segment in its message, from 0, modulo 256
///     2       4       first segment only: length of the message in bytes
///     2 or 6          part of the message, at least 1 byte
///
/// A first segment starts a new message; an incomplete earlier message is dropped. Any other fault (wrong version, gap,
/// more or fewer bytes than announced, a message that is too long) drops the message, and the receiver skips to the
/// next first segment. When a link is lost, both sides drop incomplete messages.
///
/// **Messages.** The first byte is the kind.
///
///     security, kind 1, key request       phone to die: asks for a public key
///         suite 1, version 1, identifier length 1, identifier
///     security, kind 2, public key        die to phone, when asked or unasked: starts an exchange
///         suite 1, version 1, transports 1, identifier length 1 (0: none), identifier, key length 2, key
///     security, kind 3, encapsulated key  phone to die: ends the exchange
///         suite 1, version 1, identifier length 1, identifier, key length 2, key
///     security, kind 4, result            die to phone: answers kinds 1 (if refused) and 3
///         outcome 1
///     security, kind 5, end               phone to die: forwarding has ended; the die forgets keys and screen
///     notifications, kind 16, delivery    phone to die
///         number 4, session 16, sealed data (nonce 12, ciphertext, tag 16)
///     notifications, kind 17, receipt     die to phone: answers each delivery
///         number 4, outcome 1
///     notifications, kind 19, question    phone to die: asks for the receipt of the latest delivery, even if sent
///     notifications, kind 18, message     die to phone: for the data provider, at any time; not answered
///         session 16, sealed data (nonce 12, ciphertext, tag 16)
///
/// Suites: 1 P-256, 2 X-Wing. Version: 1. Transports: bit 0 Bluetooth, bit 1 local network, bit 2 internet.
/// The identifier of an encapsulated key is the one in HPKE's `info`. A session is a UUID, most significant byte first.
/// The phone chooses the number of a delivery, below 2^30. The receipt repeats it.
///
/// **Several deliveries at once.** The phone may send a delivery before the previous one is answered. It then has the
/// next number (after 2^30 - 1 comes 0) plus 2^31. The die accepts such a delivery only if the delivery with the
/// previous number came over this link. Otherwise the die does not open it and answers with outcome 5; the phone then
/// sends all unanswered deliveries again. The die answers deliveries in order, so a receipt with outcome 0 also answers
/// those before it. By adding 2^30 to a number, the phone shows that it does not wait for outcome 0: the die may keep
/// that receipt until it is asked.
///
/// **Lost deliveries.** If the last deliveries are lost, only the phone can notice: it asks when no more receipts come.
/// The die answers every question with the receipt of the latest delivery that it accepted over this link, even if it
/// has sent it before, or with number 0 and outcome 5 if it has accepted none. If the phone already has this receipt,
/// or the number is 0, everything that it sent between that delivery and the question was lost. The phone sends it
/// again with new numbers.
///
/// A delivery is sealed with the secret whose context contains `-HostToAccessory-`, a message with the secret whose
/// context contains `-AccessoryToHost-`. Both contexts end with the session. The die learns a session from a delivery
/// that it opened. When a message cannot be opened, the phone forgets the keys and asks for a public key again.
package enum GATTFraming {
    /// The version of this format.
    package static let version: UInt8 = 1
    /// The largest ``NotificationUpdate`` in bytes, 1 MiB.
    package static let maximumContentLength = 1 << 20
    /// The largest message in bytes: the largest content, its nonce and tag, and its envelope.
    package static let maximumMessageLength = maximumContentLength + 64
    /// The allowed lengths of segments: from the longest for an ATT_MTU of 23 to the longest attribute value.
    package static let segmentLengths = 20...512

    /// The longest segment that the phone sends. bluetoothd 5.66, which Debian 12 has, counts the two bytes of the
    /// handle as part of a written value, and refuses 511 and 512 bytes (bluez/bluez, issue 570).
    package static let longestWrite = 510

    static let firstFlag: UInt8 = 1
    static let lastFlag: UInt8 = 2
    static let headerLength = 2
    static let firstHeaderLength = 6

    /// The longest segment that fits a link's ATT_MTU (23 to 517).
    package static func segmentLength(mtu: Int) -> Int {
        min(max(mtu - 3, segmentLengths.lowerBound), segmentLengths.upperBound)
    }

    /// Splits a message into segments of at most `segmentLength` bytes, in order.
    ///
    /// - Parameter segmentLength: At least 20; more than 512 counts as 512.
    /// - Throws: `invalid` for an empty message or a segment length below the minimum, `tooLong` above
    ///   ``maximumMessageLength``.
    package static func split(_ message: Data, segmentLength: Int) throws(DieProtocolError) -> [Data] {
        guard !message.isEmpty else { throw .invalid(what: "the message, which is empty,") }
        guard message.count <= maximumMessageLength else {
            throw .tooLong(what: "the message", count: message.count, limit: maximumMessageLength)
        }
        guard segmentLength >= segmentLengths.lowerBound else { throw .invalid(what: "the segments' length") }
        let segmentLength = min(segmentLength, segmentLengths.upperBound)
        var segments: [Data] = []
        var rest = message[...]
        repeat {
            let isFirst = segments.isEmpty
            let part = rest.prefix(segmentLength - (isFirst ? firstHeaderLength : headerLength))
            rest = rest.dropFirst(part.count)
            let flags = (isFirst ? firstFlag : 0) | (rest.isEmpty ? lastFlag : 0)
            var segment = Data(capacity: segmentLength)
            segment.append(contentsOf: [version << 4 | flags, UInt8(truncatingIfNeeded: segments.count)])
            if isFirst { segment.append(littleEndian: UInt32(message.count)) }
            segment.append(part)
            segments.append(segment)
        } while !rest.isEmpty
        return segments
    }

    /// Joins the segments of one channel and direction. Use a new joiner for each connection.
    package struct Joiner: Sendable {
        private var message = Data()
        private var announced = 0
        private var nextNumber: UInt8?

        package init() {}

        /// How many bytes of an incomplete message are kept.
        package var pendingByteCount: Int { message.count }

        /// Adds a segment. Returns the message if it is complete now.
        ///
        /// It keeps no more than was received, regardless of the announced length.
        ///
        /// - Throws: Why the segment and the incomplete message were dropped. The joiner can still be used.
        package mutating func join(_ segment: Data) throws(DieProtocolError) -> Data? {
            do {
                return try take(segment)
            } catch {
                self = Joiner()
                throw error
            }
        }

        private mutating func take(_ segment: Data) throws(DieProtocolError) -> Data? {
            var reader = ByteReader(segment)
            let head = try reader.uint8("a segment's header")
            guard head >> 4 == GATTFraming.version else { throw .unknownVersion(head >> 4, what: "a segment") }
            guard head & 0x0F & ~(firstFlag | lastFlag) == 0 else { throw .invalid(what: "a segment's flags") }
            let number = try reader.uint8("a segment's number")
            if head & firstFlag != 0 {
                guard number == 0 else { throw .invalid(what: "the first segment's number") }
                self = Joiner()
                announced = Int(try reader.uint32("a message's length"))
                guard announced <= maximumMessageLength else {
                    throw .tooLong(what: "an announced message", count: announced, limit: maximumMessageLength)
                }
            } else {
                guard let nextNumber else { throw .invalid(what: "a segment that continues no message") }
                guard number == nextNumber else { throw .invalid(what: "a segment's number, after a gap,") }
            }
            guard reader.count > 0 else { throw .truncated(what: "a segment's part of the message") }
            message.append(reader.remainder())
            nextNumber = number &+ 1
            return try finished(isLast: head & lastFlag != 0)
        }

        private mutating func finished(isLast: Bool) throws(DieProtocolError) -> Data? {
            guard message.count <= announced else {
                throw .tooLong(what: "a message", count: message.count, limit: announced)
            }
            guard isLast else {
                guard message.count < announced else { throw .invalid(what: "a whole message's last segment") }
                return nil
            }
            guard message.count == announced else { throw .truncated(what: "the announced end of a message") }
            defer { self = Joiner() }
            return message
        }
    }
}
