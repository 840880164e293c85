import FoundationEssentials
import HILCOpenSSL

/// The length of a symmetric key in bits.
public struct SymmetricKeySize: Sendable {
    /// The length in bits.
    public let bitCount: Int

    /// 128 bits, 16 bytes.
    public static let bits128 = SymmetricKeySize(bitCount: 128)
    /// 192 bits, 24 bytes.
    public static let bits192 = SymmetricKeySize(bitCount: 192)
    /// 256 bits, 32 bytes.
    public static let bits256 = SymmetricKeySize(bitCount: 256)

    /// Makes a length. `bitCount` must be a positive multiple of 8.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount.isMultiple(of: 8), "a key has whole bytes, and at least one")
        self.bitCount = bitCount
    }
}

/// A secret key that both ends share. Its bytes are wiped when the last copy is released.
public struct SymmetricKey: ContiguousBytes, Sendable {
    let bytes: SecureBytes
    /// OpenSSL's contexts with the schedule of this key, kept for the next message.
    let contexts = CipherContexts()

    /// Makes a key from a copy of `data`.
    public init(data: some ContiguousBytes) {
        bytes = SecureBytes(copying: data)
    }

    /// Makes a random key of the given length.
    public init(size: SymmetricKeySize) {
        bytes = SecureBytes(count: size.bitCount / 8) { buffer in
            let result = RAND_priv_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
            precondition(result == 1, "OpenSSL's random generator has no entropy; no key may be made")
        }
    }

    init(bytes: SecureBytes) {
        self.bytes = bytes
    }

    /// The length in bits.
    public var bitCount: Int { bytes.count * 8 }

    /// Calls `body` with the key's bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

extension SymmetricKey: Equatable {
    /// Whether both keys are equal. The time does not show where they differ.
    public static func == (lhs: SymmetricKey, rhs: SymmetricKey) -> Bool {
        lhs.withUnsafeBytes { left in rhs.withUnsafeBytes { right in SecureBytes.equal(left, right) } }
    }
}
