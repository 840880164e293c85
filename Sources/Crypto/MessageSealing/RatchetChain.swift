import CryptoKit
import FoundationEssentials

/// A chain of keys, of which each message takes one; from a key there is no way back to those before it.
///
/// Source: Apple's article "Forwarding notifications to your accessory using the internet transport type": from chain key
/// and index HKDF-Expand with SHA-256 gives 64 bytes, the message's key and the next chain key. The first index is 0.
struct RatchetChain: Sendable {
    /// The index of the next key; beyond `UInt32.max` there is none.
    private(set) var index: UInt64
    private var chainKey: SymmetricKey

    init(chainKey: SymmetricKey, index: UInt64 = 0) {
        self.chainKey = chainKey
        self.index = index
    }

    /// Whether the last key was taken.
    var isExhausted: Bool { index > UInt64(UInt32.max) }

    /// The key of ``index``; the chain key that it came from is wiped.
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
    /// Some of its bytes, as a key of their own.
    fileprivate func part(_ range: Range<Int>) -> SymmetricKey {
        withUnsafeBytes { SymmetricKey(data: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

extension UInt32 {
    /// Four bytes, least significant first.
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * UInt32($0))) } }
}
