import Foundation
import Testing

@testable import CryptoKit

/// Keys on P-256 in the forms of X9.63, X.509, PKCS #8 and SEC 1. The PEM texts come from OpenSSL 3.0.
@Suite struct KeyEncodings {
    static let scalar = hex("f341f9ae8532f92f001910d3d50f5dd79ecf8b87563d755044cc0b3dbe8e4c7c")
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGrV7swrgWW1VeBbBi/uXsQYvbBrV
        CynoIPriy/Jr75zgrzB/2SAENv+eARyjWGpefu7GA+Saqt0Q9pE2ATpMdg==
        -----END PUBLIC KEY-----
        """
    static let pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg80H5roUy+S8AGRDT
        1Q9d157Pi4dWPXVQRMwLPb6OTHyhRANCAAQatXuzCuBZbVV4FsGL+5exBi9sGtUL
        Kegg+uLL8mvvnOCvMH/ZIAQ2/54BHKNYal5+7sYD5Jqq3RD2kTYBOkx2
        -----END PRIVATE KEY-----
        """
    static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIPNB+a6FMvkvABkQ09UPXdeez4uHVj11UETMCz2+jkx8oAoGCCqGSM49
        AwEHoUQDQgAEGrV7swrgWW1VeBbBi/uXsQYvbBrVCynoIPriy/Jr75zgrzB/2SAE
        Nv+eARyjWGpefu7GA+Saqt0Q9pE2ATpMdg==
        -----END EC PRIVATE KEY-----
        """
    /// The same key with explicit curve parameters.
    static let explicitParameters = """
        -----BEGIN PUBLIC KEY-----
        MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
        AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
        ///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
        NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
        RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
        //////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABBq1e7MK4FltVXgWwYv7l7EG
        L2wa1Qsp6CD64svya++c4K8wf9kgBDb/ngEco1hqXn7uxgPkmqrdEPaRNgE6THY=
        -----END PUBLIC KEY-----
        """
    /// The same key with a compressed point.
    static let compressed = """
        -----BEGIN PUBLIC KEY-----
        MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACGrV7swrgWW1VeBbBi/uXsQYvbBrV
        CynoIPriy/Jr75w=
        -----END PUBLIC KEY-----
        """
    /// A key on P-384.
    static let otherCurve = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAECbnQW7d4RnNgj0qMCCzY7UKNwhb1rdBn
        urIsereXSZKDA+zsCOZ1haw5SBqYh3vyE5Gq9R6F6K4C1vuVVuifpB/QLeELLqwO
        VUh7hgdAvt8ELQQLk++u4bPAxufgFTyL
        -----END PUBLIC KEY-----
        """

    private static func bytes(_ text: String) throws -> Data { try PEMDocument.read(text).bytes.data }

    @Test("Keys from OpenSSL are read, and keys are written in the same form as OpenSSL's")
    func openSSL() throws {
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: Self.scalar)
        #expect(key.publicKey.pemRepresentation == Self.publicKey)
        #expect(key.pemRepresentation == Self.pkcs8)
        #expect(try P256.KeyAgreement.PublicKey(pemRepresentation: Self.publicKey + "\n").point == key.publicKey.point)
        let again = try P256.KeyAgreement.PublicKey(derRepresentation: key.publicKey.derRepresentation)
        #expect(again.point == key.publicKey.point)
        for text in [Self.pkcs8, Self.sec1] {
            #expect(try P256.KeyAgreement.PrivateKey(pemRepresentation: text).rawRepresentation == Self.scalar)
            let der = try Self.bytes(text)
            #expect(try P256.KeyAgreement.PrivateKey(derRepresentation: der).rawRepresentation == Self.scalar)
            #expect(
                try P256.KeyAgreement.PrivateKey(derRepresentation: (Data([9]) + der).dropFirst()).rawRepresentation
                    == Self.scalar)
        }
        #expect(try Self.bytes(Self.pkcs8) == key.derRepresentation)
    }

    @Test("The X9.63 form has the point and the number, which must belong together")
    func x963() throws {
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: Self.scalar)
        let bytes = key.x963Representation
        #expect(bytes == key.publicKey.x963Representation + Self.scalar)
        #expect(try P256.KeyAgreement.PrivateKey(x963Representation: bytes).rawRepresentation == Self.scalar)
        for length in [0, 1, 32, 65, 96, 98] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try P256.KeyAgreement.PrivateKey(x963Representation: (bytes + bytes).prefix(length))
            }
        }
        let other = P256.KeyAgreement.PrivateKey()
        #expect(throws: PrimeCurve.invalid) {
            try P256.KeyAgreement.PrivateKey(
                x963Representation: other.publicKey.x963Representation + Self.scalar)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try P256.KeyAgreement.PrivateKey(x963Representation: Data([5]) + bytes.dropFirst())
        }
    }

    @Test("The compact form is X alone; it exists only for keys with the smaller Y")
    func compact() throws {
        // This key's Y begins with 0xe0, so it is more than half of the prime. It is even.
        let larger = try P256.KeyAgreement.PrivateKey(rawRepresentation: Self.scalar).publicKey
        #expect(larger.compactRepresentation == nil)
        let x = larger.rawRepresentation.prefix(32)
        let smaller = try P256.KeyAgreement.PublicKey(compactRepresentation: x)
        #expect(smaller.compressedRepresentation == Data([3]) + x)
        #expect(smaller.compactRepresentation == x)
        for _ in 0..<8 {
            let key = P256.KeyAgreement.PrivateKey(compactRepresentable: true).publicKey
            let compact = try #require(key.compactRepresentation)
            #expect(compact == key.rawRepresentation.prefix(32))
            #expect(try P256.KeyAgreement.PublicKey(compactRepresentation: compact).point == key.point)
        }
        let keys = (0..<64).map { _ in P256.KeyAgreement.PrivateKey(compactRepresentable: false).publicKey }
        #expect(keys.contains { $0.compactRepresentation == nil }, "half of all keys have the larger Y")
        for length in [0, 31, 33, 64] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try P256.KeyAgreement.PublicKey(compactRepresentation: Data(count: length))
            }
        }
        #expect(throws: PrimeCurve.invalid) {
            try P256.KeyAgreement.PublicKey(compactRepresentation: Data(repeating: 0xff, count: 32))
        }
    }

    @Test("Public keys that are changed, cut, lengthened, compressed or on another curve are refused")
    func publicKeys() throws {
        let der = try Self.bytes(Self.publicKey)
        for bit in 0..<(der.count * 8) {
            var altered = der
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: (any Error).self, "bit \(bit)") {
                try P256.KeyAgreement.PublicKey(derRepresentation: altered)
            }
        }
        for length in 0..<der.count {
            #expect(throws: CryptoKitASN1Error.truncatedASN1Field, "\(length) bytes") {
                try P256.KeyAgreement.PublicKey(derRepresentation: der.prefix(length))
            }
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P256.KeyAgreement.PublicKey(derRepresentation: der + [0])
        }
        // Wycheproof counts a key with forged parameters as invalid although its point is on the curve.
        #expect(throws: CryptoKitASN1Error.unexpectedFieldType) {
            try P256.KeyAgreement.PublicKey(pemRepresentation: Self.explicitParameters)
        }
        for text in [Self.compressed, Self.otherCurve] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try P256.KeyAgreement.PublicKey(pemRepresentation: text)
            }
        }
        let otherName = der.replacing(hex("2a8648ce3d030107"), with: hex("2a8648ce3d030106"))
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P256.KeyAgreement.PublicKey(derRepresentation: otherName)
        }
    }

    @Test(
        "A length that is indefinite, not in its shortest form, or beyond the end is refused",
        arguments: [
            ("308159", CryptoKitASN1Error.unsupportedFieldLength), ("30820059", .unsupportedFieldLength),
            ("3080", .unsupportedFieldLength), ("30850000000059", .unsupportedFieldLength),
            ("30887fffffffffffffff", .truncatedASN1Field), ("3082ffff", .truncatedASN1Field),
            ("3f59", .invalidFieldIdentifier), ("3159", .unexpectedFieldType),
        ])
    func lengths(start: String, error: CryptoKitASN1Error) throws {
        let rest = try Self.bytes(Self.publicKey).dropFirst(2)
        #expect(throws: error) { try P256.KeyAgreement.PublicKey(derRepresentation: hex(start) + rest) }
    }

    @Test("Private keys that are cut, lengthened, zero, of another version or curve are refused")
    func privateKeys() throws {
        for text in [Self.pkcs8, Self.sec1] {
            let der = try Self.bytes(text)
            for length in 0..<der.count {
                #expect(throws: CryptoKitASN1Error.self, "\(length) bytes") {
                    try P256.KeyAgreement.PrivateKey(derRepresentation: der.prefix(length))
                }
            }
            #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
                try P256.KeyAgreement.PrivateKey(derRepresentation: der + [0])
            }
            let place = try #require(der.firstRange(of: Self.scalar))
            let zero = der.replacing(Self.scalar, with: Data(count: 32))
            #expect(throws: (any Error).self) { try P256.KeyAgreement.PrivateKey(derRepresentation: zero) }
            var shorter = der
            shorter.remove(at: place.lowerBound)
            #expect(throws: (any Error).self) { try P256.KeyAgreement.PrivateKey(derRepresentation: shorter) }
            let otherCurve = der.replacing(hex("2a8648ce3d030107"), with: hex("2a8648ce3d030106"))
            #expect(otherCurve != der)
            #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
                try P256.KeyAgreement.PrivateKey(derRepresentation: otherCurve)
            }
        }
    }

    @Test("An ECPrivateKey whose number is zero is refused as a number that is no key")
    func zero() throws {
        let zero = try Self.bytes(Self.sec1).replacing(Self.scalar, with: Data(count: 32))
        #expect(throws: PrimeCurve.invalid) { try P256.KeyAgreement.PrivateKey(derRepresentation: zero) }
    }

    @Test(
        "Texts that are not a PEM document with the right label are refused",
        arguments: [
            "", "\n", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
            publicKey.replacing("BEGIN PUBLIC", with: "BEGIN PRIVATE"),
            publicKey.replacing("PUBLIC", with: "EC PUBLIC"),
            publicKey.replacing("MFkw", with: "MF!w"), publicKey.replacing("bBrV\nC", with: "\nbBrVC"),
            publicKey.replacing("MFkw", with: "MFk"), "x\n" + publicKey,
            publicKey + "\nx", publicKey.replacing("-----END", with: "----END"), sec1, pkcs8,
        ])
    func documents(text: String) {
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) {
            try P256.KeyAgreement.PublicKey(pemRepresentation: text)
        }
        guard text != Self.sec1, text != Self.pkcs8 else { return }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) {
            try P256.KeyAgreement.PrivateKey(pemRepresentation: text)
        }
    }
}
