import FoundationEssentials

/// A message of the notification channel between phone and die. ``GATTFraming`` describes its bytes.
package enum NotificationMessage: Sendable, Hashable {
    /// The die's result for a delivery.
    package enum Outcome: UInt8, Sendable, Hashable, Codable {
        /// It was opened and carried out.
        case accepted = 0
        /// It was received before. Nothing was changed.
        case repeated = 1
        /// It could not be opened with the die's keys. The die has forgotten them and sends a new public key.
        case notOpened = 2
        /// The die has no keys. It sends a public key.
        case noKeys = 3
        /// It was opened, but its content could not be parsed.
        case malformedContent = 4
        /// It follows a delivery that did not arrive. It was not opened.
        case outOfOrder = 5
    }

    /// An encrypted ``NotificationUpdate``.
    case delivery(number: UInt32, session: UUID, sealed: Data)
    /// The answer to the delivery with this number.
    case receipt(number: UInt32, Outcome)
    /// Asks for the receipt of the latest delivery, over Bluetooth.
    case question
    /// A message of the die to the phone's data provider in a session, encrypted.
    case message(session: UUID, sealed: Data)

    /// Parses a joined message.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        var reader = ByteReader(bytes)
        let kind = try reader.uint8("a notification message's kind")
        switch kind {
        case 16:
            let number = try reader.uint32("the delivery's number")
            let session = try reader.bytes(16, "the session")
            self = .delivery(number: number, session: UUID(bigEndian: session), sealed: reader.remainder())
        case 17:
            let number = try reader.uint32("the delivery's number")
            guard let outcome = Outcome(rawValue: try reader.uint8("the outcome")) else {
                throw .invalid(what: "the outcome of a delivery")
            }
            self = .receipt(number: number, outcome)
        case 18:
            let session = try reader.bytes(16, "the session")
            self = .message(session: UUID(bigEndian: session), sealed: reader.remainder())
        case 19:
            self = .question
        default:
            throw .unknownKind(kind, what: "a notification message")
        }
        try reader.end(of: "a notification message")
    }

    /// The bytes to split into segments.
    package var encoded: Data {
        switch self {
        case .delivery(let number, let session, let sealed):
            var bytes = Data(capacity: 21 + sealed.count)
            bytes.append(16)
            bytes.append(littleEndian: number)
            withUnsafeBytes(of: session.uuid) { bytes.append(contentsOf: $0) }
            bytes.append(sealed)
            return bytes
        case .receipt(let number, let outcome):
            var bytes = Data([17])
            bytes.append(littleEndian: number)
            bytes.append(outcome.rawValue)
            return bytes
        case .question:
            return Data([19])
        case .message(let session, let sealed):
            var bytes = Data(capacity: 17 + sealed.count)
            bytes.append(18)
            withUnsafeBytes(of: session.uuid) { bytes.append(contentsOf: $0) }
            bytes.append(sealed)
            return bytes
        }
    }
}

extension UUID {
    /// From 16 bytes, most significant first.
    init(bigEndian bytes: Data) {
        precondition(bytes.count == 16, "a UUID has 16 bytes")
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        self.init(uuid: uuid)
    }
}
