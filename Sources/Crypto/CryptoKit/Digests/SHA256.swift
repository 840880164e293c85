import FoundationEssentials
import HILCOpenSSL

/// SHA-256 (FIPS 180-4).
public struct SHA256: HashFunction {
    /// The type of the output, 32 bytes.
    public typealias Digest = SHA256Digest

    /// The length of the blocks that the function processes, 64 bytes.
    public static let blockByteCount = 64
    /// The length of the digest, 32 bytes.
    public static let byteCount = 32

    private var context = DigestContext(SHA256.algorithm)

    /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// Makes a function without input.
    public init() {}

    /// Adds input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bufferPointer)
    }

    /// The digest of all input so far. More input may follow.
    public func finalize() -> SHA256Digest {
        var digest = SHA256Digest()
        withUnsafeMutableBytes(of: &digest.words) { finalize(into: $0) }
        return digest
    }

    /// Writes the digest of all input so far, 32 bytes, into memory that the caller wipes.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Self.byteCount, "a SHA-256 digest has 32 bytes")
        context.finalize(into: output)
    }
}

/// A SHA-256 digest: 32 bytes.
public struct SHA256Digest: Digest {
    /// The length of the digest, 32 bytes.
    public static let byteCount = 32

    fileprivate var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }
}
