import FoundationEssentials

/// Key encapsulation: the holder of a public key makes a secret that only the holder of the private key can recover.
public enum KEM: Sendable {
    /// The result of an encapsulation.
    public struct EncapsulationResult: Sendable {
        /// The shared secret, 32 bytes.
        public let sharedSecret: SymmetricKey
        /// The bytes from which the other end recovers the secret. They are not secret.
        public let encapsulated: Data

        public init(sharedSecret: SymmetricKey, encapsulated: Data) {
            self.sharedSecret = sharedSecret
            self.encapsulated = encapsulated
        }
    }

    /// The reason why a private key cannot be made.
    public enum Errors: Error, Equatable, Sendable {
        /// The seed does not belong to the given public key.
        case publicKeyMismatchDuringInitialization
        /// The seed has a wrong length for the algorithm.
        case invalidSeed
    }
}

/// A public key, for which secrets can be encapsulated.
public protocol KEMPublicKey: Sendable {
    /// Makes a new secret, and the bytes from which the holder of the private key recovers it.
    func encapsulate() throws -> KEM.EncapsulationResult
}

/// A private key, which recovers the secrets that were encapsulated for its public key.
public protocol KEMPrivateKey: Sendable {
    /// The kind of public key that belongs to this kind of private key.
    associatedtype PublicKey: KEMPublicKey

    /// Makes a random key.
    static func generate() throws -> Self

    /// Recovers the secret that was encapsulated.
    func decapsulate(_ encapsulated: Data) throws -> SymmetricKey

    /// The public key that belongs to this private key.
    var publicKey: PublicKey { get }
}
