import FoundationEssentials
import HILCOpenSSL

/// ML-KEM in OpenSSL, from version 3.5 on. It is fetched by name, so that this file builds with older headers.
enum OpenSSLMLKEM {
    /// Parameter names that older headers lack. Source: `core_names.h` of OpenSSL 3.5.
    private static let seedParameter = "seed"
    private static let randomnessParameter = "ikme"

    /// Whether the installed OpenSSL has ML-KEM. OpenSSL added all parameter sets at once.
    static let isAvailable: Bool = {
        let management = EVP_KEYMGMT_fetch(nil, MLKEMParameters.mlKEM768.name, nil)
        defer { EVP_KEYMGMT_free(management) }
        ERR_clear_error()
        return management != nil
    }()

    /// A key in OpenSSL's memory. OpenSSL wipes it when it is freed.
    ///
    /// `@unchecked Sendable`: the key does not change, and OpenSSL counts references to it with a lock.
    fileprivate final class Key: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Makes a key from one parameter.
        init(_ name: String, _ parameter: String, _ bytes: UnsafeRawBufferPointer, selection: Int32) throws {
            let context = try check(EVP_PKEY_CTX_new_from_name(nil, name, nil))
            defer { EVP_PKEY_CTX_free(context) }
            try check(EVP_PKEY_fromdata_init(context))
            var key: OpaquePointer?
            let result = withParameter(parameter, bytes) { EVP_PKEY_fromdata(context, &key, selection, $0) }
            guard result == 1, let key else {
                ERR_clear_error()
                throw CryptoKitError.refusedKey
            }
            pointer = key
        }

        deinit { EVP_PKEY_free(pointer) }
    }

    struct PublicKey: MLKEMPublicKey {
        let bytes: [UInt8]
        private let key: Key
        private let parameters: MLKEMParameters

        /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `.underlyingCoreCryptoError` if a
        ///   coefficient is 3329 or more.
        init(bytes: [UInt8], _ parameters: MLKEMParameters) throws {
            guard bytes.count == parameters.publicKeyByteCount else { throw CryptoKitError.incorrectKeySize }
            self.bytes = bytes
            self.parameters = parameters
            key = try bytes.withUnsafeBytes {
                try Key(parameters.name, OSSL_PKEY_PARAM_PUB_KEY, $0, selection: OpenSSLMLKEM.publicSelection)
            }
        }

        func encapsulate(_ message: SecureBytes) throws -> (sharedSecret: SecureBytes, ciphertext: [UInt8]) {
            let context = try check(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
            defer { EVP_PKEY_CTX_free(context) }
            try check(
                message.withUnsafeBytes {
                    withParameter(randomnessParameter, $0) { EVP_PKEY_encapsulate_init(context, $0) }
                })
            var ciphertext = [UInt8](repeating: 0, count: parameters.ciphertextByteCount)
            var ciphertextLength = ciphertext.count
            let secret = try SecureBytes(count: 32) { secret in
                var length = secret.count
                try check(
                    EVP_PKEY_encapsulate(
                        context, &ciphertext, &ciphertextLength,
                        secret.baseAddress?.assumingMemoryBound(to: UInt8.self), &length))
            }
            return (secret, ciphertext)
        }
    }

    struct PrivateKey: MLKEMPrivateKey {
        let publicKey: PublicKey
        private let key: Key
        private let parameters: MLKEMParameters

        /// - Parameter seed: The 64 bytes d‖z.
        init(seed: SecureBytes, _ parameters: MLKEMParameters) throws {
            self.parameters = parameters
            key = try seed.withUnsafeBytes {
                try Key(parameters.name, seedParameter, $0, selection: OpenSSLMLKEM.pairSelection)
            }
            var bytes = [UInt8](repeating: 0, count: parameters.publicKeyByteCount)
            var length = bytes.count
            try check(
                EVP_PKEY_get_octet_string_param(key.pointer, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &length))
            publicKey = try PublicKey(bytes: bytes, parameters)
        }

        func decapsulate(_ ciphertext: [UInt8]) throws -> SecureBytes {
            guard ciphertext.count == parameters.ciphertextByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            let context = try check(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
            defer { EVP_PKEY_CTX_free(context) }
            try check(EVP_PKEY_decapsulate_init(context, nil))
            return try SecureBytes(count: 32) { secret in
                var length = secret.count
                try check(
                    EVP_PKEY_decapsulate(
                        context, secret.baseAddress?.assumingMemoryBound(to: UInt8.self), &length, ciphertext,
                        ciphertext.count))
            }
        }
    }

    /// The parts of a key. These are OpenSSL's macros `EVP_PKEY_PUBLIC_KEY` and `EVP_PKEY_KEYPAIR`, which Swift cannot
    /// import.
    private static let publicSelection =
        OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
    private static let pairSelection = publicSelection | OSSL_KEYMGMT_SELECT_PRIVATE_KEY

    /// Calls `body` with a list of one byte-string parameter, valid only during the call.
    private static func withParameter<Result>(
        _ name: String, _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<OSSL_PARAM>) throws -> Result
    ) rethrows -> Result {
        try name.withCString { name in
            var parameters = [
                OSSL_PARAM_construct_octet_string(
                    name, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count),
                OSSL_PARAM_construct_end(),
            ]
            return try parameters.withUnsafeMutableBufferPointer { try body($0.baseAddress!) }
        }
    }
}
