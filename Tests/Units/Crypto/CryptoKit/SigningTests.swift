import FoundationEssentials
import Testing

@testable import CryptoKit

/// Signatures against published answers, and refusals.
@Suite("Signatures")
struct SigningTests {
    @Test("Ed25519 signs as RFC 8032, section 7.1, test 1, and refuses another message, signature or key")
    func ed25519() throws {
        let key = try Curve25519.Signing.PrivateKey(
            rawRepresentation: hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
        #expect(
            key.publicKey.rawRepresentation
                == hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        let signature = try key.signature(for: Data())
        #expect(
            signature
                == hex(
                    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                        + "d25bf5f0595bbe24655141438e7a100b"))
        #expect(key.publicKey.isValidSignature(signature, for: Data()))
        #expect(!key.publicKey.isValidSignature(signature, for: Data([1])))
        #expect(!key.publicKey.isValidSignature(signature.dropLast(), for: Data()))
        #expect(!Curve25519.Signing.PrivateKey().publicKey.isValidSignature(signature, for: Data()))
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.Signing.PublicKey(rawRepresentation: Data(count: 31))
        }
    }

    @Test("P-256 checks the signature of RFC 6979, A.2.5, and its key")
    func p256() throws {
        try check(
            P256.Signing.PrivateKey.self, key: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            x: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6",
            signature: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    }

    @Test("P-384 checks the signature of RFC 6979, A.2.6, and its key")
    func p384() throws {
        try check(
            P384.Signing.PrivateKey.self,
            key: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5",
            x: "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13",
            signature:
                "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46"
                + "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8")
    }

    @Test("P-521 checks the signature of RFC 6979, A.2.7, and its key")
    func p521() throws {
        try check(
            P521.Signing.PrivateKey.self,
            key: "00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C70855836A6D16FCC"
                + "1466F6D8FBEC67DB89EC0C08B0E996B83538",
            x: "01894550D0785932E00EAA23B694F213F8C3121F86DC97A04E5A7167DB4E5BCD371123D46E45DB6B5D5370A7F20FB63315"
                + "5D38FFA16D2BD761DCAC474B9A2F5023A4",
            signature:
                "00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5D450606ADD152B53"
                + "4931D7D4E8455CC91F9B15BF05EC36E377FA"
                + "00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C0723D8B8C37FF077"
                + "7B1A20F8CCB1DCCC43997F1EE0E44DA4A67A")
    }

    private func check<Key: CurveSigningKey>(_ type: Key.Type, key: String, x: String, signature: String) throws {
        let key = try Key(rawRepresentation: hex(key))
        #expect(key.publicKey.compressedRepresentation.dropFirst() == hex(x))
        let message = Data("sample".utf8)
        let published = try Key.PublicKey.Signature(rawRepresentation: hex(signature))
        #expect(key.publicKey.isValidSignature(published, for: message))
        #expect(!key.publicKey.isValidSignature(published, for: Data("test".utf8)))
        #expect(!Key().publicKey.isValidSignature(published, for: message))
        let own = try key.signature(for: message)
        #expect(key.publicKey.isValidSignature(own, for: message))
        let read = try Key.PublicKey.Signature(derRepresentation: own.derRepresentation)
        #expect(read.rawRepresentation == own.rawRepresentation)
        #expect(own.rawRepresentation != (try key.signature(for: message)).rawRepresentation)
        // A digest of another function, longer than the curve's order.
        let digest = SHA512.hash(data: message)
        #expect(key.publicKey.isValidSignature(try key.signature(for: digest), for: digest))
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try Key.PublicKey.Signature(rawRepresentation: own.rawRepresentation.dropLast())
        }
    }

    @Test("A signature is refused if a bit of it changes", arguments: 0..<32)
    func changed(_ place: Int) throws {
        let key = P256.Signing.PrivateKey()
        var bytes = try key.signature(for: Data([1, 2, 3])).rawRepresentation
        bytes[place * 2] ^= UInt8(1 << (place % 8))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes)
        #expect(!key.publicKey.isValidSignature(signature, for: Data([1, 2, 3])))
    }

    @Test(
        "Signatures that are not DER are refused",
        arguments: [
            "", "30", "3000", "300602010102010100", "3006020101020101ff", "30060201ff020101", "3007020200010201 01",
            "3081060201010201 01", "30800201010201010000",
        ])
    func notDER(_ text: String) {
        #expect(throws: CryptoKitASN1Error.self) {
            try P256.Signing.ECDSASignature(derRepresentation: hex(text.replacing(" ", with: "")))
        }
    }
}

/// The keys of the larger curves in all their forms.
@Suite("Keys on P-384 and P-521")
struct LargerCurveTests {
    @Test("Each form of a key is read back, and both ends agree")
    func forms() throws {
        try check(P384.KeyAgreement.PrivateKey.self, scalar: 48)
        try check(P521.KeyAgreement.PrivateKey.self, scalar: 66)
        try check(P256.KeyAgreement.PrivateKey.self, scalar: 32)
    }

    private func check<Key: CurveAgreementKey>(_ type: Key.Type, scalar: Int) throws {
        let (key, other) = (Key(), Key(compactRepresentable: true))
        let secret = try key.sharedSecretFromKeyAgreement(with: other.publicKey)
        #expect(secret == (try other.sharedSecretFromKeyAgreement(with: key.publicKey)))
        #expect(secret.withUnsafeBytes(\.count) == scalar && key.rawRepresentation.count == scalar)
        let raw = key.rawRepresentation
        #expect(try Key(rawRepresentation: raw).x963Representation == key.x963Representation)
        #expect(try Key(x963Representation: key.x963Representation).rawRepresentation == raw)
        #expect(try Key(derRepresentation: key.derRepresentation).rawRepresentation == raw)
        #expect(try Key(pemRepresentation: key.pemRepresentation).rawRepresentation == raw)
        let point = key.publicKey.rawRepresentation
        #expect(try Key.PublicKey(rawRepresentation: point).rawRepresentation == point)
        #expect(try Key.PublicKey(x963Representation: key.publicKey.x963Representation).rawRepresentation == point)
        #expect(
            try Key.PublicKey(compressedRepresentation: key.publicKey.compressedRepresentation).rawRepresentation
                == point)
        #expect(try Key.PublicKey(derRepresentation: key.publicKey.derRepresentation).rawRepresentation == point)
        #expect(try Key.PublicKey(pemRepresentation: key.publicKey.pemRepresentation).rawRepresentation == point)
        let compact = try #require(other.publicKey.compactRepresentation)
        #expect(
            try Key.PublicKey(compactRepresentation: compact).rawRepresentation == other.publicKey.rawRepresentation)
        #expect(throws: PrimeCurve.invalid) { try Key(rawRepresentation: Data(count: scalar)) }
        #expect(throws: PrimeCurve.invalid) { try Key(rawRepresentation: Data(repeating: 0xFF, count: scalar)) }
        #expect(throws: PrimeCurve.invalid) {
            try Key.PublicKey(rawRepresentation: Data(repeating: 1, count: 2 * scalar))
        }
    }

    @Test("A key on another curve is refused in DER")
    func otherCurve() throws {
        #expect(throws: (any Error).self) {
            try P384.KeyAgreement.PublicKey(
                derRepresentation: P256.KeyAgreement.PrivateKey().publicKey.derRepresentation)
        }
        #expect(throws: (any Error).self) {
            try P256.Signing.PrivateKey(derRepresentation: P521.Signing.PrivateKey().derRepresentation)
        }
    }
}
