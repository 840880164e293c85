import FoundationEssentials

/// ML-KEM-768, a key encapsulation of security category 3. Source: FIPS 203.
///
/// OpenSSL does the arithmetic if it can (from version 3.5 on), else this module does.
public enum MLKEM768: Sendable {
    /// A public key of 1184 bytes, for which secrets can be encapsulated.
    public struct PublicKey: KEMPublicKey {
        let backend: any MLKEMPublicKey

        init(_ backend: any MLKEMPublicKey) { self.backend = backend }

        /// Reads a key.
        ///
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 1184 bytes, `.underlyingCoreCryptoError` if
        ///   the bytes are not a key (FIPS 203, 7.2).
        public init(rawRepresentation: some DataProtocol) throws {
            try self.init(rawRepresentation: rawRepresentation, by: .preferred)
        }

        init(rawRepresentation: some DataProtocol, by implementation: MLKEMImplementation) throws {
            backend = try implementation.publicKey(Array(rawRepresentation), .mlKEM768)
        }

        /// The bytes of the key, 1184 of them.
        public var rawRepresentation: Data { Data(backend.bytes) }

        /// Makes a new secret of 32 bytes, and the 1088 bytes from which the holder of the private key recovers it.
        public func encapsulate() throws -> KEM.EncapsulationResult {
            try encapsulate(message: SecureBytes.random(count: 32))
        }

        /// Encapsulates with 32 given random bytes, to check published vectors and the machine code.
        package func encapsulate(message: some ContiguousBytes) throws -> KEM.EncapsulationResult {
            let (secret, ciphertext) = try backend.encapsulate(SecureBytes(copying: message))
            return KEM.EncapsulationResult(sharedSecret: SymmetricKey(bytes: secret), encapsulated: Data(ciphertext))
        }
    }

    /// A private key, which recovers encapsulated secrets. It is wiped when the last copy is released.
    public struct PrivateKey: KEMPrivateKey {
        let seed: SecureBytes
        let backend: any MLKEMPrivateKey

        /// Makes a random key.
        public static func generate() throws -> PrivateKey { try PrivateKey() }

        /// Makes a random key.
        public init() throws { try self.init(by: .preferred) }

        /// Makes a random key that uses this implementation.
        package init(by implementation: MLKEMImplementation) throws {
            try self.init(seed: SecureBytes.random(count: MLKEMParameters.seedByteCount), by: implementation)
        }

        /// Makes a key from its seed.
        ///
        /// - Parameters:
        ///   - seedRepresentation: The 64 bytes d‖z of FIPS 203, algorithm 16.
        ///   - publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 64 bytes,
        ///   `KEM.Errors.publicKeyMismatchDuringInitialization` if the seed does not belong to the public key.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            try self.init(seed: SecureBytes(gathering: seedRepresentation), by: .preferred)
            if let publicKey, publicKey.backend.bytes != self.publicKey.backend.bytes {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        init(seed: SecureBytes, by implementation: MLKEMImplementation) throws {
            guard seed.count == MLKEMParameters.seedByteCount else { throw CryptoKitError.incorrectKeySize }
            self.seed = seed
            backend = try implementation.privateKey(seed, .mlKEM768)
        }

        /// Makes a key from an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `KEM.Errors.invalidSeed` unless there are 96 bytes, `.publicKeyMismatchDuringInitialization` if
        ///   seed and hash do not belong together.
        public init(integrityCheckedRepresentation: some DataProtocol) throws {
            let bytes = integrityCheckedRepresentation
            guard bytes.count == MLKEMParameters.seedByteCount + 32 else { throw KEM.Errors.invalidSeed }
            try self.init(seed: SecureBytes(gathering: bytes.dropLast(32)), by: .preferred)
            guard publicKey.backend.keyHash == Data(bytes.suffix(32)) else {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// The seed and the SHA3-256 hash of the public key, 96 bytes. The caller must keep them secret.
        public var integrityCheckedRepresentation: Data { seed.data(followedBy: publicKey.backend.keyHash) }

        /// The 64 bytes d‖z of FIPS 203, algorithm 16. The caller must keep the copy secret.
        public var seedRepresentation: Data { seed.withUnsafeBytes { Data($0) } }

        /// The public key that belongs to this private key.
        public var publicKey: PublicKey { PublicKey(backend.publicKey) }

        /// Recovers the secret that was encapsulated, 32 bytes.
        ///
        /// For an invalid ciphertext the result is other bytes, without an error (FIPS 203, 6.3).
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are 1088 bytes.
        public func decapsulate(_ encapsulated: Data) throws -> SymmetricKey {
            SymmetricKey(bytes: try backend.decapsulate(Array(encapsulated)))
        }

        /// Recovers the secret that was encapsulated, like ``decapsulate(_:)-(Data)``.
        public func decapsulate(_ encapsulated: some DataProtocol) throws -> SymmetricKey {
            try decapsulate(Data(encapsulated))
        }
    }
}
