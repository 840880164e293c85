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

    private var state: State

    /// A function that has seen no input.
    public init() {
        state = State()
        precondition(EVP_DigestInit_ex2(state.context, Self.algorithm, nil) == 1, "OpenSSL has no SHA-256")
    }

    /// Takes more input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
        let result = EVP_DigestUpdate(state.context, bufferPointer.baseAddress, bufferPointer.count)
        precondition(result == 1, "OpenSSL could not go on with SHA-256")
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
        let last = State(copying: state)
        let result = EVP_DigestFinal_ex(last.context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        precondition(result == 1, "OpenSSL could not end SHA-256")
    }

    /// Fetched once: a fetch by name costs more than hashing a short message.
    /// `nonisolated(unsafe)`: OpenSSL counts references to it and never changes it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// One OpenSSL context, which OpenSSL wipes when it is freed.
    ///
    /// `@unchecked Sendable`: changed only through `update`, which copies a context that has a second owner.
    private final class State: @unchecked Sendable {
        let context: OpaquePointer

        init() {
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a SHA-256 context") }
            self.context = context
        }

        convenience init(copying other: State) {
            self.init()
            precondition(EVP_MD_CTX_copy_ex(context, other.context) == 1, "no memory for a SHA-256 context")
        }

        deinit {
            EVP_MD_CTX_free(context)
        }
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
