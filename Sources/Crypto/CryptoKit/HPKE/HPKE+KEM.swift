import FoundationEssentials

/// A public key of a KEM for which HPKE can encapsulate a secret.
public protocol HPKEKEMPublicKey: KEMPublicKey, HPKEPublicKeySerialization
where EphemeralPrivateKey.PublicKey == Self {
    /// The type of the private key that belongs to the public key.
    associatedtype EphemeralPrivateKey: HPKEKEMPrivateKeyGeneration
}

/// A private key of a KEM that recovers secrets that were encapsulated for its public key.
public protocol HPKEKEMPrivateKey: KEMPrivateKey where PublicKey: HPKEKEMPublicKey {}

/// A private key that can be made at random.
public protocol HPKEKEMPrivateKeyGeneration: HPKEKEMPrivateKey {
    /// Makes a random key.
    init() throws
}

extension XWingMLKEM768X25519.PrivateKey: HPKEKEMPrivateKeyGeneration {}

extension XWingMLKEM768X25519.PublicKey: HPKEKEMPublicKey {
    /// The type of the private key that belongs to the public key.
    public typealias EphemeralPrivateKey = XWingMLKEM768X25519.PrivateKey
    /// The same type under its older name.
    public typealias HPKEEphemeralPrivateKey = EphemeralPrivateKey

    /// Reads a key of 1216 bytes. Throws `HPKE.Errors.inconsistentCiphersuiteAndKey` for another KEM.
    public init(_ serialization: some ContiguousBytes, kem: HPKE.KEM) throws {
        guard kem == .XWingMLKEM768X25519 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(rawRepresentation: serialization)
    }

    /// The 1216 bytes of the key. Throws `HPKE.Errors.inconsistentCiphersuiteAndKey` for another KEM.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == .XWingMLKEM768X25519 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return rawRepresentation
    }
}
