import CryptoKit
import FoundationEssentials

/// The result of opening a sealed message.
package enum MessageOpening: Sendable, Equatable {
    /// The message was opened; this is its content.
    case plaintext(Data)
    /// The message was opened before and is dropped (rule S7).
    case repeated
    /// The message was changed, cut, or sealed with another key (rule S5).
    case notOpened
    /// The opener has reached its limit of messages: exchange new keys.
    case exhausted
}

/// Opens messages that a peer sealed with one key. It remembers their nonces and opens each message only once.
package struct MessageOpener: Sendable {
    /// New keys are needed after this many messages. This limits the memory for nonces to about 1 MiB.
    package static let messageLimit = 1 << 16

    /// A nonce of 12 bytes, stored without an allocation, because there is one for each remembered message.
    private struct Nonce: Hashable {
        private var (start, end): (UInt64, UInt32) = (0, 0)

        /// The first 12 bytes of a message; nil for a shorter one.
        init?(of sealed: Data) {
            let isWhole = sealed.withUnsafeBytes { bytes in
                guard bytes.count >= 12 else { return false }
                start = bytes.loadUnaligned(as: UInt64.self)
                end = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
                return true
            }
            guard isWhole else { return nil }
        }
    }

    private let key: SymmetricKey
    private let limit: Int
    private var seen: Set<Nonce> = []

    /// Makes an opener that has seen no messages.
    ///
    /// - Parameter limit: How many messages it opens at most.
    package init(key: SymmetricKey, limit: Int = messageLimit) {
        self.key = key
        self.limit = limit
    }

    /// Opens one message: 12 bytes of nonce, the ciphertext, 16 bytes of tag. A message that fails is not remembered.
    package mutating func open(_ sealed: Data) -> MessageOpening {
        guard let nonce = Nonce(of: sealed), let box = try? AES.GCM.SealedBox(combined: sealed) else {
            return .notOpened
        }
        if seen.contains(nonce) { return .repeated }
        guard seen.count < limit else { return .exhausted }
        guard let plaintext = try? AES.GCM.open(box, using: key) else { return .notOpened }
        seen.insert(nonce)
        return .plaintext(plaintext)
    }
}
