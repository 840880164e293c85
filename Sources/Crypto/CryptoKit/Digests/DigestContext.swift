import HILCOpenSSL

/// A digest operation in OpenSSL's memory. OpenSSL wipes it when it is freed.
///
/// `@unchecked Sendable`: only its owner changes it. A hash function makes a copy before it changes a shared context.
final class DigestContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// Begins an operation. The algorithm was fetched before, because a fetch by name takes longer than hashing a short
    /// message.
    init(_ algorithm: OpaquePointer?) {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest's context") }
        self.context = context
        precondition(EVP_DigestInit_ex2(context, algorithm, nil) == 1, "OpenSSL lacks a digest of FIPS 180-4")
    }

    init(copying other: DigestContext) {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest's context") }
        self.context = context
        precondition(EVP_MD_CTX_copy_ex(context, other.context) == 1, "no memory for a digest's context")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    func update(_ input: UnsafeRawBufferPointer) {
        precondition(EVP_DigestUpdate(context, input.baseAddress, input.count) == 1, "OpenSSL could not hash the input")
    }

    /// Writes the digest of all input so far. More input may follow.
    ///
    /// - Parameter output: As many bytes as the algorithm's digest has.
    func finalize(into output: UnsafeMutableRawBufferPointer) {
        let last = DigestContext(copying: self)
        let result = EVP_DigestFinal_ex(last.context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        precondition(result == 1, "OpenSSL could not end a digest")
    }
}
