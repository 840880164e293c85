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

/// The key encapsulation by Diffie and Hellman's way (RFC 9180, section 4.1).
enum DHKEM {
    /// `Encap`, with a given ephemeral key.
    static func encapsulate<PublicKey: HPKEDiffieHellmanPublicKey>(
        to recipient: PublicKey, ephemeral: PublicKey.EphemeralPrivateKey, kem: HPKE.KEM
    ) throws -> (sharedSecret: SecureBytes, encapsulatedKey: Data) {
        let secret = try ephemeral.sharedSecretFromKeyAgreement(with: recipient)
        let encapsulated = try ephemeral.publicKey.hpkeRepresentation(kem: kem)
        let context = encapsulated + (try recipient.hpkeRepresentation(kem: kem))
        return (sharedSecret(from: secret, context: context, kem: kem), encapsulated)
    }

    /// `Decap`.
    static func decapsulate<PrivateKey: HPKEDiffieHellmanPrivateKey>(
        _ encapsulatedKey: Data, with recipient: PrivateKey, kem: HPKE.KEM
    ) throws -> SecureBytes {
        let ephemeral = try PrivateKey.PublicKey(encapsulatedKey, kem: kem)
        let secret = try recipient.sharedSecretFromKeyAgreement(with: ephemeral)
        let context = encapsulatedKey + (try recipient.publicKey.hpkeRepresentation(kem: kem))
        return sharedSecret(from: secret, context: context, kem: kem)
    }

    /// `Nsecret` of every KEM here that agrees by a curve of 256 bits.
    private static let sharedSecretByteCount = 32

    /// `ExtractAndExpand`.
    private static func sharedSecret(from secret: SharedSecret, context: Data, kem: HPKE.KEM) -> SecureBytes {
        let labeled = LabeledKDF(kdf: .HKDF_SHA256, suiteIdentifier: Data("KEM".utf8) + kem.identifier.bigEndianBytes)
        let key = labeled.extract(salt: Data(), label: "eae_prk", input: secret)
        return labeled.expand(
            key: key, label: "shared_secret", info: context, outputByteCount: sharedSecretByteCount
        ).bytes
    }
}
