import FoundationEssentials

/// X-Wing: ML-KEM-768 and X25519 together, so that breaking one of them is not enough.
///
/// Source: draft-connolly-cfrg-xwing-kem-06.
public enum XWingMLKEM768X25519 {
    /// “\./”, then “/^\”: what the hash ends with (section 5.3).
    private static let label: [UInt8] = [0x5C, 0x2E, 0x2F, 0x2F, 0x5E, 0x5C]

    /// The secret of both (section 5.3).
    fileprivate static func combine(
        _ lattice: SymmetricKey, _ curve: SharedSecret, ciphertext: [UInt8], publicKey: [UInt8]
    ) -> SymmetricKey {
        SymmetricKey(bytes: Keccak.sha3_256(lattice, curve, ciphertext, publicKey, label))
    }

    /// A key that secrets can be encapsulated for.
    public struct PublicKey: KEMPublicKey, Equatable {
        /// 1216 bytes.
        static let byteCount = LatticePublicKey.byteCount + X25519.byteCount
        /// 1120 bytes.
        static let ciphertextByteCount = LatticePublicKey.ciphertextByteCount + X25519.byteCount

        let lattice: MLKEM768.PublicKey
        let curve: Curve25519.KeyAgreement.PublicKey

        init(lattice: MLKEM768.PublicKey, curve: Curve25519.KeyAgreement.PublicKey) {
            self.lattice = lattice
            self.curve = curve
        }

        /// - Throws: `CryptoKitError.incorrectKeySize` for another length than 1216 bytes, `.invalidParameter` for bytes
        ///   that are no key.
        public init(rawRepresentation: some ContiguousBytes) throws {
            try self.init(rawRepresentation: rawRepresentation, by: .preferred)
        }

        package init(rawRepresentation: some ContiguousBytes, by implementation: MLKEMImplementation) throws {
            let bytes = rawRepresentation.withUnsafeBytes { Array($0) }
            guard bytes.count == PublicKey.byteCount else { throw CryptoKitError.incorrectKeySize }
            lattice = try MLKEM768.PublicKey(
                rawRepresentation: bytes.dropLast(X25519.byteCount), by: implementation)
            curve = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Array(bytes.suffix(X25519.byteCount)))
        }

        /// ML-KEM's key, then X25519's; 1216 bytes.
        public var rawRepresentation: Data { lattice.rawRepresentation + curve.rawRepresentation }

        /// A fresh secret of 32 bytes, and 1120 bytes that the private key's holder comes to it with.
        ///
        /// - Throws: `CryptoKitError.invalidParameter` for a key whose X25519 part has small order.
        public func encapsulate() throws -> KEM.EncapsulationResult {
            try encapsulate(message: SecureBytes.random(count: 32), ephemeral: Curve25519.KeyAgreement.PrivateKey())
        }

        /// With given randomness, so that published vectors can be checked.
        func encapsulate(
            message: SecureBytes, ephemeral: Curve25519.KeyAgreement.PrivateKey
        ) throws -> KEM.EncapsulationResult {
            let first = try lattice.encapsulate(message: message)
            let second = try ephemeral.sharedSecretFromKeyAgreement(with: curve)
            let secret = XWingMLKEM768X25519.combine(
                first.sharedSecret, second, ciphertext: ephemeral.publicKey.bytes, publicKey: curve.bytes)
            return KEM.EncapsulationResult(
                sharedSecret: secret, encapsulated: first.encapsulated + ephemeral.publicKey.rawRepresentation)
        }
    }

    /// A key that opens what was encapsulated for its public key; wiped when the last copy is released.
    public struct PrivateKey: KEMPrivateKey {
        /// 32 bytes.
        static let seedByteCount = 32

        private let seed: SecureBytes
        private let lattice: MLKEM768.PrivateKey
        private let curve: Curve25519.KeyAgreement.PrivateKey

        /// A random key.
        public static func generate() throws -> PrivateKey { try PrivateKey() }

        /// A random key.
        public init() throws { try self.init(by: .preferred) }

        /// A random key, with ML-KEM by this implementation.
        package init(by implementation: MLKEMImplementation) throws {
            try self.init(seed: SecureBytes.random(count: PrivateKey.seedByteCount), by: implementation)
        }

        /// The key of a seed.
        ///
        /// - Parameters:
        ///   - seedRepresentation: 32 bytes.
        ///   - publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `.incorrectParameterSize` where there is a
        ///   public key as well; `KEM.Errors.publicKeyMismatchDuringInitialization`.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            guard publicKey == nil || seedRepresentation.count == PrivateKey.seedByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            try self.init(seed: SecureBytes(gathering: seedRepresentation), by: .preferred)
            if let publicKey, publicKey != self.publicKey { throw KEM.Errors.publicKeyMismatchDuringInitialization }
        }

        /// `expandDecapsulationKey` (section 5.2).
        init(seed: SecureBytes, by implementation: MLKEMImplementation) throws {
            guard seed.count == PrivateKey.seedByteCount else { throw CryptoKitError.incorrectKeySize }
            let expanded = Keccak.shake256(seed, byteCount: LatticePrivateKey.seedByteCount + X25519.byteCount)
            let (latticeSeed, scalar) = expanded.split(at: LatticePrivateKey.seedByteCount)
            self.seed = seed
            lattice = try MLKEM768.PrivateKey(seed: latticeSeed, by: implementation)
            curve = try Curve25519.KeyAgreement.PrivateKey(scalar: scalar)
        }

        /// The key of an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` for another length than 64 bytes,
        ///   `KEM.Errors.publicKeyMismatchDuringInitialization` where seed and hash do not belong together.
        public init(integrityCheckedRepresentation: some DataProtocol) throws {
            let bytes = integrityCheckedRepresentation
            guard bytes.count == PrivateKey.seedByteCount + 32 else {
                throw CryptoKitError.incorrectParameterSize
            }
            try self.init(seed: SecureBytes(gathering: bytes.dropLast(32)), by: .preferred)
            guard hash == Data(bytes.suffix(32)) else { throw KEM.Errors.publicKeyMismatchDuringInitialization }
        }

        /// The seed, and SHA3-256 of the public key; 64 bytes, the caller's to keep secret.
        public var integrityCheckedRepresentation: Data { seed.data(followedBy: hash) }

        private var hash: Data { Keccak.sha3_256(publicKey.rawRepresentation).withUnsafeBytes { Data($0) } }

        /// 32 bytes. The copy is the caller's to keep secret.
        public var seedRepresentation: Data { seed.withUnsafeBytes { Data($0) } }

        public var publicKey: PublicKey { PublicKey(lattice: lattice.publicKey, curve: curve.publicKey) }

        /// The secret that was encapsulated, 32 bytes; other bytes, and no error, where ML-KEM's part is none (FIPS 203, 6.3).
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` for another length than 1120 bytes, `.invalidParameter` where
        ///   X25519's part has small order.
        public func decapsulate(_ encapsulated: Data) throws -> SymmetricKey {
            guard encapsulated.count == PublicKey.ciphertextByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            let ephemeral = try Curve25519.KeyAgreement.PublicKey(
                rawRepresentation: Data(encapsulated.suffix(X25519.byteCount)))
            return XWingMLKEM768X25519.combine(
                try lattice.decapsulate(Data(encapsulated.dropLast(X25519.byteCount))),
                try curve.sharedSecretFromKeyAgreement(with: ephemeral), ciphertext: ephemeral.bytes,
                publicKey: curve.publicKey.bytes)
        }
    }
}
