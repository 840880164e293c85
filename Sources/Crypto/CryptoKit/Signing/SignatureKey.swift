import FoundationEssentials
import Glibc
import HILCOpenSSL

/// A key in OpenSSL's memory that signs whole messages. OpenSSL wipes it when it is freed.
///
/// `@unchecked Sendable`: the key does not change, and OpenSSL counts references to it with a lock.
final class SignatureKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a key.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    func rawPublicKey(count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = count
        try check(EVP_PKEY_get_raw_public_key(pointer, &bytes, &length))
        return bytes
    }

    /// Signs a message.
    ///
    /// - Parameter context: What ML-DSA signs beside the message, up to 255 bytes; nil for other algorithms.
    func sign(_ message: [UInt8], context: [UInt8]? = nil) throws -> [UInt8] {
        let operation = try check(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(operation) }
        try check(
            withContext(context) { EVP_DigestSignInit_ex(operation, nil, nil, nil, nil, pointer, $0) })
        var count = 0
        try check(EVP_DigestSign(operation, nil, &count, message, message.count))
        var signature = [UInt8](repeating: 0, count: count)
        try check(EVP_DigestSign(operation, &signature, &count, message, message.count))
        return Array(signature.prefix(count))
    }

    /// Whether a signature belongs to a message.
    func isValid(_ signature: [UInt8], for message: [UInt8], context: [UInt8]? = nil) -> Bool {
        guard let operation = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(operation)
            ERR_clear_error()
        }
        let begun = withContext(context) { EVP_DigestVerifyInit_ex(operation, nil, nil, nil, nil, pointer, $0) }
        return begun == 1
            && EVP_DigestVerify(operation, signature, signature.count, message, message.count) == 1
    }

    private func withContext<Result>(
        _ context: [UInt8]?, _ body: (UnsafeMutablePointer<OSSL_PARAM>?) -> Result
    ) -> Result {
        guard var context else { return body(nil) }
        return context.withUnsafeMutableBytes { bytes in
            var parameters = [
                OSSL_PARAM_construct_octet_string(ParameterName.context, bytes.baseAddress, bytes.count),
                OSSL_PARAM_construct_end(),
            ]
            return body(&parameters)
        }
    }
}

/// Names of OpenSSL's parameters, which OpenSSL does not copy: they stay in memory.
///
/// `nonisolated(unsafe)`: nobody changes them.
enum ParameterName {
    nonisolated(unsafe) static let group = strdup(OSSL_PKEY_PARAM_GROUP_NAME)
    nonisolated(unsafe) static let publicKey = strdup(OSSL_PKEY_PARAM_PUB_KEY)
    nonisolated(unsafe) static let privateKey = strdup(OSSL_PKEY_PARAM_PRIV_KEY)
    /// Older headers lack these two. Source: `core_names.h` of OpenSSL 3.5.
    nonisolated(unsafe) static let context = strdup("context-string")
    nonisolated(unsafe) static let seed = strdup("seed")
}
