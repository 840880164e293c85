import FoundationEssentials

extension HPKE {
    /// The key encapsulation DHKEM, based on Diffie-Hellman key agreement. Source: RFC 9180, section 4.1.
    public enum DHKEM: Sendable {}
}

extension HPKE.DHKEM {
    /// Encapsulates a secret with a given ephemeral key: `Encap`.
    static func encapsulate<PublicKey: HPKEDiffieHellmanPublicKey>(
        to recipient: PublicKey, ephemeral: PublicKey.EphemeralPrivateKey, kem: HPKE.KEM
    ) throws -> (sharedSecret: SecureBytes, encapsulatedKey: Data) {
        let secret = try agree(ephemeral, with: recipient)
        let encapsulated = try ephemeral.publicKey.hpkeRepresentation(kem: kem)
        let context = encapsulated + (try recipient.hpkeRepresentation(kem: kem))
        return (sharedSecret(from: secret, context: context, kem: kem), encapsulated)
    }

    /// Encapsulates a secret with a given ephemeral key and the sender's key: `AuthEncap`.
    static func encapsulate<PrivateKey: HPKEDiffieHellmanPrivateKey>(
        to recipient: PrivateKey.PublicKey, ephemeral: PrivateKey.PublicKey.EphemeralPrivateKey,
        authenticatedBy sender: PrivateKey, kem: HPKE.KEM
    ) throws -> (sharedSecret: SecureBytes, encapsulatedKey: Data) {
        let secret = SecureBytes(
            joining: try agree(ephemeral, with: recipient),
            try agree(sender, with: recipient))
        let encapsulated = try ephemeral.publicKey.hpkeRepresentation(kem: kem)
        let context =
            encapsulated + (try recipient.hpkeRepresentation(kem: kem))
            + (try sender.publicKey.hpkeRepresentation(kem: kem))
        return (sharedSecret(from: secret, context: context, kem: kem), encapsulated)
    }

    /// Recovers the secret: `Decap`.
    static func decapsulate<PrivateKey: HPKEDiffieHellmanPrivateKey>(
        _ encapsulatedKey: Data, with recipient: PrivateKey, kem: HPKE.KEM
    ) throws -> SecureBytes {
        let ephemeral = try PrivateKey.PublicKey(encapsulatedKey, kem: kem)
        let secret = try agree(recipient, with: ephemeral)
        let context = encapsulatedKey + (try recipient.publicKey.hpkeRepresentation(kem: kem))
        return sharedSecret(from: secret, context: context, kem: kem)
    }

    /// Recovers the secret and authenticates the sender: `AuthDecap`.
    static func decapsulate<PrivateKey: HPKEDiffieHellmanPrivateKey>(
        _ encapsulatedKey: Data, with recipient: PrivateKey, authenticatedBy sender: PrivateKey.PublicKey,
        kem: HPKE.KEM
    ) throws -> SecureBytes {
        let ephemeral = try PrivateKey.PublicKey(encapsulatedKey, kem: kem)
        let secret = SecureBytes(
            joining: try agree(recipient, with: ephemeral),
            try agree(recipient, with: sender))
        let context =
            encapsulatedKey + (try recipient.publicKey.hpkeRepresentation(kem: kem))
            + (try sender.hpkeRepresentation(kem: kem))
        return sharedSecret(from: secret, context: context, kem: kem)
    }

    /// Agrees on a secret: `DH`.
    ///
    /// - Throws: `CryptoKitError.invalidParameter` if the secret is zero (section 7.1.4).
    private static func agree<PrivateKey: DiffieHellmanKeyAgreement>(
        _ key: PrivateKey, with other: PrivateKey.PublicKey
    ) throws -> SharedSecret {
        let secret = try key.sharedSecretFromKeyAgreement(with: other)
        guard secret.withUnsafeBytes({ $0.reduce(0) { $0 | $1 } }) != 0 else { throw CryptoKitError.invalidParameter }
        return secret
    }

    /// Derives the shared secret from the result of the key agreement: `ExtractAndExpand`.
    private static func sharedSecret(from secret: some ContiguousBytes, context: Data, kem: HPKE.KEM) -> SecureBytes {
        let labeled = LabeledKDF(kdf: kem.kdf, suiteIdentifier: Data("KEM".utf8) + kem.value.bigEndianBytes)
        let key = labeled.extract(salt: Data(), label: "eae_prk", input: secret)
        // `Nsecret` is the length of the digest for every KEM of this kind (section 7.1).
        return labeled.expand(
            key: key, label: "shared_secret", info: context, outputByteCount: kem.kdf.extractByteCount
        ).bytes
    }
}
