import CryptoKit
import FoundationEssentials

/// The format of messages over the internet. Each message is sealed with its own key.
///
///     offset  length  field
///     0       4       key identifier: the first bytes of SHA-384 of the accessory's public key
///     4       4       index of the message's key, from 0, little-endian
///     8       12      nonce
///     20      n       ciphertext, AES-256-GCM without associated data
///     20+n    16      tag
///
/// Each direction has its own chain of keys. Both ends export the first key of a chain from HPKE.
package enum Ratchet {
    /// The length in bytes of the key identifier and the index, which come before the nonce.
    package static let headerLength = 8

    /// The identifier, 4 bytes, of the keys of one key exchange.
    ///
    /// - Parameter publicKey: The accessory's public key in the form in which it was sent.
    package static func keyIdentifier(of publicKey: Data) -> Data {
        SHA384.hash(data: publicKey).withUnsafeBytes { Data($0.prefix(4)) }
    }

    /// The exporter context for the first chain key (32 bytes) of messages from the phone.
    package static func contextHostToAccessory(_ identifier: String) -> Data {
        Data("AccessoryInternetKey-HostToAccessory-\(identifier)".utf8)
    }

    /// The exporter context for the first chain key (32 bytes) of messages from the accessory.
    package static func contextAccessoryToHost(_ identifier: String) -> Data {
        Data("AccessoryInternetKey-AccessoryToHost-\(identifier)".utf8)
    }
}

/// Seals the messages of one end over the internet, each with the next key of the chain.
///
/// A copy would use keys twice: use only one sender for each chain.
package struct RatchetSender: Sendable {
    private let keyIdentifier: Data
    private var chain: RatchetChain

    package init(chainKey: SymmetricKey, keyIdentifier: Data) {
        self.init(chain: RatchetChain(chainKey: chainKey), keyIdentifier: keyIdentifier)
    }

    init(chain: RatchetChain, keyIdentifier: Data) {
        self.chain = chain
        // A copy, because the indices of each message begin where those of its first part do.
        self.keyIdentifier = Data(keyIdentifier)
    }

    /// Seals the next message; nil if the chain has no more keys and new keys must be exchanged.
    package mutating func seal(_ plaintext: Data) throws -> Data? {
        guard !chain.isExhausted else { return nil }
        let index = UInt32(chain.index)
        let box = try AES.GCM.seal(plaintext, using: chain.next())
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return keyIdentifier + Data(index.littleEndianBytes) + combined
    }
}
