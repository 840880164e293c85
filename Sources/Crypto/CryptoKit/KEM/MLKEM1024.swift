import FoundationEssentials

/// ML-KEM-1024, a key encapsulation of security category 5. Source: FIPS 203.
///
/// It needs OpenSSL 3.5, which Debian 13 has: without it, making or reading a key throws ``UnavailableAlgorithm``.
public enum MLKEM1024: Sendable {
    private static func requireAvailable() throws {
        guard OpenSSLMLKEM.isAvailable else {
            throw UnavailableAlgorithm(name: OpenSSLMLKEM.Parameters.mlKEM1024.name)
        }
    }

    /// A public key of 1568 bytes, for which secrets can be encapsulated.
    public struct PublicKey: KEMPublicKey {
        private let key: OpenSSLMLKEM.PublicKey

        fileprivate init(_ key: OpenSSLMLKEM.PublicKey) { self.key = key }

        /// Reads a key.
        ///
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 1568 bytes, `.underlyingCoreCryptoError` if
        ///   the bytes are not a key (FIPS 203, 7.2).
        public init(rawRepresentation: some DataProtocol) throws {
            try MLKEM1024.requireAvailable()
            key = try OpenSSLMLKEM.PublicKey(bytes: Array(rawRepresentation), .mlKEM1024)
        }

        /// The bytes of the key, 1568 of them.
        public var rawRepresentation: Data { Data(key.bytes) }

        /// Makes a new secret of 32 bytes, and the 1568 bytes from which the holder of the private key recovers it.
        public func encapsulate() throws -> KEM.EncapsulationResult {
            let (secret, ciphertext) = try key.encapsulate(SecureBytes.random(count: 32))
            return KEM.EncapsulationResult(sharedSecret: SymmetricKey(bytes: secret), encapsulated: Data(ciphertext))
        }

        /// The SHA3-256 hash of the key, 32 bytes.
        fileprivate var hash: Data { Keccak.sha3_256(key.bytes).withUnsafeBytes { Data($0) } }
    }

    /// A private key, which recovers encapsulated secrets. Its seed is wiped when the last copy is released.
    public struct PrivateKey: KEMPrivateKey {
        private static let seedByteCount = 64
        private let seed: SecureBytes
        private let key: OpenSSLMLKEM.PrivateKey

        /// Makes a random key.
        public static func generate() throws -> PrivateKey { try PrivateKey() }

        /// Makes a random key.
        public init() throws { try self.init(SecureBytes.random(count: Self.seedByteCount)) }

        private init(_ seed: SecureBytes) throws {
            try MLKEM1024.requireAvailable()
            guard seed.count == Self.seedByteCount else { throw CryptoKitError.incorrectKeySize }
            self.seed = seed
            key = try OpenSSLMLKEM.PrivateKey(seed: seed, .mlKEM1024)
        }

        /// Makes a key from its seed.
        ///
        /// - Parameters:
        ///   - seedRepresentation: The 64 bytes d‖z of FIPS 203, algorithm 16.
        ///   - publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 64 bytes,
        ///   `KEM.Errors.publicKeyMismatchDuringInitialization` if the seed does not belong to the public key.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            try self.init(SecureBytes(gathering: seedRepresentation))
            if let publicKey, publicKey.rawRepresentation != self.publicKey.rawRepresentation {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// Makes a key from an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `KEM.Errors.invalidSeed` unless there are 96 bytes, `.publicKeyMismatchDuringInitialization` if
        ///   seed and hash do not belong together.
        public init(integrityCheckedRepresentation bytes: some DataProtocol) throws {
            guard bytes.count == Self.seedByteCount + 32 else { throw KEM.Errors.invalidSeed }
            try self.init(SecureBytes(gathering: bytes.dropLast(32)))
            guard publicKey.hash == Data(bytes.suffix(32)) else {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// The seed and the SHA3-256 hash of the public key, 96 bytes. The caller must keep them secret.
        public var integrityCheckedRepresentation: Data { seed.data(followedBy: publicKey.hash) }

        /// The 64 bytes d‖z of FIPS 203, algorithm 16. The caller must keep the copy secret.
        public var seedRepresentation: Data { seed.withUnsafeBytes { Data($0) } }

        /// The public key that belongs to this private key.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }

        /// Recovers the secret that was encapsulated, 32 bytes.
        ///
        /// For an invalid ciphertext the result is other bytes, without an error (FIPS 203, 6.3).
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are 1568 bytes.
        public func decapsulate(_ encapsulated: Data) throws -> SymmetricKey {
            SymmetricKey(bytes: try key.decapsulate(Array(encapsulated)))
        }

        /// Recovers the secret that was encapsulated, like ``decapsulate(_:)-(Data)``.
        public func decapsulate(_ encapsulated: some DataProtocol) throws -> SymmetricKey {
            try decapsulate(Data(encapsulated))
        }
    }
}
