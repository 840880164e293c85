import Foundation
import TestSupport
import Testing

@_spi(HPKEAlgID) @testable import CryptoKit

/// Published test vectors in a folder beside the checkout. Most machines do not have them.
enum Vectors {
    /// `../shared/vectors`, from the package's root.
    static let folder = URL(filePath: "\(checkout)/../shared/vectors").standardizedFileURL

    static var exist: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func decode<Content: Decodable>(_ type: Content.Type, _ path: String) throws -> Content {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(contentsOf: folder.appending(path: path)))
    }
}

@Suite(.enabled(if: Vectors.exist, "no published vectors at \(Vectors.folder.path)"))
struct PublishedVectors {
    struct HPKEVector: Decodable {
        struct Encryption: Decodable { let aad, ct, pt: String }
        struct Export: Decodable { let exporterContext: String, L: Int, exportedValue: String }
        let kemId, kdfId, aeadId: Int
        let info, skRm, skEm, enc, sharedSecret, key, baseNonce, exporterSecret: String
        let encryptions: [Encryption]
        let exports: [Export]
    }

    /// RFC 9180's vectors in base mode, on both curves, for every AEAD of this module.
    @Test func hpke() throws {
        let vectors = try Vectors.decode([HPKEVector].self, "hpke/rfc9180_base_p256_x25519_sha256.json")
        var checked = 0
        for vector in vectors {
            let kdf = try #require(HPKE.KDF.allCases.first { Int($0.value) == vector.kdfId })
            let aead = try #require(HPKE.AEAD.allCases.first { Int($0.value) == vector.aeadId })
            if vector.kemId == 0x10 {
                try check(
                    vector, HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: kdf, aead: aead),
                    P256.KeyAgreement.PrivateKey.init(rawRepresentation:))
            } else {
                try check(
                    vector, HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: kdf, aead: aead),
                    Curve25519.KeyAgreement.PrivateKey.init(rawRepresentation:))
            }
            checked += 1
        }
        #expect(checked == 5, "on P-256: AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305 and export only; on X25519: one")
    }

    private func check<Key: HPKEDiffieHellmanPrivateKey>(
        _ vector: HPKEVector, _ suite: HPKE.Ciphersuite, _ key: (Data) throws -> Key
    ) throws where Key.PublicKey.EphemeralPrivateKey == Key {
        let (own, ephemeral) = (try key(hex(vector.skRm)), try key(hex(vector.skEm)))
        let info = hex(vector.info)
        var sender = try HPKE.Sender(
            recipientKey: own.publicKey, ciphersuite: suite, info: info, ephemeral: ephemeral)
        #expect(sender.encapsulatedKey == hex(vector.enc))
        var recipient = try HPKE.Recipient(
            privateKey: own, ciphersuite: suite, info: info, encapsulatedKey: hex(vector.enc))
        for encryption in vector.encryptions {
            #expect(try sender.seal(hex(encryption.pt), authenticating: hex(encryption.aad)) == hex(encryption.ct))
            #expect(try recipient.open(hex(encryption.ct), authenticating: hex(encryption.aad)) == hex(encryption.pt))
        }
        for export in vector.exports {
            let context = hex(export.exporterContext)
            let value = hex(export.exportedValue)
            #expect(try sender.exportSecret(context: context, outputByteCount: export.L).data == value)
            #expect(try recipient.exportSecret(context: context, outputByteCount: export.L).data == value)
        }
    }

    struct Wycheproof<Test: Decodable>: Decodable {
        struct Group: Decodable { let tests: [Test] }
        let testGroups: [Group]
        var tests: [Test] { testGroups.flatMap(\.tests) }
    }

    struct ECDHTest: Decodable {
        let tcId: Int
        let `public`, `private`, shared, result: String
    }

    /// Wycheproof, ECDH on P-256 with encoded points: every valid one agrees, every invalid one is refused.
    @Test func ecdh() throws {
        let tests = try Vectors.decode(Wycheproof<ECDHTest>.self, "wycheproof/ecdh_secp256r1_ecpoint_test.json").tests
        #expect(tests.count == 355)
        for test in tests {
            let agree = {
                let bytes = hex(test.public)
                let point =
                    try bytes.count == 33
                    ? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)
                    : P256.KeyAgreement.PublicKey(x963Representation: bytes)
                let scalar = hex(test.private)
                let key = try P256.KeyAgreement.PrivateKey(
                    rawRepresentation: Data(repeating: 0, count: max(0, 32 - scalar.count)) + scalar.suffix(32))
                return try key.sharedSecretFromKeyAgreement(with: point).data
            }
            if test.result == "invalid" {
                #expect(throws: CryptoKitError.self, "test \(test.tcId)") { try agree() }
            } else {
                #expect(try agree() == hex(test.shared), "test \(test.tcId)")
            }
        }
    }

    struct HKDFTest: Decodable {
        let tcId: Int
        let ikm, salt, info, okm, result: String
        let size: Int
    }

    /// Wycheproof, HKDF-SHA256. Its invalid tests ask for more bytes than HKDF can make; see `tooLong`.
    @Test func hkdf() throws {
        let tests = try Vectors.decode(Wycheproof<HKDFTest>.self, "wycheproof/hkdf_sha256_test.json").tests
        #expect(tests.count == 86)
        for test in tests {
            guard test.result != "invalid" else {
                #expect(test.size > 255 * 32, "test \(test.tcId)")
                continue
            }
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: hex(test.ikm)), salt: hex(test.salt), info: hex(test.info),
                outputByteCount: test.size)
            #expect(key.data == hex(test.okm), "test \(test.tcId)")
        }
    }

    /// As in Apple's CryptoKit, asking for more bytes than HKDF can make is a programming error.
    @Test func tooLong() async {
        await #expect(processExitsWith: .failure) {
            _ = HKDF<SHA256>.deriveKey(inputKeyMaterial: SymmetricKey(size: .bits256), outputByteCount: 255 * 32 + 1)
        }
    }
}
