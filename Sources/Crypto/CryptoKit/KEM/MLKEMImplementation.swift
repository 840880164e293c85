import FoundationEssentials

/// One implementation's public key of ML-KEM.
protocol MLKEMPublicKey: Sendable {
    /// The key in the form of FIPS 203.
    var bytes: [UInt8] { get }
    /// - Parameter message: 32 random bytes.
    func encapsulate(_ message: SecureBytes) throws -> (sharedSecret: SecureBytes, ciphertext: [UInt8])
}

/// One implementation's private key of ML-KEM.
protocol MLKEMPrivateKey: Sendable {
    associatedtype PublicKey: MLKEMPublicKey
    var publicKey: PublicKey { get }
    /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are as many bytes as ciphertexts have.
    func decapsulate(_ ciphertext: [UInt8]) throws -> SecureBytes
}

extension MLKEMPublicKey {
    /// The SHA3-256 hash of the key, 32 bytes.
    var keyHash: Data { Keccak.sha3_256(bytes).withUnsafeBytes { Data($0) } }
}

extension LatticePublicKey: MLKEMPublicKey {}
extension LatticePrivateKey: MLKEMPrivateKey {}

/// Which implementation of ML-KEM's arithmetic to use.
package enum MLKEMImplementation: CaseIterable, Sendable {
    /// This module's.
    case own
    /// OpenSSL's, from version 3.5 on.
    case openSSL

    /// OpenSSL's implementation if it exists, else this module's.
    package static let preferred: MLKEMImplementation = OpenSSLMLKEM.isAvailable ? .openSSL : .own

    package var isAvailable: Bool { self == .own || OpenSSLMLKEM.isAvailable }

    func publicKey(_ bytes: [UInt8], _ parameters: MLKEMParameters) throws -> any MLKEMPublicKey {
        switch self {
        case .own: try LatticePublicKey(bytes: bytes, parameters)
        case .openSSL: try OpenSSLMLKEM.PublicKey(bytes: bytes, parameters)
        }
    }

    /// - Parameter seed: The 64 bytes d‖z.
    func privateKey(_ seed: SecureBytes, _ parameters: MLKEMParameters) throws -> any MLKEMPrivateKey {
        switch self {
        case .own: LatticePrivateKey(seed: seed, parameters)
        case .openSSL: try OpenSSLMLKEM.PrivateKey(seed: seed, parameters)
        }
    }
}
