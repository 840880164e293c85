import Foundation
import Testing

@testable import CryptoKit

/// Project Wycheproof's cases for signatures, key wrapping and the larger curves, as far as the folder has them.
@Suite("Wycheproof's cases for signatures, wrapped keys and agreement")
struct WycheproofSignatureTests {
    private struct File: Decodable {
        let testGroups: [Group]
    }
    private struct Group: Decodable {
        let tests: [Case]
        let publicKey: Key?
    }
    /// `{"pk": …}`, `{"uncompressed": …}`, or the key itself.
    private struct Key: Decodable {
        let bytes: String

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                bytes = text
                return
            }
            let fields = try decoder.container(keyedBy: Fields.self)
            bytes =
                try fields.decodeIfPresent(String.self, forKey: .pk)
                ?? fields.decode(String.self, forKey: .uncompressed)
        }

        enum Fields: String, CodingKey { case pk, uncompressed }
    }
    private struct Case: Decodable {
        let tcId: Int
        let result: String
        let msg: String?
        let sig: String?
        let ctx: String?
        let key: String?
        let ct: String?
        let `public`: String?
        let `private`: String?
        let shared: String?
    }

    private static func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: Vectors.folder.appending(path: "wycheproof/\(name)_test.json").path)
    }

    /// Checks every case that is valid or invalid for certain.
    private func check(_ name: String, least: Int, _ accepts: (Group, Case) throws -> Bool) throws {
        guard Self.has(name) else { return print("no Wycheproof cases \(name) at \(Vectors.folder.path)") }
        let file = try Vectors.decode(File.self, "wycheproof/\(name)_test.json")
        var count = 0
        for group in file.testGroups {
            for test in group.tests where test.result != "acceptable" {
                let accepted = (try? accepts(group, test)) ?? false
                #expect(accepted == (test.result == "valid"), "\(name), case \(test.tcId)")
                count += 1
            }
        }
        #expect(count >= least)
    }

    @Test("ECDSA on the three curves, with r‖s and in DER")
    func ecdsa() throws {
        try checkCurve("ecdsa_secp256r1_sha256_p1363", P256.Signing.PublicKey.self, least: 200)
        try checkCurve("ecdsa_secp384r1_sha384_p1363", P384.Signing.PublicKey.self, least: 200)
        try checkCurve("ecdsa_secp521r1_sha512_p1363", P521.Signing.PublicKey.self, least: 200)
        try check("ecdsa_secp256r1_sha256", least: 200) { group, test in
            let key = try P256.Signing.PublicKey(x963Representation: hex(group.publicKey?.bytes ?? ""))
            let signature = try P256.Signing.ECDSASignature(derRepresentation: hex(test.sig ?? ""))
            return key.isValidSignature(signature, for: hex(test.msg ?? ""))
        }
    }

    private func checkCurve<Key: CurveVerifyingKey>(_ name: String, _ type: Key.Type, least: Int) throws {
        try check(name, least: least) { group, test in
            let key = try Key(x963Representation: hex(group.publicKey?.bytes ?? ""))
            let signature = try Key.Signature(rawRepresentation: hex(test.sig ?? ""))
            return key.isValidSignature(signature, for: hex(test.msg ?? ""))
        }
    }

    @Test("Ed25519")
    func ed25519() throws {
        try check("ed25519", least: 100) { group, test in
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: hex(group.publicKey?.bytes ?? ""))
            return key.isValidSignature(hex(test.sig ?? ""), for: hex(test.msg ?? ""))
        }
    }

    @Test("ML-DSA-65", .enabled(if: MLDSAParameters.mlDSA65.isAvailable, "it needs OpenSSL 3.5"))
    func mlDSA() throws {
        try check("mldsa_65_verify", least: 30) { group, test in
            let key = try MLDSA65.PublicKey(rawRepresentation: hex(group.publicKey?.bytes ?? ""))
            guard let context = test.ctx else {
                return key.isValidSignature(hex(test.sig ?? ""), for: hex(test.msg ?? ""))
            }
            return key.isValidSignature(hex(test.sig ?? ""), for: hex(test.msg ?? ""), context: hex(context))
        }
    }

    @Test("Keys wrapped with AES")
    func wrap() throws {
        try check("aes_wrap", least: 100) { _, test in
            let kek = SymmetricKey(data: hex(test.key ?? ""))
            guard try AES.KeyWrap.unwrap(hex(test.ct ?? ""), using: kek).data == hex(test.msg ?? "") else {
                return false
            }
            return try AES.KeyWrap.wrap(SymmetricKey(data: hex(test.msg ?? "")), using: kek) == hex(test.ct ?? "")
        }
    }

    @Test("ECDH on P-384 and P-521")
    func ecdh() throws {
        try checkAgreement("ecdh_secp384r1_ecpoint", P384.KeyAgreement.PrivateKey.self)
        try checkAgreement("ecdh_secp521r1_ecpoint", P521.KeyAgreement.PrivateKey.self)
    }

    private func checkAgreement<Key: CurveAgreementKey>(_ name: String, _ type: Key.Type) throws {
        try check(name, least: 100) { _, test in
            // The number comes with zeros before it, or without some of them.
            let digits = hex(test.private ?? "").drop { $0 == 0 }
            let count = Key().rawRepresentation.count
            let key = try Key(rawRepresentation: Data(count: count - digits.count) + digits)
            let point = hex(test.public ?? "")
            let peer =
                point.first == 0x04
                ? try Key.PublicKey(x963Representation: point) : try Key.PublicKey(compressedRepresentation: point)
            return try key.sharedSecretFromKeyAgreement(with: peer).data == hex(test.shared ?? "")
        }
    }
}
