import CryptoKit
import FoundationEssentials

/// What became of a sealed message.
public enum MessageOpening: Sendable, Equatable {
    /// It opened; what was in it.
    case plaintext(Data)
    /// It was opened before, and is dropped (rule S7).
    case repeated
    /// It was altered or cut, or sealed under another key (rule S5).
    case notOpened
    /// As many were opened as can be remembered: it is time for new keys.
    case exhausted
}

/// Opens messages that a peer sealed under one key, each once: it remembers their nonces.
public struct MessageOpener: Sendable {
    /// After so many messages new keys are due, so that what is remembered stays bounded: 1 MiB or so.
    public static let messageLimit = 1 << 16

    /// 12 bytes in place: one to hash for every message, and no memory of its own for each that is remembered.
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

    /// - Parameter limit: how many messages it opens.
    public init(key: SymmetricKey, limit: Int = messageLimit) {
        self.key = key
        self.limit = limit
    }

    /// Opens 12 bytes of nonce, ciphertext, 16 bytes of tag; nothing is remembered of what does not open.
    public mutating func open(_ sealed: Data) -> MessageOpening {
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
