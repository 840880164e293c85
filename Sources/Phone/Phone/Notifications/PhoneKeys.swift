import CryptoKit
import Foundation
import MessageSealing

/// The phone's side of one key exchange: its answer to the accessory, and the keys of one session.
///
/// Sources: seed "Receiving iOS notifications on an accessory", "Decrypt notification data on your accessory"; for the
/// internet, `Ratchet`.
struct PhoneKeys: Sendable {
    /// The encapsulated key for the accessory.
    let answer: SecurityMessage
    /// Seals messages for Bluetooth and the local network.
    private var sealer: MessageSealer
    /// Opens messages from Bluetooth and the local network.
    private var opener: MessageOpener
    /// The same for the internet.
    private var ratchetSender: RatchetSender
    private var ratchetReceiver: RatchetReceiver

    /// Encapsulates a fresh secret for the accessory's public key (S2, S3, S4).
    ///
    /// - Parameters:
    ///   - peripheral: The peripheral's identifier; stands in `info` if the message has no identifier.
    ///   - session: The session's identifier; stands for the feature in the contexts of the exported secrets.
    /// - Throws: ``SecurityPortError`` if the public key cannot be used.
    init(answering message: SecurityMessage, peripheral: UUID, session: UUID) throws(SecurityPortError) {
        try Self.check(message)
        let identifier = message.identifier ?? peripheral.uuidString
        let protocolInfo = "\(message.cipherSuite)-\(message.version)-\(identifier)"
        let sender = try Self.sender(to: message, info: Data(protocolInfo.utf8))
        func secret(_ context: Data) throws(SecurityPortError) -> SymmetricKey {
            do { return try sender.exportSecret(context: context, outputByteCount: 32) } catch {
                throw .unsupported("no secrets could be exported for the session: \(error)")
            }
        }
        let feature = session.uuidString
        sealer = MessageSealer(key: try secret(Data("\(protocolInfo)-HostToAccessory-\(feature)".utf8)))
        opener = MessageOpener(key: try secret(Data("\(protocolInfo)-AccessoryToHost-\(feature)".utf8)))
        let keyIdentifier = Ratchet.keyIdentifier(of: message.key)
        ratchetSender = RatchetSender(
            chainKey: try secret(Ratchet.contextHostToAccessory(identifier)), keyIdentifier: keyIdentifier)
        ratchetReceiver = RatchetReceiver(
            chainKey: try secret(Ratchet.contextAccessoryToHost(identifier)), keyIdentifier: keyIdentifier)
        answer = SecurityMessage(
            keyType: .encapsulatedKey, cipherSuite: message.cipherSuite, version: message.version,
            key: sender.encapsulatedKey, supportedTransports: message.supportedTransports, identifier: identifier)
    }

    private static func sender(to message: SecurityMessage, info: Data) throws(SecurityPortError) -> HPKE.Sender {
        do {
            switch message.cipherSuite {
            case .p256:
                return try HPKE.Sender(
                    recipientKey: P256.KeyAgreement.PublicKey(rawRepresentation: message.key),
                    ciphersuite: .P256_SHA256_AES_GCM_256, info: info)
            case .xWing:
                return try HPKE.Sender(
                    recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: message.key),
                    ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: info)
            }
        } catch {
            let form = message.cipherSuite == .p256 ? "P-256, 64 bytes X‖Y" : "X-Wing, 1216 bytes"
            throw .unsupported(
                "the accessory's public key, \(message.key.count) bytes, is not a key of \(form): \(error)")
        }
    }

    private static func check(_ message: SecurityMessage) throws(SecurityPortError) {
        guard message.keyType == .publicKey else {
            throw .unsupported("an extension sends public keys; encapsulated keys come from the phone")
        }
        guard !message.supportedTransports.isEmpty else { throw .unsupported("the message names no transport") }
        guard message.cipherSuite == .xWing || message.supportedTransports.allSatisfy({ $0 == .bluetooth }) else {
            throw .unsupported("the transports localNetwork and internet need the cipher suite xWing (S3)")
        }
    }

    /// Seals a message for a transport. Never uses a nonce twice with a key (S7); nil if the keys have reached their
    /// limit.
    mutating func seal(_ plaintext: Data, for transport: AccessoryTransport) throws -> Data? {
        if transport == .internet { return try ratchetSender.seal(plaintext) }
        return sealer.messageCount < UInt64(MessageOpener.messageLimit) ? try sealer.seal(plaintext) : nil
    }

    /// Opens a message that the accessory sealed for a transport. Each message opens only once (S5, S7).
    mutating func open(_ sealed: Data, from transport: AccessoryTransport) -> MessageOpening {
        guard transport == .internet else { return opener.open(sealed) }
        return switch ratchetReceiver.open(sealed) {
        case .plaintext(let plaintext): .plaintext(plaintext)
        case .repeated: .repeated
        case .notOpened, .otherKeys: .notOpened
        case .tooFarAhead: .exhausted
        }
    }
}
