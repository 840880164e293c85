import FoundationEssentials
import HILCOpenSSL

/// A hash function that OpenSSL computes. Apps use the functions themselves.
public protocol OpenSSLHashFunction: HashFunction where Digest: OpenSSLDigest {
    /// The input so far.
    var state: HashState { get set }
}

/// A digest of one of these functions.
public protocol OpenSSLDigest: Digest {
    init(bytes: [UInt8])
}

/// The input of a hash function so far, as this module keeps it.
public struct HashState: Sendable {
    private var context: DigestContext

    init(_ algorithm: OpaquePointer?) { context = DigestContext(algorithm) }

    mutating func update(_ input: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(input)
    }

    func finalize(into output: UnsafeMutableRawBufferPointer) { context.finalize(into: output) }
}

extension OpenSSLHashFunction {
    /// The length of the digest in bytes.
    public static var byteCount: Int { Digest.byteCount }

    /// Adds input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.update(bufferPointer) }

    /// The digest of all input so far. More input may follow.
    public func finalize() -> Digest {
        var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
        bytes.withUnsafeMutableBytes { finalize(into: $0) }
        return Digest(bytes: bytes)
    }

    /// Writes the digest of all input so far into memory that the caller wipes.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Digest.byteCount, "a digest of \(Self.self) has \(Digest.byteCount) bytes")
        state.finalize(into: output)
    }
}
