import FoundationEssentials

/// ML-DSA-65, signatures of security category 3. Source: FIPS 204.
///
/// It needs OpenSSL 3.5, which Debian 13 has: without it, making or reading a key throws ``UnavailableAlgorithm``.
public enum MLDSA65 {
    /// A public key of 1952 bytes.
    public struct PublicKey: MLDSAPublicKey {
        public let storage: MLDSAKey

        /// Reads a key.
        ///
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 1952 bytes.
        public init(rawRepresentation: some DataProtocol) throws {
            storage = try MLDSAKey(Array(rawRepresentation), .mlDSA65)
        }
    }

    /// A private key.
    public struct PrivateKey: MLDSAPrivateKey {
        public let storage: MLDSASeed
        /// The public key that belongs to this private key.
        public let publicKey: PublicKey

        /// Makes a random key.
        public init() throws { try self.init(SecureBytes.random(count: MLDSAParameters.seedByteCount)) }

        private init(_ seed: SecureBytes) throws {
            storage = try MLDSASeed(seed, .mlDSA65)
            publicKey = try PublicKey(
                rawRepresentation: storage.key.rawPublicKey(count: MLDSAParameters.mlDSA65.publicKeyByteCount))
        }

        /// Makes a key from its seed of 32 bytes.
        ///
        /// - Parameter publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `KEM.Errors.publicKeyMismatchDuringInitialization`
        ///   if the seed does not belong to the public key.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            try self.init(SecureBytes(gathering: seedRepresentation))
            if let publicKey, publicKey.rawRepresentation != self.publicKey.rawRepresentation {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// Makes a key from an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `KEM.Errors.invalidSeed` unless there are 64 bytes, `.publicKeyMismatchDuringInitialization` if
        ///   seed and hash do not belong together.
        public init(integrityCheckedRepresentation bytes: some DataProtocol) throws {
            guard bytes.count == MLDSAParameters.seedByteCount + 32 else { throw KEM.Errors.invalidSeed }
            try self.init(SecureBytes(gathering: bytes.dropLast(32)))
            guard publicKey.hash == Data(bytes.suffix(32)) else {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// The seed and the SHA3-256 hash of the public key, 64 bytes. The caller must keep them secret.
        public var integrityCheckedRepresentation: Data { storage.bytes.data(followedBy: publicKey.hash) }
    }
}

/// ML-DSA-87, signatures of security category 5. Source: FIPS 204.
///
/// It needs OpenSSL 3.5, which Debian 13 has: without it, making or reading a key throws ``UnavailableAlgorithm``.
public enum MLDSA87 {
    /// A public key of 2592 bytes.
    public struct PublicKey: MLDSAPublicKey {
        public let storage: MLDSAKey

        /// Reads a key.
        ///
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 2592 bytes.
        public init(rawRepresentation: some DataProtocol) throws {
            storage = try MLDSAKey(Array(rawRepresentation), .mlDSA87)
        }
    }

    /// A private key.
    public struct PrivateKey: MLDSAPrivateKey {
        public let storage: MLDSASeed
        /// The public key that belongs to this private key.
        public let publicKey: PublicKey

        /// Makes a random key.
        public init() throws { try self.init(SecureBytes.random(count: MLDSAParameters.seedByteCount)) }

        private init(_ seed: SecureBytes) throws {
            storage = try MLDSASeed(seed, .mlDSA87)
            publicKey = try PublicKey(
                rawRepresentation: storage.key.rawPublicKey(count: MLDSAParameters.mlDSA87.publicKeyByteCount))
        }

        /// Makes a key from its seed of 32 bytes.
        ///
        /// - Parameter publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `KEM.Errors.publicKeyMismatchDuringInitialization`
        ///   if the seed does not belong to the public key.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            try self.init(SecureBytes(gathering: seedRepresentation))
            if let publicKey, publicKey.rawRepresentation != self.publicKey.rawRepresentation {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// Makes a key from an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `KEM.Errors.invalidSeed` unless there are 64 bytes, `.publicKeyMismatchDuringInitialization` if
        ///   seed and hash do not belong together.
        public init(integrityCheckedRepresentation bytes: some DataProtocol) throws {
            guard bytes.count == MLDSAParameters.seedByteCount + 32 else { throw KEM.Errors.invalidSeed }
            try self.init(SecureBytes(gathering: bytes.dropLast(32)))
            guard publicKey.hash == Data(bytes.suffix(32)) else {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// The seed and the SHA3-256 hash of the public key, 64 bytes. The caller must keep them secret.
        public var integrityCheckedRepresentation: Data { storage.bytes.data(followedBy: publicKey.hash) }
    }
}
