import Foundation
import Testing

@testable import CryptoKit

/// ML-KEM-768, ML-KEM-1024 and X-Wing against published vectors, with this module's arithmetic and, if it exists, OpenSSL's.
@Suite(.enabled(if: Vectors.exist, "no published vectors at \(Vectors.folder.path)"))
struct LatticeVectorTests {
    static let implementations = MLKEMImplementation.allCases.filter(\.isAvailable)
    static let sets = [MLKEMParameters.mlKEM768, .mlKEM1024]

    struct ACVP<Test: Decodable>: Decodable {
        struct Group: Decodable {
            let tgId: Int
            let parameterSet: String?
            let function: String?
            let dk: String?
            let tests: [Test]
        }
        let testGroups: [Group]
    }

    struct KeyPrompt: Decodable { let tcId: Int, d: String, z: String }
    struct KeyResult: Decodable { let tcId: Int, ek: String, dk: String }
    struct EncapsulationPrompt: Decodable { let tcId: Int, ek: String?, m: String?, c: String? }
    struct EncapsulationResult: Decodable { let tcId: Int, c: String?, k: String }

    @Test("The seeds of NIST's vectors give the expected keys", arguments: implementations, sets)
    func keys(_ implementation: MLKEMImplementation, _ set: MLKEMParameters) throws {
        let prompts = try Vectors.decode(ACVP<KeyPrompt>.self, "nist-acvp/ML-KEM-keyGen-prompt.json")
        let results = try Vectors.decode(ACVP<KeyResult>.self, "nist-acvp/ML-KEM-keyGen-expectedResults.json")
        let wanted = Dictionary(uniqueKeysWithValues: results.testGroups.flatMap(\.tests).map { ($0.tcId, $0) })
        let group = try #require(prompts.testGroups.first { $0.parameterSet == set.name })
        #expect(group.tests.count == 25)
        for test in group.tests {
            let result = try #require(wanted[test.tcId])
            let seed = hex(test.d) + hex(test.z)
            let key = try implementation.privateKey(SecureBytes(copying: seed), set)
            let publicKey: any MLKEMPublicKey = key.publicKey
            #expect(publicKey.bytes == Array(hex(result.ek)), "test \(test.tcId)")
            // The long form of FIPS 203 must be the same key.
            let expanded = try LatticePrivateKey(expanded: hex(result.dk), set)
            let (secret, ciphertext) = try publicKey.encapsulate(SecureBytes.random(count: 32))
            #expect(try expanded.decapsulate(ciphertext).data == secret.data, "test \(test.tcId)")
            #expect(try key.decapsulate(ciphertext).data == secret.data, "test \(test.tcId)")
        }
    }

    @Test("NIST's vectors for encapsulation give the expected results", arguments: implementations, sets)
    func encapsulations(_ implementation: MLKEMImplementation, _ set: MLKEMParameters) throws {
        let (tests, wanted) = try encapsulationTests("encapsulation", set)
        #expect(tests.tests.count == 25)
        for test in tests.tests {
            let key = try implementation.publicKey(Array(hex(test.ek ?? "")), set)
            let (secret, ciphertext) = try key.encapsulate(SecureBytes(copying: hex(test.m ?? "")))
            #expect(ciphertext == Array(hex(wanted[test.tcId]?.c ?? "-")), "test \(test.tcId)")
            #expect(secret.data == hex(wanted[test.tcId]?.k ?? "-"), "test \(test.tcId)")
        }
    }

    @Test("NIST's vectors for decapsulation give the expected secrets, also if invalid", arguments: sets)
    func decapsulations(_ set: MLKEMParameters) throws {
        let (tests, wanted) = try encapsulationTests("decapsulation", set)
        let key = try LatticePrivateKey(expanded: hex(tests.dk ?? ""), set)
        #expect(tests.tests.count == 10)
        for test in tests.tests {
            let secret = try key.decapsulate(Array(hex(test.c ?? "")))
            #expect(secret.data == hex(wanted[test.tcId]?.k ?? "-"), "test \(test.tcId)")
        }
    }

    private func encapsulationTests(
        _ function: String, _ set: MLKEMParameters
    ) throws -> (ACVP<EncapsulationPrompt>.Group, [Int: EncapsulationResult]) {
        let prompts = try Vectors.decode(
            ACVP<EncapsulationPrompt>.self, "nist-acvp/ML-KEM-encapDecap-prompt.json")
        let results = try Vectors.decode(
            ACVP<EncapsulationResult>.self, "nist-acvp/ML-KEM-encapDecap-expectedResults.json")
        let wanted = Dictionary(uniqueKeysWithValues: results.testGroups.flatMap(\.tests).map { ($0.tcId, $0) })
        let group = prompts.testGroups.first { $0.parameterSet == set.name && $0.function == function }
        return (try #require(group), wanted)
    }

    struct XWingVector: Decodable { let seed, eseed, ss, sk, pk, ct: String }

    @Test("The vectors of X-Wing's draft give the expected results at both ends", arguments: implementations)
    func xWing(_ implementation: MLKEMImplementation) throws {
        let vectors = try Vectors.decode([XWingVector].self, "xwing/xwing-test-vectors.json")
        #expect(vectors.count == 3)
        for vector in vectors {
            let key = try XWingMLKEM768X25519.PrivateKey(
                seed: SecureBytes(copying: hex(vector.seed)), by: implementation)
            #expect(key.seedRepresentation == hex(vector.sk))
            #expect(key.publicKey.rawRepresentation == hex(vector.pk))
            let (message, ephemeral) = SecureBytes(copying: hex(vector.eseed)).split(at: 32)
            let publicKey = try XWingMLKEM768X25519.PublicKey(
                rawRepresentation: hex(vector.pk), by: implementation)
            let result = try publicKey.encapsulate(
                message: message, ephemeral: Curve25519.KeyAgreement.PrivateKey(scalar: ephemeral))
            #expect(result.encapsulated == hex(vector.ct))
            #expect(result.sharedSecret.data == hex(vector.ss))
            #expect(try key.decapsulate(hex(vector.ct)).data == hex(vector.ss))
        }
    }

    struct HPKEVector: Decodable {
        struct Encryption: Decodable { let aad, ct, pt: String }
        struct Export: Decodable { let exporterContext: String, L: Int, exportedValue: String }
        let kemId, kdfId: Int
        let info, skRm, pkRm, enc, sharedSecret: String
        let encryptions: [Encryption]?
        let exports: [Export]?
    }

    @Test("The X-Wing vector of hpke-pq: key, shared secret, messages and exports")
    func hpke() throws {
        let vectors = try Vectors.decode([HPKEVector].self, "hpke/hpke-pq-test-vectors.json")
        let vector = try #require(vectors.first { $0.kemId == 0x647A && $0.kdfId == 1 })
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: hex(vector.skRm), publicKey: nil)
        #expect(key.publicKey.rawRepresentation == hex(vector.pkRm))
        #expect(try key.decapsulate(hex(vector.enc)).data == hex(vector.sharedSecret))
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: .init(kem: .XWingMLKEM768X25519, kdf: .HKDF_SHA256, aead: .chaChaPoly),
            info: hex(vector.info), encapsulatedKey: hex(vector.enc))
        let encryptions = try #require(vector.encryptions)
        #expect(encryptions.count == 10)
        for encryption in encryptions {
            let message = try recipient.open(hex(encryption.ct), authenticating: hex(encryption.aad))
            #expect(message == hex(encryption.pt))
        }
        for export in try #require(vector.exports) {
            let secret = try recipient.exportSecret(
                context: hex(export.exporterContext), outputByteCount: export.L)
            #expect(secret.data == hex(export.exportedValue))
        }
    }

    struct X25519Test: Decodable {
        let tcId: Int
        let `public`, `private`, shared: String
        let result: String
        let flags: [String]
    }

    @Test("Wycheproof, X25519: all agree, and shared secrets of zero are refused by HPKE alone")
    func x25519() throws {
        struct File: Decodable {
            struct Group: Decodable { let tests: [X25519Test] }
            let testGroups: [Group]
        }
        let tests = try Vectors.decode(File.self, "wycheproof/x25519_test.json").testGroups.flatMap(\.tests)
        #expect(tests.count == 518)
        for test in tests {
            let agree = {
                let point = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: hex(test.public))
                let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: hex(test.private))
                return try key.sharedSecretFromKeyAgreement(with: point).data
            }
            // Apple's CryptoKit, and swift-crypto, give the zeros.
            #expect(try agree() == hex(test.shared), "test \(test.tcId)")
            guard test.flags.contains("ZeroSharedSecret") else { continue }
            let point = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: hex(test.public))
            #expect(throws: CryptoKitError.invalidParameter, "test \(test.tcId)") {
                try HPKE.Sender(recipientKey: point, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data())
            }
        }
    }
}
