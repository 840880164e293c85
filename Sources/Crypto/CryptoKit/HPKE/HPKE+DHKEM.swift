import FoundationEssentials

/// A public key that can be written in the form that RFC 9180 sends.
public protocol HPKEPublicKeySerialization: Sendable {
    /// Reads the form of RFC 9180, section 7.1.1.
    init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws

    /// The form of RFC 9180, section 7.1.1.
    func hpkeRepresentation(kem: HPKE.KEM) throws -> Data
}

/// A public key for which HPKE can encapsulate a secret by Diffie-Hellman key agreement.
public protocol HPKEDiffieHellmanPublicKey: HPKEPublicKeySerialization
where EphemeralPrivateKey.PublicKey == Self {
    /// The type of the private key that the sender makes for one encapsulation.
    associatedtype EphemeralPrivateKey: HPKEDiffieHellmanPrivateKeyGeneration
}

/// A private key that recovers secrets that were encapsulated for its public key.
public protocol HPKEDiffieHellmanPrivateKey: DiffieHellmanKeyAgreement
where PublicKey: HPKEDiffieHellmanPublicKey {}

/// A private key that can be made at random.
public protocol HPKEDiffieHellmanPrivateKeyGeneration: HPKEDiffieHellmanPrivateKey {
    /// Makes a random key.
    init()
}

extension HPKEDiffieHellmanPublicKey where Self: CurvePublicKey {
    /// Reads the uncompressed form: 65, 97 or 133 bytes.
    ///
    /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for a KEM of another curve; the errors of
    ///   ``init(x963Representation:)``.
    public init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws {
        guard kem == Self.curveName.kem else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(x963Representation: serialization)
    }

    /// The uncompressed form: 65, 97 or 133 bytes.
    ///
    /// Throws `HPKE.Errors.inconsistentCiphersuiteAndKey` for a KEM of another curve.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == Self.curveName.kem else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return x963Representation
    }

    /// The type of the private key that the sender makes for one encapsulation, under its older name.
    public typealias HPKEEphemeralPrivateKey = EphemeralPrivateKey
}

extension P256.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

extension P256.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The type of the private key that the sender makes for one encapsulation.
    public typealias EphemeralPrivateKey = P256.KeyAgreement.PrivateKey
}

extension P384.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

extension P384.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The type of the private key that the sender makes for one encapsulation.
    public typealias EphemeralPrivateKey = P384.KeyAgreement.PrivateKey
}

extension P521.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

extension P521.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The type of the private key that the sender makes for one encapsulation.
    public typealias EphemeralPrivateKey = P521.KeyAgreement.PrivateKey
}

extension Curve25519.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

extension Curve25519.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The type of the private key that the sender makes for one encapsulation.
    public typealias EphemeralPrivateKey = Curve25519.KeyAgreement.PrivateKey
    /// The same type under its older name.
    public typealias HPKEEphemeralPrivateKey = EphemeralPrivateKey

    /// Reads a key of 32 bytes.
    ///
    /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for another KEM; the errors of
    ///   ``init(rawRepresentation:)``.
    public init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws {
        guard kem == .Curve25519_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(rawRepresentation: serialization)
    }

    /// The 32 bytes of the key. Throws `HPKE.Errors.inconsistentCiphersuiteAndKey` for another KEM.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == .Curve25519_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return rawRepresentation
    }
}
