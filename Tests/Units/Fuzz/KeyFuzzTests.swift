import CryptoKit
import Foundation
import StubRig
import Testing

/// Broken bytes for the readers of encoded keys.
@Suite struct KeyFuzzTests {
    private static let key = P256.KeyAgreement.PrivateKey()
    /// ECPrivateKey (RFC 5915) with the parameters that PKCS #8 leaves to what is around it.
    private static let sec1 =
        Data([0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]) + key.rawRepresentation
        + Data([0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0xA1, 0x44, 0x03, 0x42, 0x00])
        + key.publicKey.x963Representation

    @Test("An accepted public key is encoded to the same bytes; a private key is read back from its encoding")
    func encodedKeys() async throws {
        let again = try P256.KeyAgreement.PrivateKey(derRepresentation: Self.sec1)
        #expect(again.publicKey.rawRepresentation == Self.key.publicKey.rawRepresentation)
        let corpus = [Self.key.derRepresentation, Self.key.publicKey.derRepresentation, Self.sec1].map { Array($0) }
        await Fuzzer(corpus: corpus).run("the readers of keys in DER") { bytes, _ in
            if let key = try? P256.KeyAgreement.PublicKey(derRepresentation: bytes),
                Array(key.derRepresentation) != bytes
            {
                throw Fuzzer.Finding("the public key is written otherwise")
            }
            if let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: bytes),
                try P256.KeyAgreement.PrivateKey(derRepresentation: key.derRepresentation).rawRepresentation
                    != key.rawRepresentation
            {
                throw Fuzzer.Finding("the private key does not come back")
            }
        }
    }

    @Test("An accepted PEM text equals the key's own text except for line endings")
    func texts() async throws {
        let corpus = [Self.key.pemRepresentation, Self.key.publicKey.pemRepresentation].map { Array($0.utf8) }
        await Fuzzer(corpus: corpus).run("the reader of keys in PEM") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? P256.KeyAgreement.PrivateKey(pemRepresentation: text)
            if let key = try? P256.KeyAgreement.PublicKey(pemRepresentation: text),
                key.pemRepresentation.split(whereSeparator: \.isNewline) != text.split(whereSeparator: \.isNewline)
            {
                throw Fuzzer.Finding("the text is written otherwise")
            }
        }
    }
}
