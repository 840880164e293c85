import HILCSSL

/// X.509 certificates in DER, checked by OpenSSL.
package enum TLSCertificates {
    /// The certificates that a peer has shown, its own first.
    static func shown(in store: OpaquePointer) -> [[UInt8]] {
        let own = X509_STORE_CTX_get0_cert(store)
        let stack = X509_STORE_CTX_get0_untrusted(store)
        let others = (0..<max(0, OPENSSL_sk_num(stack))).map { OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) } }
        var chain: [[UInt8]] = []
        // OpenSSL lists the peer's own certificate among the others as well.
        for bytes in ([own] + others).compactMap({ $0 }).map(der) where !chain.contains(bytes) { chain.append(bytes) }
        return chain
    }

    static func der(_ certificate: OpaquePointer) -> [UInt8] {
        var pointer: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &pointer)
        defer { CRYPTO_free(pointer, #file, #line) }
        guard let pointer, count > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
    }

    /// Whether the bytes are one certificate and nothing more.
    package static func isCertificate(_ der: [UInt8]) -> Bool { (try? with([der]) { _ in }) != nil }

    /// Why a server's certificates cannot be trusted; nil if they can.
    ///
    /// - Parameters:
    ///   - chain: The certificates, the server's own first.
    ///   - anchors: The trusted certificates: roots, or the server's own.
    ///   - host: The name or address that the server's certificate has to have; nil for any.
    package static func objection(to chain: [[UInt8]], trusting anchors: [[UInt8]], host: String?) -> String? {
        guard !chain.isEmpty else { return "the peer has shown no certificate" }
        do {
            return try with(chain) { chain in
                try with(anchors) { anchors in objection(to: chain, trusting: anchors, host: host) }
            }
        } catch { return "a certificate cannot be read" }
    }

    private static func objection(
        to chain: [OpaquePointer], trusting anchors: [OpaquePointer], host: String?
    ) -> String? {
        let (store, context, others) = (X509_STORE_new(), X509_STORE_CTX_new(), OPENSSL_sk_new_null())
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            OPENSSL_sk_free(others)
        }
        for anchor in anchors { X509_STORE_add_cert(store, anchor) }
        for other in chain.dropFirst() { OPENSSL_sk_push(others, UnsafeRawPointer(other)) }
        guard let context, X509_STORE_CTX_init(context, store, chain.first, others) == 1 else {
            return "OpenSSL cannot check the certificates"
        }
        let parameters = X509_STORE_CTX_get0_param(context)
        // Trusts a server's own certificate directly if it is an anchor.
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER)
        if let host, X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 {
            ERR_clear_error()
            X509_VERIFY_PARAM_set1_host(parameters, host, 0)
        }
        if X509_verify_cert(context) == 1 { return nil }
        ERR_clear_error()
        return String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context))))
    }

    private struct Unreadable: Error {}

    /// Reads certificates for the time of `body`.
    private static func with<Value>(
        _ der: [[UInt8]], _ body: ([OpaquePointer]) throws -> Value
    ) throws -> Value {
        var read: [OpaquePointer] = []
        defer { for certificate in read { X509_free(certificate) } }
        for bytes in der {
            try bytes.withUnsafeBufferPointer { buffer in
                var pointer = buffer.baseAddress
                guard let certificate = d2i_X509(nil, &pointer, buffer.count) else {
                    ERR_clear_error()
                    throw Unreadable()
                }
                read.append(certificate)
                guard pointer == buffer.baseAddress.map({ $0 + buffer.count }) else { throw Unreadable() }
            }
        }
        return try body(read)
    }
}
