import FoundationEssentials
import Testing

@testable import CryptoKit

/// ML-DSA by OpenSSL, from version 3.5 on; with an older one the keys say what they need. Source: FIPS 204.
@Suite struct MLDSATests {
    private static let isAvailable = MLDSAParameters.mlDSA65.isAvailable
    private static let message = Data("Dinner at 8?".utf8)
    private static let seed = Data(0..<32)

    @Test("Without OpenSSL 3.5, making and reading a key says that it is needed", .disabled(if: isAvailable))
    func unavailable() throws {
        #expect(throws: UnavailableAlgorithm(name: "ML-DSA-65")) { try MLDSA65.PrivateKey() }
        #expect(throws: UnavailableAlgorithm(name: "ML-DSA-65")) {
            try MLDSA65.PrivateKey(seedRepresentation: Self.seed, publicKey: nil)
        }
        let error = #expect(throws: UnavailableAlgorithm.self) {
            try MLDSA87.PublicKey(rawRepresentation: Data(count: 2592))
        }
        #expect(error?.description.hasPrefix("ML-DSA-87 needs OpenSSL 3.5") == true)
    }

    @Test("The public key of the seed 00, 01, … 1f is the same as OpenSSL 3.5.0's", .enabled(if: isAvailable))
    func publicKey() throws {
        let small = try MLDSA65.PrivateKey(seedRepresentation: Self.seed, publicKey: nil).publicKey.rawRepresentation
        let large = try MLDSA87.PrivateKey(seedRepresentation: Self.seed, publicKey: nil).publicKey.rawRepresentation
        #expect(
            SHA256.hash(data: small).data == hex("d666806e11cee19a7c989f7445f90dd419cf4d2d51db8c0fdb4c0f0a542238c9"))
        #expect(
            SHA256.hash(data: large).data == hex("91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd"))
    }

    @Test("A signature belongs to its message and context only", .enabled(if: isAvailable))
    func signatures() throws {
        let key = try MLDSA65.PrivateKey()
        let context = Data("context".utf8)
        let signature = try key.signature(for: Self.message, context: context)
        #expect(signature.count == 3309)
        #expect(key.publicKey.isValidSignature(signature, for: Self.message, context: context))
        #expect(!key.publicKey.isValidSignature(signature, for: Self.message))
        #expect(!key.publicKey.isValidSignature(signature, for: Self.message + [0], context: context))
        #expect(!key.publicKey.isValidSignature(signature.dropLast(), for: Self.message, context: context))
        #expect(throws: CryptoKitError.self) { try key.signature(for: Self.message, context: Data(count: 256)) }
        let large = try MLDSA87.PrivateKey()
        let read = try MLDSA87.PublicKey(rawRepresentation: large.publicKey.rawRepresentation)
        #expect(read.isValidSignature(try large.signature(for: Self.message), for: Self.message))
    }

    @Test("A key comes back from its seed, with the public key that belongs to it", .enabled(if: isAvailable))
    func representations() throws {
        let key = try MLDSA65.PrivateKey()
        let copy = try MLDSA65.PrivateKey(seedRepresentation: key.seedRepresentation, publicKey: key.publicKey)
        #expect(copy.publicKey.isValidSignature(try copy.signature(for: Self.message), for: Self.message))
        let checked = key.integrityCheckedRepresentation
        _ = try MLDSA65.PrivateKey(integrityCheckedRepresentation: checked)
        #expect(throws: CryptoKitError.unwrapFailure) {
            try MLDSA65.PrivateKey(seedRepresentation: Data(count: 32), publicKey: key.publicKey)
        }
        #expect(throws: CryptoKitError.unwrapFailure) {
            try MLDSA65.PrivateKey(integrityCheckedRepresentation: checked.dropLast() + [checked[63] ^ 1])
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try MLDSA65.PrivateKey(integrityCheckedRepresentation: checked.dropLast())
        }
    }
}
