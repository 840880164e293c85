import CryptoKit
import FoundationEssentials

/// Seals messages under one key: 12 bytes of nonce, ciphertext, 16 bytes of tag.
///
/// A nonce is 4 random bytes, then a counter, so that none comes twice under the key (rule S7; NIST SP 800-38D, 8.2.1).
/// A copy counts by itself: keep one for a key.
public struct MessageSealer: Sendable {
    private let key: SymmetricKey
    private let prefix: UInt32 = .random(in: .min ... .max)
    /// How many messages were sealed.
    public private(set) var messageCount: UInt64 = 0

    /// - Parameter key: of 32 bytes, used by nobody else.
    public init(key: SymmetricKey) {
        self.key = key
    }

    /// The next message.
    ///
    /// - Throws: `CryptoKitError` for a key of a wrong length.
    public mutating func seal(_ plaintext: Data) throws -> Data {
        messageCount += 1
        let box = try AES.GCM.seal(plaintext, using: key, nonce: AES.GCM.Nonce(fixed: prefix, number: messageCount))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }
}
