import FoundationEssentials

/// Which parameter set of ML-DSA a key belongs to.
public enum MLDSAName: Sendable {
    case mlDSA65, mlDSA87

    var parameters: MLDSAParameters {
        switch self {
        case .mlDSA65: .mlDSA65
        case .mlDSA87: .mlDSA87
        }
    }
}

/// Public keys of ML-DSA. Apps use the keys themselves.
public protocol MLDSAPublicKey: Sendable {
    static var setName: MLDSAName { get }
    /// The key as this module keeps it.
    var storage: MLDSAKey { get }
    /// Takes over a key that was checked.
    init(checked storage: MLDSAKey)
}

/// A key of ML-DSA, as this module keeps it.
public struct MLDSAKey: Sendable {
    let bytes: [UInt8]
    let key: SignatureKey

    init(_ bytes: [UInt8], _ parameters: MLDSAParameters) throws {
        self.bytes = bytes
        key = try parameters.publicKey(bytes)
    }
}

extension MLDSAPublicKey {
    /// Reads a key.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` unless there are as many bytes as keys of this set have;
    ///   ``UnavailableAlgorithm``.
    public init(rawRepresentation: some DataProtocol) throws {
        self.init(checked: try MLDSAKey(Array(rawRepresentation), Self.setName.parameters))
    }

    /// The key in the form of FIPS 204.
    public var rawRepresentation: Data { Data(storage.bytes) }

    /// Whether a signature belongs to data and this key.
    public func isValidSignature(_ signature: some DataProtocol, for data: some DataProtocol) -> Bool {
        storage.key.isValid(Array(signature), for: Array(data))
    }

    /// Whether a signature belongs to data, a context of up to 255 bytes, and this key.
    public func isValidSignature(
        _ signature: some DataProtocol, for data: some DataProtocol, context: some DataProtocol
    ) -> Bool {
        storage.key.isValid(Array(signature), for: Array(data), context: Array(context))
    }

    /// The SHA3-256 hash of the key, 32 bytes.
    var hash: Data { Keccak.sha3_256(storage.bytes).withUnsafeBytes { Data($0) } }
}

/// A seed of ML-DSA with the key that it makes, as this module keeps it. The seed is wiped when the last copy is
/// released.
public struct MLDSASeed: Sendable {
    let bytes: SecureBytes
    let key: SignatureKey

    init(_ bytes: SecureBytes, _ parameters: MLDSAParameters) throws {
        self.bytes = bytes
        key = try parameters.privateKey(seed: bytes)
    }
}

/// Private keys of ML-DSA. Apps use the keys themselves.
public protocol MLDSAPrivateKey: Sendable {
    associatedtype PublicKey: MLDSAPublicKey
    /// The key as this module keeps it.
    var storage: MLDSASeed { get }
    /// The public key that belongs to this private key.
    var publicKey: PublicKey { get }
    /// Takes over a key with the public key that belongs to it.
    init(checked storage: MLDSASeed, publicKey: PublicKey)
}

extension MLDSAPrivateKey {
    /// Makes a random key.
    ///
    /// - Throws: ``UnavailableAlgorithm``.
    public init() throws { try self.init(SecureBytes.random(count: MLDSAParameters.seedByteCount)) }

    private init(_ seed: SecureBytes) throws {
        let parameters = PublicKey.setName.parameters
        let storage = try MLDSASeed(seed, parameters)
        let publicKey = try storage.key.rawPublicKey(count: parameters.publicKeyByteCount)
        self.init(checked: storage, publicKey: try PublicKey(rawRepresentation: publicKey))
    }

    /// Makes a key from its seed of 32 bytes.
    ///
    /// - Parameter publicKey: The public key that the seed must belong to, if it is known.
    /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `.unwrapFailure` if the seed does not belong to
    ///   the public key, as in swift-crypto; ``UnavailableAlgorithm``.
    public init(seedRepresentation: some DataProtocol, publicKey: PublicKey?) throws {
        try self.init(SecureBytes(gathering: seedRepresentation))
        if let publicKey, publicKey.rawRepresentation != self.publicKey.rawRepresentation {
            throw CryptoKitError.unwrapFailure
        }
    }

    /// Makes a key from an ``integrityCheckedRepresentation``.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are 64 bytes, `.unwrapFailure` if seed and hash do
    ///   not belong together, as in swift-crypto; ``UnavailableAlgorithm``.
    public init(integrityCheckedRepresentation bytes: some DataProtocol) throws {
        guard bytes.count == MLDSAParameters.seedByteCount + 32 else { throw CryptoKitError.incorrectParameterSize }
        try self.init(SecureBytes(gathering: bytes.dropLast(32)))
        guard publicKey.hash == Data(bytes.suffix(32)) else { throw CryptoKitError.unwrapFailure }
    }

    /// The seed and the SHA3-256 hash of the public key, 64 bytes. The caller must keep them secret.
    public var integrityCheckedRepresentation: Data { storage.bytes.data(followedBy: publicKey.hash) }

    /// The seed ξ of FIPS 204, 32 bytes. The caller must keep the copy secret.
    public var seedRepresentation: Data { storage.bytes.withUnsafeBytes { Data($0) } }

    /// Signs data. Two signatures of the same data differ.
    public func signature(for data: some DataProtocol) throws -> Data {
        Data(try storage.key.sign(Array(data)))
    }

    /// Signs data with a context.
    ///
    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the context has more than 255 bytes.
    public func signature(for data: some DataProtocol, context: some DataProtocol) throws -> Data {
        Data(try storage.key.sign(Array(data), context: Array(context)))
    }
}
