import FoundationEssentials
import HILCOpenSSL

/// SHA-384 (FIPS 180-4).
public struct SHA384: HashFunction {
    /// The type of the output, 48 bytes.
    public typealias Digest = SHA384Digest

    /// The length of the blocks that the function processes, 128 bytes.
    public static let blockByteCount = 128
    /// The length of the digest, 48 bytes.
    public static let byteCount = 48

    private var context = DigestContext(SHA384.algorithm)

    /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA384", nil)

    /// Makes a function without input.
    public init() {}

    /// Adds input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bufferPointer)
    }

    /// The digest of all input so far. More input may follow.
    public func finalize() -> SHA384Digest {
        var digest = SHA384Digest()
        withUnsafeMutableBytes(of: &digest.words) { finalize(into: $0) }
        return digest
    }

    /// Writes the digest of all input so far, 48 bytes, into memory that the caller wipes.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Self.byteCount, "a SHA-384 digest has 48 bytes")
        context.finalize(into: output)
    }
}

/// A SHA-384 digest: 48 bytes.
public struct SHA384Digest: Digest {
    /// The length of the digest, 48 bytes.
    public static let byteCount = 48

    fileprivate var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }
}
