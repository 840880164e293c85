import FoundationEssentials

/// ML-KEM with the parameters of security category 3 (FIPS 203): 768.
///
/// OpenSSL's where it has it (3.5), else our own.
public enum MLKEM768 {
    /// A key that secrets can be encapsulated for.
    public struct PublicKey: KEMPublicKey, Equatable {
        let backend: any MLKEMPublicKey

        init(_ backend: any MLKEMPublicKey) { self.backend = backend }

        /// - Throws: `CryptoKitError.incorrectKeySize` for another length than 1184 bytes, `.invalidParameter` for bytes
        ///   that are no key (FIPS 203, 7.2).
        public init(rawRepresentation: some DataProtocol) throws {
            try self.init(rawRepresentation: rawRepresentation, by: .preferred)
        }

        init(rawRepresentation: some DataProtocol, by implementation: MLKEMImplementation) throws {
            backend = try implementation.publicKey(Array(rawRepresentation))
        }

        /// 1184 bytes.
        public var rawRepresentation: Data { Data(backend.bytes) }

        /// A fresh secret of 32 bytes, and 1088 bytes that the private key's holder comes to it with.
        public func encapsulate() throws -> KEM.EncapsulationResult {
            try encapsulate(message: SecureBytes.random(count: 32))
        }

        /// With given randomness, 32 bytes, so that published vectors can be checked.
        func encapsulate(message: SecureBytes) throws -> KEM.EncapsulationResult {
            let (secret, ciphertext) = try backend.encapsulate(message)
            return KEM.EncapsulationResult(sharedSecret: SymmetricKey(bytes: secret), encapsulated: Data(ciphertext))
        }

        public static func == (lhs: PublicKey, rhs: PublicKey) -> Bool { lhs.backend.bytes == rhs.backend.bytes }
    }

    /// A key that opens what was encapsulated for its public key; wiped when the last copy is released.
    public struct PrivateKey: KEMPrivateKey {
        let seed: SecureBytes
        let backend: any MLKEMPrivateKey

        /// A random key.
        public static func generate() throws -> PrivateKey { try PrivateKey() }

        /// A random key.
        public init() throws {
            try self.init(seed: SecureBytes.random(count: LatticePrivateKey.seedByteCount), by: .preferred)
        }

        /// The key of a seed.
        ///
        /// - Parameters:
        ///   - seedRepresentation: d‖z (FIPS 203, algorithm 16), 64 bytes.
        ///   - publicKey: The public key that the seed must belong to, if it is known.
        /// - Throws: `CryptoKitError.incorrectKeySize` for another length,
        ///   `KEM.Errors.publicKeyMismatchDuringInitialization`.
        public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
            try self.init(seed: SecureBytes(gathering: seedRepresentation), by: .preferred)
            if let publicKey, publicKey != self.publicKey { throw KEM.Errors.publicKeyMismatchDuringInitialization }
        }

        init(seed: SecureBytes, by implementation: MLKEMImplementation) throws {
            guard seed.count == LatticePrivateKey.seedByteCount else { throw CryptoKitError.incorrectKeySize }
            self.seed = seed
            backend = try implementation.privateKey(seed)
        }

        /// The key of an ``integrityCheckedRepresentation``.
        ///
        /// - Throws: `KEM.Errors.invalidSeed` for another length than 96 bytes, `.publicKeyMismatchDuringInitialization`
        ///   where seed and hash do not belong together.
        public init(integrityCheckedRepresentation: some DataProtocol) throws {
            let bytes = integrityCheckedRepresentation
            guard bytes.count == LatticePrivateKey.seedByteCount + 32 else { throw KEM.Errors.invalidSeed }
            try self.init(seed: SecureBytes(gathering: bytes.dropLast(32)), by: .preferred)
            guard publicKey.hash == Data(bytes.suffix(32)) else {
                throw KEM.Errors.publicKeyMismatchDuringInitialization
            }
        }

        /// The seed, and SHA3-256 of the public key; 96 bytes, the caller's to keep secret.
        public var integrityCheckedRepresentation: Data { seed.data(followedBy: publicKey.hash) }

        /// d‖z, 64 bytes. The copy is the caller's to keep secret.
        public var seedRepresentation: Data { seed.withUnsafeBytes { Data($0) } }

        public var publicKey: PublicKey { PublicKey(backend.publicKey) }

        /// The secret that was encapsulated, 32 bytes; other bytes, and no error, for a ciphertext that is none (FIPS 203,
        /// 6.3).
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` for another length than 1088 bytes.
        public func decapsulate(_ encapsulated: Data) throws -> SymmetricKey {
            SymmetricKey(bytes: try backend.decapsulate(Array(encapsulated)))
        }

        /// The secret that was encapsulated, as ``decapsulate(_:)-(Data)``.
        public func decapsulate(_ encapsulated: some DataProtocol) throws -> SymmetricKey {
            try decapsulate(Data(encapsulated))
        }
    }
}

extension MLKEM768.PublicKey {
    /// SHA3-256 of the key, 32 bytes.
    var hash: Data { Keccak.sha3_256(backend.bytes).withUnsafeBytes { Data($0) } }
}

/// What stands behind a public key of ML-KEM-768.
protocol MLKEMPublicKey: Sendable {
    /// 1184 bytes.
    var bytes: [UInt8] { get }
    /// - Parameter message: 32 random bytes.
    func encapsulate(_ message: SecureBytes) throws -> (sharedSecret: SecureBytes, ciphertext: [UInt8])
}

/// What stands behind a private key of ML-KEM-768.
protocol MLKEMPrivateKey: Sendable {
    associatedtype PublicKey: MLKEMPublicKey
    var publicKey: PublicKey { get }
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length than 1088 bytes.
    func decapsulate(_ ciphertext: [UInt8]) throws -> SecureBytes
}

extension LatticePublicKey: MLKEMPublicKey {}
extension LatticePrivateKey: MLKEMPrivateKey {}

/// Whose arithmetic.
package enum MLKEMImplementation: CaseIterable, Sendable {
    case own
    /// From OpenSSL 3.5 on.
    case openSSL

    /// OpenSSL's, where it has it.
    package static let preferred: MLKEMImplementation = OpenSSLMLKEM.isThere ? .openSSL : .own

    package var isThere: Bool { self == .own || OpenSSLMLKEM.isThere }

    func publicKey(_ bytes: [UInt8]) throws -> any MLKEMPublicKey {
        switch self {
        case .own: try LatticePublicKey(bytes: bytes)
        case .openSSL: try OpenSSLMLKEM.PublicKey(bytes: bytes)
        }
    }

    /// - Parameter seed: 64 bytes, d‖z.
    func privateKey(_ seed: SecureBytes) throws -> any MLKEMPrivateKey {
        switch self {
        case .own: LatticePrivateKey(seed: seed)
        case .openSSL: try OpenSSLMLKEM.PrivateKey(seed: seed)
        }
    }
}
