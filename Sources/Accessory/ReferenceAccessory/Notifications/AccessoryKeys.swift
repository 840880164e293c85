import CryptoKit
import DieProtocol
import FoundationEssentials

/// The die's end of the key exchange, and what was agreed on.
///
/// Source: seed "Receiving iOS notifications on an accessory", "Decrypt notification data on your accessory".
struct AccessoryKeys: Sendable {
    /// What was made of a delivery.
    enum Opening: Sendable, Equatable {
        case plaintext(Data)
        case repeated
        case notOpened
        case noKeys
    }

    /// One key pair, of any suite.
    private enum KeyPair: Sendable {
        case p256(P256.KeyAgreement.PrivateKey)
        case xWing(XWingMLKEM768X25519.PrivateKey)

        /// A random one.
        init(_ suite: KeyExchangeMessage.CipherSuite) throws {
            switch suite {
            case .p256: self = .p256(P256.KeyAgreement.PrivateKey())
            case .xWing: self = .xWing(try XWingMLKEM768X25519.PrivateKey())
            }
        }

        var suite: KeyExchangeMessage.CipherSuite {
            switch self {
            case .p256: .p256
            case .xWing: .xWing
            }
        }

        /// P-256: X‖Y, 64 bytes. X-Wing: 1216 bytes.
        var publicKey: Data {
            switch self {
            case .p256(let key): key.publicKey.rawRepresentation
            case .xWing(let key): key.publicKey.rawRepresentation
            }
        }

        func recipient(info: Data, encapsulatedKey: Data) throws -> HPKE.Recipient {
            switch self {
            case .p256(let key):
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: .P256_SHA256_AES_GCM_256, info: info,
                    encapsulatedKey: encapsulatedKey)
            case .xWing(let key):
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: info,
                    encapsulatedKey: encapsulatedKey)
            }
        }
    }

    /// What an exchange gave.
    private struct Agreement: Sendable {
        let recipient: HPKE.Recipient
        /// `suite-version-identifier`, which every exported secret's context starts with.
        let protocolInfo: String
        let encapsulatedKey: Data
        var secrets: [UUID: SymmetricKey] = [:]
        /// The nonces that were opened: none of them may come again.
        var seen: Set<Data> = []
    }

    /// After this many messages new keys are asked for, so that what is remembered of nonces stays bounded.
    static let messagesPerAgreement = 1 << 16
    /// A phone has one session for each feature that it forwards; more than this are not remembered.
    private static let sessionsPerAgreement = 16

    /// The newest key pair. It stays after an exchange, so that both ends agree however many public keys and answers were
    /// on their way at once: the phone answers them in order, and the answer to the newest one comes last.
    private var keyPair: KeyPair?
    private var agreement: Agreement?

    /// Makes a key pair and gives its public key. The keys agreed on before stay until the exchange is over.
    mutating func makeKeyPair(_ suite: KeyExchangeMessage.CipherSuite) throws -> Data {
        let pair = try KeyPair(suite)
        keyPair = pair
        return pair.publicKey
    }

    /// Ends an exchange: from here on the new keys hold, and only these.
    ///
    /// The same encapsulated key twice changes nothing: the phone repeats it when it missed the answer.
    mutating func accept(
        _ suite: KeyExchangeMessage.CipherSuite, identifier: String, encapsulatedKey: Data
    ) -> KeyExchangeMessage.Outcome {
        if let agreement, agreement.encapsulatedKey == encapsulatedKey { return .keysReady }
        guard let keyPair, keyPair.suite == suite else { return .noKeyPair }
        let protocolInfo = "\(suite.name)-Version1-\(identifier)"
        do {
            let recipient = try keyPair.recipient(info: Data(protocolInfo.utf8), encapsulatedKey: encapsulatedKey)
            agreement = Agreement(recipient: recipient, protocolInfo: protocolInfo, encapsulatedKey: encapsulatedKey)
            return .keysReady
        } catch {
            return .badKey
        }
    }

    /// Opens one delivery: 12 bytes of nonce, ciphertext, 16 bytes of tag.
    mutating func open(_ sealed: Data, session: UUID) -> Opening {
        guard var agreement, agreement.seen.count < Self.messagesPerAgreement else { return .noKeys }
        let nonce = session.bytes + sealed.prefix(12)
        if agreement.seen.contains(nonce) { return .repeated }
        guard let secret = try? agreement.secrets[session] ?? Self.secret(of: agreement, session: session),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let plaintext = try? AES.GCM.open(box, using: secret)
        else { return .notOpened }
        agreement.seen.insert(nonce)
        if agreement.secrets.count < Self.sessionsPerAgreement { agreement.secrets[session] = secret }
        self.agreement = agreement
        return .plaintext(plaintext)
    }

    /// Forgets everything that was agreed on or begun.
    mutating func forget() {
        keyPair = nil
        agreement = nil
    }

    private static func secret(of agreement: Agreement, session: UUID) throws -> SymmetricKey {
        let context = "\(agreement.protocolInfo)-HostToAccessory-\(session.uuidString)"
        return try agreement.recipient.exportSecret(context: Data(context.utf8), outputByteCount: 32)
    }
}

extension UUID {
    /// 16 bytes, most significant first.
    fileprivate var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
