import FoundationEssentials

/// Key encapsulation: whoever knows a public key makes a secret that only the private key's holder comes to as well.
public enum KEM {
    /// What an encapsulation gives.
    public struct EncapsulationResult: Sendable {
        /// The secret; 32 bytes.
        public let sharedSecret: SymmetricKey
        /// What the other end needs to come to it; no secret.
        public let encapsulated: Data

        public init(sharedSecret: SymmetricKey, encapsulated: Data) {
            self.sharedSecret = sharedSecret
            self.encapsulated = encapsulated
        }
    }

    /// Why a private key was not made.
    public enum Errors: Error, Equatable, Sendable {
        /// The seed belongs to another public key than the given one.
        case publicKeyMismatchDuringInitialization
        /// The seed does not have the length that the algorithm takes.
        case invalidSeed
    }
}

/// A public key that secrets can be encapsulated for.
public protocol KEMPublicKey: Sendable {
    /// Makes a fresh secret, and what its key's holder needs to come to it.
    func encapsulate() throws -> KEM.EncapsulationResult
}

/// A private key that opens what was encapsulated for its public key.
public protocol KEMPrivateKey: Sendable {
    /// The kind of public key that belongs to this kind of private key.
    associatedtype PublicKey: KEMPublicKey

    /// A random key.
    static func generate() throws -> Self

    /// The secret that was encapsulated.
    func decapsulate(_ encapsulated: Data) throws -> SymmetricKey

    /// The public key that belongs to this private key.
    var publicKey: PublicKey { get }
}
