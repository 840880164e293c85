import CryptoKit
import FoundationEssentials

/// What messages over the internet look like: each is sealed under a key of its own.
///
///     offset  length  field
///     0       4       key identifier: the first bytes of SHA-384 of the accessory's public key
///     4       4       index of the message's key, from 0, little-endian
///     8       12      nonce
///     20      n       ciphertext, AES-256-GCM without associated data
///     20+n    16      tag
///
/// Each direction has its own chain, whose first key both ends export from HPKE.
public enum Ratchet {
    /// What comes before nonce, ciphertext and tag.
    public static let headerLength = 8

    /// What names the keys that come of an exchange.
    ///
    /// - Parameter publicKey: the accessory's, as it travelled.
    public static func keyIdentifier(of publicKey: Data) -> Data {
        SHA384.hash(data: publicKey).withUnsafeBytes { Data($0.prefix(4)) }
    }

    /// The exporter context of the first chain key, 32 bytes, of messages from the phone.
    public static func contextHostToAccessory(_ identifier: String) -> Data {
        Data("AccessoryInternetKey-HostToAccessory-\(identifier)".utf8)
    }

    /// The exporter context of the first chain key, 32 bytes, of messages from the accessory.
    public static func contextAccessoryToHost(_ identifier: String) -> Data {
        Data("AccessoryInternetKey-AccessoryToHost-\(identifier)".utf8)
    }
}

/// One end's messages over the internet, each under the next key of its chain.
///
/// A copy would use keys twice: keep one for a chain.
public struct RatchetSender: Sendable {
    private let keyIdentifier: Data
    private var chain: RatchetChain

    public init(chainKey: SymmetricKey, keyIdentifier: Data) {
        self.init(chain: RatchetChain(chainKey: chainKey), keyIdentifier: keyIdentifier)
    }

    init(chain: RatchetChain, keyIdentifier: Data) {
        self.chain = chain
        self.keyIdentifier = keyIdentifier
    }

    /// The next message; nil when the chain has no more keys, and new ones must be exchanged.
    public mutating func seal(_ plaintext: Data) throws -> Data? {
        guard !chain.isExhausted else { return nil }
        let index = UInt32(chain.index)
        let box = try AES.GCM.seal(plaintext, using: chain.next())
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return keyIdentifier + Data(index.littleEndianBytes) + combined
    }
}
