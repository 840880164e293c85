/// ML-DSA-65, signatures of security category 3. Source: FIPS 204.
///
/// It needs OpenSSL 3.5 or newer; with an older one, making or reading a key throws ``UnavailableAlgorithm``.
public enum MLDSA65: Sendable {
    /// A public key of 1952 bytes.
    public struct PublicKey: MLDSAPublicKey {
        public let storage: MLDSAKey
        public static var setName: MLDSAName { .mlDSA65 }
        public init(checked storage: MLDSAKey) { self.storage = storage }
    }

    /// A private key.
    public struct PrivateKey: MLDSAPrivateKey {
        public let storage: MLDSASeed
        public let publicKey: PublicKey

        public init(checked storage: MLDSASeed, publicKey: PublicKey) {
            self.storage = storage
            self.publicKey = publicKey
        }
    }
}

/// ML-DSA-87, signatures of security category 5. Source: FIPS 204.
///
/// It needs OpenSSL 3.5 or newer; with an older one, making or reading a key throws ``UnavailableAlgorithm``.
public enum MLDSA87: Sendable {
    /// A public key of 2592 bytes.
    public struct PublicKey: MLDSAPublicKey {
        public let storage: MLDSAKey
        public static var setName: MLDSAName { .mlDSA87 }
        public init(checked storage: MLDSAKey) { self.storage = storage }
    }

    /// A private key.
    public struct PrivateKey: MLDSAPrivateKey {
        public let storage: MLDSASeed
        public let publicKey: PublicKey

        public init(checked storage: MLDSASeed, publicKey: PublicKey) {
            self.storage = storage
            self.publicKey = publicKey
        }
    }
}
