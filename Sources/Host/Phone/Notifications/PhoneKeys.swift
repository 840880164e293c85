import CryptoKit
import Foundation

/// The phone's end of one key exchange, and what was agreed on.
///
/// Source: seed "Receiving iOS notifications on an accessory", "Decrypt notification data on your accessory".
struct PhoneKeys: Sendable {
    /// What the accessory needs, ready to be handed to its extension.
    let answer: KeyMessage
    private let sender: HPKE.Sender
    private let protocolInfo: String
    private var secrets: [UUID: SymmetricKey] = [:]
    /// Nonces are 4 random bytes, then this counter: none comes twice under these keys (S7; SP 800-38D, 8.2.1).
    private var messageCount: UInt64 = 0
    private let noncePrefix: UInt32

    /// Encapsulates a fresh secret for the accessory's public key (S2, S3, S4).
    ///
    /// - Parameter peripheral: stands in `info` if the message names no identifier.
    init(answering message: KeyMessage, peripheral: UUID) throws(SecurityPortError) {
        try Self.check(message)
        let identifier = message.identifier ?? peripheral.uuidString
        let protocolInfo = "\(message.cipherSuite)-\(message.version)-\(identifier)"
        sender = try Self.sender(to: message, info: Data(protocolInfo.utf8))
        self.protocolInfo = protocolInfo
        noncePrefix = .random(in: .min ... .max)
        answer = KeyMessage(
            keyType: .encapsulatedKey, cipherSuite: message.cipherSuite, version: message.version,
            key: sender.encapsulatedKey, supportedTransports: message.supportedTransports,
            identifier: message.identifier)
    }

    private static func sender(to message: KeyMessage, info: Data) throws(SecurityPortError) -> HPKE.Sender {
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
            throw .unsupported("the accessory's public key, \(message.key.count) bytes, is none of \(form): \(error)")
        }
    }

    private static func check(_ message: KeyMessage) throws(SecurityPortError) {
        guard message.keyType == .publicKey else {
            throw .unsupported("an extension sends public keys; encapsulated keys come from the phone")
        }
        guard !message.supportedTransports.isEmpty else { throw .unsupported("the message names no transport") }
        guard message.cipherSuite == .xWing || message.supportedTransports.allSatisfy({ $0 == .bluetooth }) else {
            throw .unsupported("the transports localNetwork and internet need the cipher suite xWing (S3)")
        }
    }

    /// 12 bytes of nonce, ciphertext, 16 bytes of tag.
    mutating func seal(_ plaintext: Data, session: UUID) throws -> Data {
        let secret = try secrets[session] ?? exportSecret(for: session)
        secrets[session] = secret
        messageCount += 1
        let nonce =
            withUnsafeBytes(of: noncePrefix) { Data($0) } + withUnsafeBytes(of: messageCount.bigEndian) { Data($0) }
        let box = try AES.GCM.seal(plaintext, using: secret, nonce: AES.GCM.Nonce(data: nonce))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }

    private func exportSecret(for session: UUID) throws -> SymmetricKey {
        let context = "\(protocolInfo)-HostToAccessory-\(session.uuidString)"
        return try sender.exportSecret(context: Data(context.utf8), outputByteCount: 32)
    }
}
