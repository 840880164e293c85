import HILCSSL

/// A server's certificate and its private key, as stored in an accessory.
public struct TLSIdentity: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The certificate, in DER.
    public let certificate: [UInt8]
    /// The private key, in DER (RFC 5915).
    package let key: [UInt8]

    /// A custom identity, as shipped in firmware.
    ///
    /// - Parameters:
    ///   - certificate: In DER.
    ///   - key: The private key on an elliptic curve, in DER (RFC 5915): `openssl ec -outform DER`.
    package init(certificate: [UInt8], key: [UInt8]) { (self.certificate, self.key) = (certificate, key) }

    /// Without the key.
    public var description: String { "a certificate of \(certificate.count) bytes, and its key" }

    /// Makes a key on P-256 and a self-signed certificate, valid for a year that began yesterday.
    ///
    /// - Parameter host: The name that the certificate is for: `lamp.local`.
    /// - Throws: ``TLSFailure`` if OpenSSL refuses.
    public static func selfSigned(for host: String) throws(TLSFailure) -> TLSIdentity {
        let action = "making a certificate"
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        defer { EVP_PKEY_free(key) }
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &key) == 1, let key, let certificate = X509_new()
        else { throw .last(while: action) }
        defer { X509_free(certificate) }
        guard fill(certificate, host, key), X509_sign(certificate, key, EVP_sha256()) > 0 else {
            throw .last(while: action)
        }
        var pointer: UnsafeMutablePointer<UInt8>?
        let count = i2d_PrivateKey(key, &pointer)
        defer { CRYPTO_clear_free(pointer, Int(max(0, count)), #file, #line) }
        guard let pointer, count > 0 else { throw .last(while: action) }
        return TLSIdentity(
            certificate: TLSCertificates.der(certificate),
            key: Array(UnsafeBufferPointer(start: pointer, count: Int(count))))
    }

    private static let day = 86_400

    private static func fill(_ certificate: OpaquePointer, _ host: String, _ key: OpaquePointer) -> Bool {
        let name = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1 ... .max / 2)) == 1,
            X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), 365 * day) != nil,
            X509_NAME_add_entry_by_txt(
                name, "CN", MBSTRING_UTF8, Array(host.utf8), Int32(clamping: host.utf8.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1, X509_set_pubkey(certificate, key) == 1,
            let names = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, "DNS:\(host)")
        else { return false }
        defer { X509_EXTENSION_free(names) }
        return X509_add_ext(certificate, names, -1) == 1
    }

    /// Makes the sessions of a context present it.
    func use(in context: OpaquePointer) -> Bool {
        SSL_CTX_use_certificate_ASN1(context, Int32(clamping: certificate.count), certificate) == 1
            && SSL_CTX_use_PrivateKey_ASN1(EVP_PKEY_EC, context, key, key.count) == 1
    }
}
