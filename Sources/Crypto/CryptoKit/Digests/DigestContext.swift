import COpenSSL

/// One digest operation in OpenSSL, which wipes it when it is freed.
///
/// `@unchecked Sendable`: changed only by its one owner; a hash function copies a context that has a second one.
final class DigestContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// An operation of an algorithm that was fetched: a fetch by name costs more than hashing a short message.
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
        precondition(EVP_DigestUpdate(context, input.baseAddress, input.count) == 1, "OpenSSL could not go on hashing")
    }

    /// The digest of everything taken so far, as many bytes as the algorithm gives; more input may follow.
    func finalize(into output: UnsafeMutableRawBufferPointer) {
        let last = DigestContext(copying: self)
        let result = EVP_DigestFinal_ex(last.context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        precondition(result == 1, "OpenSSL could not end a digest")
    }
}
