import COpenSSL
import FoundationEssentials

/// SHA-256 (FIPS 180-4).
public struct SHA256: HashFunction {
    /// What SHA-256 gives: 32 bytes.
    public typealias Digest = SHA256Digest

    /// 64 bytes.
    public static let blockByteCount = 64
    /// The length of the digest, 32 bytes.
    public static let byteCount = 32

    private var context = DigestContext(SHA256.algorithm)

    /// `nonisolated(unsafe)`: OpenSSL counts references to it and never changes it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// A function that has seen no input.
    public init() {}

    /// Takes more input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bufferPointer)
    }

    /// The digest of everything taken so far; more input may follow.
    public func finalize() -> SHA256Digest {
        var digest = SHA256Digest()
        withUnsafeMutableBytes(of: &digest.words) { finalize(into: $0) }
        return digest
    }

    /// Writes the digest of everything taken so far, 32 bytes, into memory that the caller wipes.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Self.byteCount, "a SHA-256 digest has 32 bytes")
        context.finalize(into: output)
    }
}

/// A SHA-256 digest: 32 bytes.
public struct SHA256Digest: Digest {
    /// 32 bytes.
    public static let byteCount = 32

    fileprivate var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Lends the bytes for the time of the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }
}
