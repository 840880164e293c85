import FoundationEssentials

/// What two ends have in common after a key agreement: derive keys from it, never use it as one.
public struct SharedSecret: ContiguousBytes, Sendable {
    let bytes: SecureBytes

    /// Lends the bytes for the time of the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    /// Derives a key of `outputByteCount` bytes with HKDF.
    public func hkdfDerivedSymmetricKey<H: HashFunction>(
        using hashFunction: H.Type, salt: some DataProtocol, sharedInfo: some DataProtocol, outputByteCount: Int
    ) -> SymmetricKey {
        HKDF<H>.deriveKey(
            inputKeyMaterial: SymmetricKey(bytes: bytes), salt: salt, info: sharedInfo,
            outputByteCount: outputByteCount)
    }
}

extension SharedSecret: Equatable {
    /// Whether both secrets are the same, in a time that does not tell where they differ.
    public static func == (lhs: SharedSecret, rhs: SharedSecret) -> Bool {
        lhs.withUnsafeBytes { left in rhs.withUnsafeBytes { right in SecureBytes.equal(left, right) } }
    }
}

/// A private key that agrees on a secret with the public key of another end.
public protocol DiffieHellmanKeyAgreement: Sendable {
    /// The kind of public key that belongs to this kind of private key.
    associatedtype PublicKey: Sendable

    /// The public key that belongs to this private key.
    var publicKey: PublicKey { get }

    /// The secret that this private key and the other end's public key have in common.
    func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret
}
