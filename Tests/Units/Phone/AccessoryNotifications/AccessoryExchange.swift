import AccessoryTransportExtension
import CryptoKit

/// The secrets that the accessory has after a key exchange.
struct Secrets: Sendable {
    /// Encrypts messages from the phone.
    let host: SymmetricKey
    /// Encrypts messages from the accessory.
    let accessory: SymmetricKey
    /// The first chain keys of the two directions over the internet.
    let internetHost: SymmetricKey
    let internetAccessory: SymmetricKey
    let keyIdentifier: Data
}

/// The accessory's state after a key exchange.
struct Exchange: Sendable {
    let recipient: HPKE.Recipient
    let info: String
    /// The accessory's identifier in `info`.
    let name: String
    let publicKey: Data

    /// The secrets for one session.
    func secrets(of session: UUID) throws -> Secrets {
        func secret(_ context: String) throws -> SymmetricKey {
            try recipient.exportSecret(context: Data(context.utf8), outputByteCount: 32)
        }
        return Secrets(
            host: try secret("\(info)-HostToAccessory-\(session)"),
            accessory: try secret("\(info)-AccessoryToHost-\(session)"),
            internetHost: try secret("AccessoryInternetKey-HostToAccessory-\(name)"),
            internetAccessory: try secret("AccessoryInternetKey-AccessoryToHost-\(name)"),
            keyIdentifier: Data(SHA384.hash(data: publicKey).prefix(4)))
    }
}

/// A key pair of an accessory, implemented here independently from the seed.
enum AccessoryPair {
    case p256(P256.KeyAgreement.PrivateKey)
    case xWing(XWingMLKEM768X25519.PrivateKey)

    init(_ suite: SecurityMessage.CipherSuite) throws {
        switch suite {
        case .p256: self = .p256(P256.KeyAgreement.PrivateKey())
        case .xWing: self = .xWing(try XWingMLKEM768X25519.PrivateKey())
        }
    }

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
                privateKey: key, ciphersuite: .P256_SHA256_AES_GCM_256, info: info, encapsulatedKey: encapsulatedKey)
        case .xWing(let key):
            try HPKE.Recipient(
                privateKey: key, ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: info,
                encapsulatedKey: encapsulatedKey)
        }
    }
}
