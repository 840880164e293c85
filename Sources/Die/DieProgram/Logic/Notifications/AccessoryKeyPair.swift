import CryptoKit
import DieProtocol
import FoundationEssentials

/// A key pair of the die, of any suite.
enum AccessoryKeyPair: Sendable {
    case p256(P256.KeyAgreement.PrivateKey)
    case xWing(XWingMLKEM768X25519.PrivateKey)

    /// Makes a random key pair.
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

    /// The HPKE recipient for a key that a phone has encapsulated for this pair.
    ///
    /// - Throws: `CryptoKitError` or `HPKE.Errors` if the encapsulated key is not valid for this suite.
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
