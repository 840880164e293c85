import CryptoKit
import FoundationEssentials

/// A chain of keys, one for each message. Earlier keys cannot be computed from a later one.
///
/// Source: Apple's article "Forwarding notifications to your accessory using the internet transport type". HKDF-Expand
/// with SHA-256 makes 64 bytes from the chain key and the index: the message's key and the next chain key. The first
/// index is 0.
struct RatchetChain: Sendable {
    /// The index of the next key. There are no keys beyond `UInt32.max`.
    private(set) var index: UInt64
    private var chainKey: SymmetricKey

    init(chainKey: SymmetricKey, index: UInt64 = 0) {
        self.chainKey = chainKey
        self.index = index
    }

    /// Whether all keys were used.
    var isExhausted: Bool { index > UInt64(UInt32.max) }

    /// Makes the key of ``index`` and advances. The chain key that it was made from is wiped.
    mutating func next() -> SymmetricKey {
        precondition(!isExhausted, "a ratchet has 2^32 keys")
        var info = Data("AccessoryTransportSecurity-RatchetKeys-".utf8)
        info.append(contentsOf: UInt32(index).littleEndianBytes)
        let keys = HKDF<SHA256>.expand(pseudoRandomKey: chainKey, info: info, outputByteCount: 64)
        index += 1
        chainKey = keys.part(32..<64)
        return keys.part(0..<32)
    }
}

extension SymmetricKey {
    /// A key made of a part of the bytes.
    fileprivate func part(_ range: Range<Int>) -> SymmetricKey {
        withUnsafeBytes { SymmetricKey(data: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

extension UInt32 {
    /// The four bytes of the number, least significant byte first.
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * UInt32($0))) } }
}
