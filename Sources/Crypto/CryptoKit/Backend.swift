import HILCOpenSSL

/// The library that this module uses on this machine.
package enum Backend {
    /// OpenSSL's version: `3.5.4`.
    static var version: String {
        OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "of an unknown version"
    }

    /// OpenSSL's version, and which implementation of ML-KEM is used: `3.5.4, ML-KEM of OpenSSL`.
    package static var description: String {
        "\(version), ML-KEM \(MLKEMImplementation.preferred == .openSSL ? "of OpenSSL" : "of our own")"
    }
}
