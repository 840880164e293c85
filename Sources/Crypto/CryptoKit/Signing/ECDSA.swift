import FoundationEssentials
import HILCOpenSSL

/// ECDSA in OpenSSL, over digests. Source: FIPS 186-5, section 6.
enum ECDSA {
    /// A key in OpenSSL's memory. OpenSSL wipes it when it is freed.
    final class Key {
        private let pointer: OpaquePointer

        /// - Parameters:
        ///   - point: A point of the curve, uncompressed.
        ///   - scalar: The private number; without it the key only checks signatures.
        init(point: [UInt8], scalar: SecureBytes? = nil, on curve: PrimeCurve) throws {
            let context = try check(EVP_PKEY_CTX_new_from_name(nil, "EC", nil))
            defer { EVP_PKEY_CTX_free(context) }
            try check(EVP_PKEY_fromdata_init(context))
            // OpenSSL takes numbers in the order of bytes of the machine.
            let number = SecureBytes(count: scalar?.count ?? 0) { number in
                scalar?.withUnsafeBytes { for index in $0.indices { number[number.count - 1 - index] = $0[index] } }
            }
            var key: OpaquePointer?
            let result = Self.withParameters(curve.name, point, number) { parameters in
                EVP_PKEY_fromdata(
                    context, &key, scalar == nil ? Key.publicSelection : Key.pairSelection, parameters)
            }
            try check(result)
            pointer = try check(key)
        }

        deinit { EVP_PKEY_free(pointer) }

        private static let publicSelection =
            OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
            | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        private static let pairSelection = publicSelection | OSSL_KEYMGMT_SELECT_PRIVATE_KEY

        /// Calls `body` with the parts of a key, valid only during the call.
        private static func withParameters<Result>(
            _ curve: String, _ point: [UInt8], _ number: SecureBytes,
            _ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Result
        ) -> Result {
            var name = Array(curve.utf8CString)
            var point = point
            return name.withUnsafeMutableBufferPointer { name in
                point.withUnsafeMutableBytes { point in
                    number.withUnsafeBytes { number in
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(ParameterName.group, name.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(ParameterName.publicKey, point.baseAddress, point.count),
                            OSSL_PARAM_construct_BN(
                                ParameterName.privateKey,
                                UnsafeMutableRawPointer(mutating: number.baseAddress)?
                                    .assumingMemoryBound(to: UInt8.self), number.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        if number.isEmpty { parameters.remove(at: 2) }
                        return body(&parameters)
                    }
                }
            }
        }

        /// The signature of a digest, in DER.
        func sign(_ digest: UnsafeRawBufferPointer) throws -> [UInt8] {
            let context = try check(EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil))
            defer { EVP_PKEY_CTX_free(context) }
            try check(EVP_PKEY_sign_init(context))
            var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(pointer)))
            var count = signature.count
            let bytes = digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try check(EVP_PKEY_sign(context, &signature, &count, bytes, digest.count))
            return Array(signature.prefix(count))
        }

        /// Whether a signature in DER belongs to a digest.
        func isValid(_ signature: Data, for digest: UnsafeRawBufferPointer) -> Bool {
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
            defer {
                EVP_PKEY_CTX_free(context)
                ERR_clear_error()
            }
            guard EVP_PKEY_verify_init(context) == 1 else { return false }
            let signature = Array(signature)
            let bytes = digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_PKEY_verify(context, signature, signature.count, bytes, digest.count) == 1
        }
    }
}
