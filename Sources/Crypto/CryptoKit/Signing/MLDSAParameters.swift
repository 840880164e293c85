import HILCOpenSSL

/// A parameter set of ML-DSA in OpenSSL, which has it from version 3.5 on. It is fetched by name, so that this file builds
/// with older headers. Source: FIPS 204, section 4.
struct MLDSAParameters: Sendable {
    /// The name in FIPS 204 and in OpenSSL.
    let name: String
    /// The length of a public key in bytes.
    let publicKeyByteCount: Int

    static let mlDSA65 = MLDSAParameters(name: "ML-DSA-65", publicKeyByteCount: 1952)
    static let mlDSA87 = MLDSAParameters(name: "ML-DSA-87", publicKeyByteCount: 2592)

    /// The length of a seed, 32 bytes.
    static let seedByteCount = 32

    /// Whether this machine's OpenSSL has it.
    var isAvailable: Bool {
        let management = EVP_KEYMGMT_fetch(nil, name, nil)
        defer { EVP_KEYMGMT_free(management) }
        ERR_clear_error()
        return management != nil
    }

    /// - Throws: ``UnavailableAlgorithm``; `CryptoKitError.incorrectKeySize` unless the seed has 32 bytes.
    func privateKey(seed: SecureBytes) throws -> SignatureKey {
        guard isAvailable else { throw UnavailableAlgorithm(name: name) }
        guard seed.count == Self.seedByteCount else { throw CryptoKitError.incorrectKeySize }
        return try seed.withUnsafeBytes { try key(ParameterName.seed, $0, isPrivate: true) }
    }

    /// - Throws: ``UnavailableAlgorithm``; `CryptoKitError.incorrectKeySize` for another length.
    func publicKey(_ bytes: [UInt8]) throws -> SignatureKey {
        guard isAvailable else { throw UnavailableAlgorithm(name: name) }
        guard bytes.count == publicKeyByteCount else { throw CryptoKitError.incorrectKeySize }
        return try bytes.withUnsafeBytes { try key(ParameterName.publicKey, $0, isPrivate: false) }
    }

    private func key(
        _ parameter: UnsafeMutablePointer<CChar>?, _ bytes: UnsafeRawBufferPointer, isPrivate: Bool
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

/// This machine's OpenSSL lacks an algorithm, which Apple's CryptoKit has in every release that has its type.
public struct UnavailableAlgorithm: Error, Equatable, Sendable, CustomStringConvertible {
    /// The algorithm: `ML-DSA-65`.
    public let name: String

    public var description: String {
        "\(name) needs OpenSSL 3.5 or newer, which Debian 13 has; this machine has OpenSSL \(Backend.version)"
    }
}
