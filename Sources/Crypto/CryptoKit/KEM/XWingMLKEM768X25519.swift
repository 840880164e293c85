import FoundationEssentials

/// X-Wing: a key encapsulation that combines ML-KEM-768 and X25519. An attacker must break both.
///
/// Source: draft-connolly-cfrg-xwing-kem-06.
public enum XWingMLKEM768X25519: Sendable {
    /// “\./” and “/^\”, the last input of the hash (section 5.3).
    private static let label: [UInt8] = [0x5C, 0x2E, 0x2F, 0x2F, 0x5E, 0x5C]

    /// Combines the secrets of both parts into one (section 5.3).
    fileprivate static func combine(
        _ lattice: SymmetricKey, _ curve: SharedSecret, ciphertext: [UInt8], publicKey: [UInt8]
    ) -> SymmetricKey {
        SymmetricKey(bytes: Keccak.sha3_256(lattice, curve, ciphertext, publicKey, label))
    }

    /// Agrees on the secret of the X25519 part.
    ///
    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` for a point of small order, as swift-crypto does.
    fileprivate static func agree(
        _ key: Curve25519.KeyAgreement.PrivateKey, with point: Curve25519.KeyAgreement.PublicKey
    ) throws -> SharedSecret {
        do { return try key.nonzeroSecret(with: point) } catch CryptoKitError.invalidParameter {
            throw CryptoKitError.refusedKey
        }
    }

    /// A public key of 1216 bytes, for which secrets can be encapsulated.
    public struct PublicKey: KEMPublicKey {
        /// The length of a key, 1216 bytes.
        static let byteCount = MLKEMParameters.mlKEM768.publicKeyByteCount + X25519.byteCount
        /// The length of an encapsulated secret, 1120 bytes.
        static let ciphertextByteCount = MLKEMParameters.mlKEM768.ciphertextByteCount + X25519.byteCount

        /// The first part of the key; nil if the bytes are not a key of ML-KEM.
        private let lattice: MLKEM768.PublicKey?
        private let curve: Curve25519.KeyAgreement.PublicKey
        /// The key of ML-KEM and then the key of X25519.
        fileprivate let bytes: [UInt8]

        init(lattice: MLKEM768.PublicKey, curve: Curve25519.KeyAgreement.PublicKey) {
            self.lattice = lattice
            self.curve = curve
            bytes = lattice.backend.bytes + curve.bytes
        }

        /// Reads a key.
        ///
        /// As in swift-crypto, any 1216 bytes are read: ``encapsulate()`` throws if they are not a key.
        ///
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 1216 bytes.
        public init(rawRepresentation: some ContiguousBytes) throws {
            try self.init(rawRepresentation: rawRepresentation, by: .preferred)
        }

        package init(rawRepresentation: some ContiguousBytes, by implementation: MLKEMImplementation) throws {
            bytes = rawRepresentation.withUnsafeBytes { Array($0) }
            guard bytes.count == PublicKey.byteCount else { throw CryptoKitError.incorrectKeySize }
            lattice = try? MLKEM768.PublicKey(
                rawRepresentation: bytes.dropLast(X25519.byteCount), by: implementation)
            curve = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Array(bytes.suffix(X25519.byteCount)))
        }

        /// The key of ML-KEM and then the key of X25519, 1216 bytes.
        public var rawRepresentation: Data { Data(bytes) }

        /// Makes a new secret of 32 bytes, and the 1120 bytes from which the holder of the private key recovers it.
        ///
        /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the ML-KEM part of the key is invalid (FIPS 203,
        ///   7.2), or the X25519 part has small order.
        public func encapsulate() throws -> KEM.EncapsulationResult {
            try encapsulate(message: SecureBytes.random(count: 32), ephemeral: Curve25519.KeyAgreement.PrivateKey())
        }

        /// Encapsulates with given randomness, to check published vectors.
        func encapsulate(
            message: SecureBytes, ephemeral: Curve25519.KeyAgreement.PrivateKey
        ) throws -> KEM.EncapsulationResult {
            guard let lattice else { throw CryptoKitError.refusedKey }
            let first = try lattice.encapsulate(message: message)
            let second = try XWingMLKEM768X25519.agree(ephemeral, with: curve)
            let secret = XWingMLKEM768X25519.combine(
                first.sharedSecret, second, ciphertext: ephemeral.publicKey.bytes, publicKey: curve.bytes)
            return KEM.EncapsulationResult(
                sharedSecret: secret, encapsulated: first.encapsulated + ephemeral.publicKey.rawRepresentation)
        }
    }

    /// A private key, which recovers encapsulated secrets. It is wiped when the last copy is released.
    public struct PrivateKey: KEMPrivateKey {
        /// The length of a seed, 32 bytes.
        static let seedByteCount = 32

        private let seed: SecureBytes
        private let lattice: MLKEM768.PrivateKey
        private let curve: Curve25519.KeyAgreement.PrivateKey

        /// Makes a random key.
        public static func generate() throws -> PrivateKey { try PrivateKey() }

        /// Makes a random key.
        public init() throws { try self.init(by: .preferred) }

        /// Makes a random key that uses this implementation of ML-KEM.
        package init(by implementation: MLKEMImplementation) throws {
            try self.init(seed: SecureBytes.random(count: PrivateKey.seedByteCount), by: implementation)
        }

        /// Makes a key from its seed.
        ///
        /// - Parameters:
        ///   - seedRepresentation: 32 bytes.
        ///   - publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 32 bytes.
        ///   `KEM.Errors.publicKeyMismatchDuringInitialization` if the seed does not belong to the public key.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            try self.init(seed: SecureBytes(gathering: seedRepresentation), by: .preferred)
            if let publicKey, publicKey.bytes != self.publicKey.bytes {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// Makes both parts of the key from the seed: `expandDecapsulationKey` (section 5.2).
        init(seed: SecureBytes, by implementation: MLKEMImplementation) throws {
            guard seed.count == PrivateKey.seedByteCount else { throw CryptoKitError.incorrectKeySize }
            let expanded = Keccak.shake256(seed, byteCount: MLKEMParameters.seedByteCount + X25519.byteCount)
            let (latticeSeed, scalar) = expanded.split(at: MLKEMParameters.seedByteCount)
            self.seed = seed
            lattice = try MLKEM768.PrivateKey(seed: latticeSeed, by: implementation)
            curve = try Curve25519.KeyAgreement.PrivateKey(scalar: scalar)
        }

        /// Makes a key from an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 64 bytes,
        ///   `KEM.Errors.publicKeyMismatchDuringInitialization` if seed and hash do not belong together.
        public init(integrityCheckedRepresentation: some DataProtocol) throws {
            let bytes = integrityCheckedRepresentation
            guard bytes.count == PrivateKey.seedByteCount + 32 else { throw CryptoKitError.incorrectKeySize }
            try self.init(seed: SecureBytes(gathering: bytes.dropLast(32)), by: .preferred)
            guard hash == Data(bytes.suffix(32)) else { throw KEM.Errors.publicKeyMismatchDuringInitialization }
        }

        /// The seed and the SHA3-256 hash of the public key, 64 bytes. The caller must keep them secret.
        public var integrityCheckedRepresentation: Data { seed.data(followedBy: hash) }

        private var hash: Data { Keccak.sha3_256(publicKey.rawRepresentation).withUnsafeBytes { Data($0) } }

        /// The seed, 32 bytes. The caller must keep the copy secret.
        public var seedRepresentation: Data { seed.withUnsafeBytes { Data($0) } }

        /// The public key that belongs to this private key.
        public var publicKey: PublicKey { PublicKey(lattice: lattice.publicKey, curve: curve.publicKey) }

        /// Recovers the secret that was encapsulated, 32 bytes.
        ///
        /// For an invalid ciphertext of ML-KEM the result is other bytes, without an error (FIPS 203, 6.3).
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are 1120 bytes,
        ///   `.underlyingCoreCryptoError` if the X25519 part has small order.
        public func decapsulate(_ encapsulated: Data) throws -> SymmetricKey {
            guard encapsulated.count == PublicKey.ciphertextByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            let ephemeral = try Curve25519.KeyAgreement.PublicKey(
                rawRepresentation: Data(encapsulated.suffix(X25519.byteCount)))
            return XWingMLKEM768X25519.combine(
                try lattice.decapsulate(Data(encapsulated.dropLast(X25519.byteCount))),
                try XWingMLKEM768X25519.agree(curve, with: ephemeral), ciphertext: ephemeral.bytes,
                publicKey: curve.publicKey.bytes)
        }
    }
}
