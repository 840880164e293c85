import FoundationEssentials

/// A public key that hybrid public key encryption can encapsulate a secret for, as a KEM does.
public protocol HPKEKEMPublicKey: KEMPublicKey, HPKEPublicKeySerialization
where EphemeralPrivateKey.PublicKey == Self {
    /// The kind of private key that belongs to it.
    associatedtype EphemeralPrivateKey: HPKEKEMPrivateKeyGeneration
}

/// A private key that can open what was encapsulated for its public key.
public protocol HPKEKEMPrivateKey: KEMPrivateKey where PublicKey: HPKEKEMPublicKey {}

/// A private key that can be made at random.
public protocol HPKEKEMPrivateKeyGeneration: HPKEKEMPrivateKey {
    /// A random key.
    init() throws
}

extension XWingMLKEM768X25519.PrivateKey: HPKEKEMPrivateKeyGeneration {}

extension XWingMLKEM768X25519.PublicKey: HPKEKEMPublicKey {
    /// The kind of private key that belongs to it.
    public typealias EphemeralPrivateKey = XWingMLKEM768X25519.PrivateKey

    /// The key of 1216 bytes.
    public init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws {
        guard kem == .XWingMLKEM768X25519 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(rawRepresentation: serialization)
    }

    /// 1216 bytes.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == .XWingMLKEM768X25519 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return rawRepresentation
    }
}
