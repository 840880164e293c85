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
    static let nonceLength = 12

    private let key: SymmetricKey
    private let limit: Int
    private var seen: Set<Data> = []

    /// - Parameter limit: how many messages it opens.
    public init(key: SymmetricKey, limit: Int = messageLimit) {
        self.key = key
        self.limit = limit
    }

    /// Opens 12 bytes of nonce, ciphertext, 16 bytes of tag; nothing is remembered of what does not open.
    public mutating func open(_ sealed: Data) -> MessageOpening {
        let nonce = Data(sealed.prefix(Self.nonceLength))
        if seen.contains(nonce) { return .repeated }
        guard seen.count < limit else { return .exhausted }
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let plaintext = try? AES.GCM.open(box, using: key)
        else { return .notOpened }
        seen.insert(nonce)
        return .plaintext(plaintext)
    }
}
