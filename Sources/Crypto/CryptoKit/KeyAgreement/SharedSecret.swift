import FoundationEssentials

/// The secret that two ends share after a key agreement. Derive keys from it; do not use it as a key.
public struct SharedSecret: ContiguousBytes, Sendable {
    let bytes: SecureBytes

    /// Calls `body` with the bytes. The pointer is valid only during the call.
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

    /// Derives a key of `outputByteCount` bytes with the key derivation function of ANSI X9.63 (SEC 1, 3.6.1).
    public func x963DerivedSymmetricKey<H: HashFunction>(
        using hashFunction: H.Type, sharedInfo: some DataProtocol, outputByteCount: Int
    ) -> SymmetricKey {
        X963KDF<H>.deriveKey(secret: bytes, sharedInfo: sharedInfo, outputByteCount: outputByteCount)
    }
}

extension SharedSecret: Hashable, CustomStringConvertible {
    /// Whether both secrets are equal. The time does not show where they differ.
    public static func == (lhs: SharedSecret, rhs: SharedSecret) -> Bool {
        lhs.withUnsafeBytes { left in rhs.withUnsafeBytes { right in SecureBytes.equal(left, right) } }
    }

    /// Whether the secret consists of these bytes. The time does not show where they differ.
    public static func == (lhs: SharedSecret, rhs: some DataProtocol) -> Bool {
        let other = SecureBytes(gathering: rhs)
        return lhs.withUnsafeBytes { left in
            other.withUnsafeBytes { right in SecureBytes.equal(left, right) }
        }
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The secret itself in lower-case hexadecimal, after `SharedSecret: `, as in Apple's CryptoKit. Do not log it.
    public var description: String { "SharedSecret: \(withUnsafeBytes { $0.hexadecimal })" }
}

/// A private key for key agreement with the public key of another end.
public protocol DiffieHellmanKeyAgreement: Sendable {
    /// The kind of public key that belongs to this kind of private key.
    associatedtype PublicKey: Sendable

    /// The public key that belongs to this private key.
    var publicKey: PublicKey { get }

    /// Computes the secret of this private key and the other end's public key.
    func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret
}
