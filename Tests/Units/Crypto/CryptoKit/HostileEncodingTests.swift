import Foundation
import Testing

@testable import CryptoKit

/// Encoded keys and signatures from outside that are wrong. The errors are those of swift-crypto for the same bytes.
@Suite struct HostileEncodings {
    /// A sequence in a sequence, so many times.
    private static func nested(_ depth: Int) -> String {
        (0..<depth).reduce("") { content, _ in "30" + String(format: "%02x", content.count / 2) + content }
    }

    @Test(
        "A public key whose fields are cut, missing or not fields is refused with the name of what is wrong",
        arguments: [
            ("", CryptoKitASN1Error.truncatedASN1Field), ("30", .truncatedASN1Field), ("3082", .truncatedASN1Field),
            ("3000", .invalidASN1Object), ("300b 3009 0607 2a8648ce3d0201", .invalidASN1Object),
            // A length in the inner sequence goes beyond its end; the same with a wrong type before it.
            ("300b 3009 0608 2a8648ce3d0201", .truncatedASN1Field),
            ("300b 3109 0608 2a8648ce3d0201", .truncatedASN1Field),
            ("300b 3109 0607 2a8648ce3d0201", .unexpectedFieldType),
            ("300a 3008 0606 2a8648ce3d82 0000", .invalidASN1Object),
            ("3008 3006 0600 0302 0000", .invalidObjectIdentifier),
            ("3008 3006 0601 2a 0301 00", .invalidObjectIdentifier),
            ("3089 010000000000000000", .invalidASN1Object), ("3088 8000000000000000", .invalidASN1Object),
            ("3088 7fffffffffffffff", .truncatedASN1Field), ("3083 000100", .unsupportedFieldLength),
            ("3002 1f00", .invalidFieldIdentifier), ("0400", .unexpectedFieldType),
            (nested(10), .unexpectedFieldType), (nested(11), .invalidASN1Object), ("a0023000", .unexpectedFieldType),
        ])
    func publicKeys(bytes: String, error: CryptoKitASN1Error) {
        #expect(throws: error) { try P256.Signing.PublicKey(derRepresentation: hex(bytes)) }
        #expect(throws: error) { try P521.KeyAgreement.PublicKey(derRepresentation: hex(bytes)) }
    }

    @Test(
        "A signature that is not two natural numbers is refused with the name of what is wrong",
        arguments: [
            ("3003 020101", CryptoKitASN1Error.invalidASN1Object), ("3009 020101020101020101", .invalidASN1Object),
            ("3005 0200020101", .invalidASN1IntegerEncoding), ("3006 020181020101", .invalidASN1IntegerEncoding),
            ("3007 02020001020101", .invalidASN1IntegerEncoding), ("3006 020101040101", .unexpectedFieldType),
            ("3006 020101020201", .truncatedASN1Field), ("3006 020101020101 00", .invalidASN1Object),
        ])
    func signatures(bytes: String, error: CryptoKitASN1Error) {
        #expect(throws: error) { try P256.Signing.ECDSASignature(derRepresentation: hex(bytes)) }
    }

    @Test("A number of a signature may be zero, but not longer than the curve's numbers")
    func lengths() throws {
        let zero = try P256.Signing.ECDSASignature(derRepresentation: hex("3006 020100 020101"))
        #expect(zero.rawRepresentation == Data(count: 63) + [1])
        let long = hex("3026 0221 01") + Data(count: 32) + hex("020101")
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.ECDSASignature(derRepresentation: long)
        }
        #expect(try P384.Signing.ECDSASignature(derRepresentation: long).rawRepresentation.count == 96)
    }

    @Test(
        "A private key whose version or number is wrong is refused with the name of what is wrong",
        arguments: [
            ("3003 020100", CryptoKitASN1Error.invalidASN1Object), ("3003 020101", .invalidASN1Object),
            ("3003 020102", .invalidASN1Object), ("3004 02020001", .invalidASN1IntegerEncoding),
            ("3004 0202ff80", .invalidASN1IntegerEncoding), ("3004 02020100", .invalidASN1Object),
            ("3002 0200", .invalidASN1IntegerEncoding), ("3003 040101", .unexpectedFieldType),
            ("3005 020101 0400 00", .invalidASN1Object), ("3007 020101 0400 a000", .invalidASN1Object),
        ])
    func privateKeys(bytes: String, error: CryptoKitASN1Error) {
        #expect(throws: error) { try P256.Signing.PrivateKey(derRepresentation: hex(bytes)) }
    }

    @Test("A PKCS #8 document with a number that is no key is refused as the other form is")
    func invalidNumber() throws {
        let key = P256.Signing.PrivateKey()
        let zero = key.derRepresentation.replacing(key.rawRepresentation, with: Data(count: 32))
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) { try P256.Signing.PrivateKey(derRepresentation: zero) }
    }

    /// Types of fields, and lengths that do not fit.
    private static let oddBytes: [UInt8] = [
        0, 1, 2, 3, 4, 6, 0x1F, 0x30, 0x7F, 0x80, 0x81, 0x82, 0x84, 0x88, 0xA0, 0xA1, 0xFF,
    ]

    @Test("Documents with any byte changed to a type or a length never stop the program")
    func everyByte() {
        let key = P256.Signing.PrivateKey()
        for document in [key.derRepresentation, key.publicKey.derRepresentation] {
            for place in document.indices {
                var changed = document
                for value in Self.oddBytes {
                    changed[place] = value
                    _ = try? P256.Signing.ECDSASignature(derRepresentation: changed)
                    // Reading a valid point takes long, so the lengths are tried with the other curve.
                    _ = try? P384.Signing.PublicKey(derRepresentation: changed)
                    _ = try? P384.Signing.PrivateKey(derRepresentation: changed)
                }
            }
        }
    }
}
