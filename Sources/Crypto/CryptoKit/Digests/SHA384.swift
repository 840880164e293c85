import COpenSSL
import FoundationEssentials

/// SHA-384 (FIPS 180-4).
public struct SHA384: HashFunction {
    /// What SHA-384 gives: 48 bytes.
    public typealias Digest = SHA384Digest

    /// 128 bytes.
    public static let blockByteCount = 128
    /// The length of the digest, 48 bytes.
    public static let byteCount = 48

    private var context = DigestContext(SHA384.algorithm)

    /// `nonisolated(unsafe)`: OpenSSL counts references to it and never changes it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA384", nil)

    /// A function that has seen no input.
    public init() {}

    /// Takes more input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bufferPointer)
    }

    /// The digest of everything taken so far; more input may follow.
    public func finalize() -> SHA384Digest {
        var digest = SHA384Digest()
        withUnsafeMutableBytes(of: &digest.words) { finalize(into: $0) }
        return digest
    }

    /// Writes the digest of everything taken so far, 48 bytes, into memory that the caller wipes.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Self.byteCount, "a SHA-384 digest has 48 bytes")
        context.finalize(into: output)
    }
}

/// A SHA-384 digest: 48 bytes.
public struct SHA384Digest: Digest {
    /// 48 bytes.
    public static let byteCount = 48

    fileprivate var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    /// Lends the bytes for the time of the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }
}
