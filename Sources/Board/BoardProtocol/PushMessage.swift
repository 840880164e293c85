import HILPOSIX

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message between a phone and the push service, which stands in for Apple's. Each is one ``HILPOSIX/Frame``.
///
/// Apple's protocol between phones and its service is not documented, so this is our own. The notification from the
/// maker of an accessory is documented, and the service forwards it unchanged: ``AccessoryPush``.
package enum PushMessage: Sendable, Equatable {
    /// To the service: from now on, send the pushes for this token to this phone.
    case register(token: Data)
    /// To the phone: a notification of at most ``PushService/maximumLength`` bytes of JSON.
    case push(number: UInt32, token: Data, body: Data)
    /// To the service: the phone has received the notification with this number.
    case taken(number: UInt32)

    /// The frame to send. A token has 1 to 255 bytes.
    package var frame: Frame {
        switch self {
        case .register(let token): Frame(kind: 1, payload: Array(token))
        case .push(let number, let token, let body):
            Frame(kind: 2, payload: Self.bytes(of: number) + [UInt8(clamping: token.count)] + token + body)
        case .taken(let number): Frame(kind: 3, payload: Self.bytes(of: number))
        }
    }

    /// Reads a frame; nil if it is not a message.
    package init?(_ frame: Frame) {
        let bytes = frame.payload
        let number = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch frame.kind {
        case 1:
            guard (1...255).contains(bytes.count) else { return nil }
            self = .register(token: Data(bytes))
        case 2:
            guard bytes.count > 5, case let length = Int(bytes[4]), length > 0, bytes.count >= 5 + length else {
                return nil
            }
            let body = Data(bytes[(5 + length)...])
            guard body.count <= PushService.maximumLength else { return nil }
            self = .push(number: number, token: Data(bytes[5..<(5 + length)]), body: body)
        case 3:
            guard bytes.count == 4 else { return nil }
            self = .taken(number: number)
        default: return nil
        }
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// The address and the limits of the push service.
package enum PushService {
    /// Its IPv4 address on the rig, from a range for documentation (RFC 5737).
    package static let host = "203.0.113.1"
    /// The TCP port, the same as Apple's.
    package static let port: UInt16 = 5223
    /// The largest notification in bytes of JSON; Apple's "Generating a remote notification": 4 KB.
    package static let maximumLength = 4096
    /// The largest payload of a frame in bytes.
    package static let maximumPayload = maximumLength + 260
}

/// A notification of the push type `accessory`, which carries a message of an accessory to the phone.
///
/// Source: Apple's article "Responding to forwarded notifications": `{"aps": {"encryptedData": …, "sessionIdentifier":
/// …, "keyID": …, "messageIndex": …}}`, data in Base64.
package struct AccessoryPush: Sendable, Hashable, Codable {
    private struct Content: Sendable, Hashable, Codable {
        var encryptedData: Data
        var sessionIdentifier: String
        var keyID: Data
        var messageIndex: String
    }

    private var aps: Content

    /// - Parameter sealed: Key identifier (4 bytes) and message index (4, little-endian), then nonce, ciphertext and
    ///   tag. Nil is returned for fewer than 36 bytes.
    package init?(session: UUID, sealed: Data) {
        guard sealed.count >= 36 else { return nil }
        let index = sealed.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        aps = Content(
            encryptedData: Data(sealed.dropFirst(8)), sessionIdentifier: session.uuidString,
            keyID: Data(sealed.prefix(4)), messageIndex: "\(index)")
    }

    /// Reads the JSON of a notification.
    ///
    /// - Throws: `DecodingError` if it is not a notification, or the session, key or index is missing.
    package init(decoding body: Data) throws {
        self = try JSONDecoder().decode(AccessoryPush.self, from: body)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        aps = try container.decode(Content.self, forKey: .aps)
        guard UUID(uuidString: aps.sessionIdentifier) != nil, aps.keyID.count == 4, UInt32(aps.messageIndex) != nil
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .aps, in: container, debugDescription: "the session, key or index is invalid")
        }
    }

    /// The notification's JSON.
    package var body: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Four fields of plain types can always be encoded.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// The session that the message is for.
    package var session: UUID { UUID(uuidString: aps.sessionIdentifier) ?? UUID() }

    /// The bytes that were passed to ``init(session:sealed:)``.
    package var sealed: Data {
        let index = UInt32(aps.messageIndex) ?? 0
        return aps.keyID + withUnsafeBytes(of: index.littleEndian) { Data($0) } + aps.encryptedData
    }
}
