import HILCOpenSSL

/// One implementation's public key of ML-DSA.
protocol MLDSAVerifier: Sendable {
    /// Whether a signature belongs to a message and a context; nil is an empty one.
    func isValid(_ signature: [UInt8], for message: [UInt8], context: [UInt8]?) -> Bool
}

/// One implementation's private key of ML-DSA.
protocol MLDSASigner: Sendable {
    /// Signs a message with a context; nil is an empty one.
    ///
    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the context has more than 255 bytes.
    func sign(_ message: [UInt8], context: [UInt8]?) throws -> [UInt8]
}

extension SignatureKey: MLDSAVerifier, MLDSASigner {}

/// Which implementation of ML-DSA's arithmetic to use.
enum MLDSAImplementation: CaseIterable, Sendable {
    /// This module's.
    case own
    /// OpenSSL's, from version 3.5 on. It is fetched by name, so that this file builds with older headers.
    case openSSL

    /// OpenSSL's implementation if it exists, else this module's.
    static let preferred: MLDSAImplementation = MLDSAImplementation.openSSL.isAvailable ? .openSSL : .own

    /// Whether this machine has it. OpenSSL added all parameter sets at once.
    var isAvailable: Bool {
        guard self == .openSSL else { return true }
        let management = EVP_KEYMGMT_fetch(nil, MLDSAParameters.mlDSA65.name, nil)
        defer { EVP_KEYMGMT_free(management) }
        ERR_clear_error()
        return management != nil
    }

    /// A private key and the bytes of its public key.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` unless the seed has 32 bytes.
    func privateKey(
        seed: SecureBytes, _ parameters: MLDSAParameters
    ) throws -> (signer: any MLDSASigner, publicKey: [UInt8]) {
        guard seed.count == MLDSAParameters.seedByteCount else { throw CryptoKitError.incorrectKeySize }
        switch self {
        case .own:
            let key = LatticeSigningKey(seed: seed, parameters)
            return (key, key.publicKeyBytes)
        case .openSSL:
            let key = try seed.withUnsafeBytes {
                try Self.key(parameters.name, ParameterName.seed, $0, isPrivate: true)
            }
            return (key, try key.rawPublicKey(count: parameters.publicKeyByteCount))
        }
    }

    /// - Throws: `CryptoKitError.incorrectKeySize` for another length.
    func publicKey(_ bytes: [UInt8], _ parameters: MLDSAParameters) throws -> any MLDSAVerifier {
        guard bytes.count == parameters.publicKeyByteCount else { throw CryptoKitError.incorrectKeySize }
        switch self {
        case .own: return LatticeVerifyingKey(bytes: bytes, parameters)
        case .openSSL:
            return try bytes.withUnsafeBytes {
                try Self.key(parameters.name, ParameterName.publicKey, $0, isPrivate: false)
            }
        }
    }

    private static func key(
        _ name: String, _ parameter: UnsafeMutablePointer<CChar>?, _ bytes: UnsafeRawBufferPointer, isPrivate: Bool
    ) throws -> SignatureKey {
        let context = try check(EVP_PKEY_CTX_new_from_name(nil, name, nil))
        defer { EVP_PKEY_CTX_free(context) }
        try check(EVP_PKEY_fromdata_init(context))
        var parameters = [
            OSSL_PARAM_construct_octet_string(
                parameter, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count),
            OSSL_PARAM_construct_end(),
        ]
        let selection =
            OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
            | OSSL_KEYMGMT_SELECT_PUBLIC_KEY | (isPrivate ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY : 0)
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata(context, &key, selection, &parameters) == 1, let key else {
            ERR_clear_error()
            throw CryptoKitError.refusedKey
        }
        return SignatureKey(key)
    }
}
