import FoundationEssentials

/// A public key in the form that RFC 9180 gives it on the wire.
public protocol HPKEPublicKeySerialization: Sendable {
    /// The key in the form of section 7.1.1.
    init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws

    /// The form of section 7.1.1.
    func hpkeRepresentation(kem: HPKE.KEM) throws -> Data
}

/// A public key that hybrid public key encryption can encapsulate a secret for, by Diffie and Hellman's way.
public protocol HPKEDiffieHellmanPublicKey: HPKEPublicKeySerialization
where EphemeralPrivateKey.PublicKey == Self {
    /// The kind of key that the sender makes for one encapsulation.
    associatedtype EphemeralPrivateKey: HPKEDiffieHellmanPrivateKeyGeneration
}

/// A private key that can open what was encapsulated for its public key.
public protocol HPKEDiffieHellmanPrivateKey: DiffieHellmanKeyAgreement
where PublicKey: HPKEDiffieHellmanPublicKey {}

/// A private key that can be made at random.
public protocol HPKEDiffieHellmanPrivateKeyGeneration: HPKEDiffieHellmanPrivateKey {
    /// A random key.
    init()
}

extension P256.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

extension P256.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The kind of key that the sender makes for one encapsulation.
    public typealias EphemeralPrivateKey = P256.KeyAgreement.PrivateKey

    /// The key whose uncompressed form is `serialization`, 65 bytes.
    ///
    /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for another KEM; as ``init(x963Representation:)``.
    public init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws {
        guard kem == .P256_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(x963Representation: serialization)
    }

    /// The uncompressed form, 65 bytes.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == .P256_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return x963Representation
    }
}

extension Curve25519.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

extension Curve25519.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The kind of key that the sender makes for one encapsulation.
    public typealias EphemeralPrivateKey = Curve25519.KeyAgreement.PrivateKey

    /// The key of 32 bytes.
    ///
    /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for another KEM; as ``init(rawRepresentation:)``.
    public init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws {
        guard kem == .Curve25519_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(rawRepresentation: serialization)
    }

    /// The 32 bytes.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == .Curve25519_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return rawRepresentation
    }
}
