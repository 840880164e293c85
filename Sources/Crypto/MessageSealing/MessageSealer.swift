import CryptoKit
import FoundationEssentials

/// Seals messages with one key, by AES-GCM. A sealed message is 12 bytes of nonce, the ciphertext, 16 bytes of tag.
///
/// A nonce is 4 random bytes and a counter, so that no nonce is used twice with the key (rule S7; NIST SP 800-38D,
/// 8.2.1). A copy has its own counter: use only one sealer for each key.
package struct MessageSealer: Sendable {
    private let key: SymmetricKey
    private let prefix: UInt32 = .random(in: .min ... .max)
    /// How many messages were sealed so far.
    package private(set) var messageCount: UInt64 = 0

    /// Makes a sealer that has sealed no messages.
    ///
    /// - Parameter key: A key of 32 bytes that no other sealer uses.
    package init(key: SymmetricKey) {
        self.key = key
    }

    /// Seals the next message.
    ///
    /// - Throws: `CryptoKitError` if the key has a wrong length.
    package mutating func seal(_ plaintext: Data) throws -> Data {
        messageCount += 1
        let box = try AES.GCM.seal(plaintext, using: key, nonce: AES.GCM.Nonce(fixed: prefix, number: messageCount))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }
}
