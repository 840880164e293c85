import Foundation
import Testing

@testable import CryptoKit

/// ML-KEM-768 and X-Wing with this module's arithmetic, and the inputs that they refuse.
@Suite struct LatticeTests {
    /// The seed of a key, the same in every run.
    private static func seed(_ count: Int, _ first: UInt8 = 1) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0) &+ first })
    }

    @Test("Compression is right for every residue modulo 3329", arguments: [1, 4, 5, 10, 11])
    func compression(bits: Int) {
        for value in 0..<3329 {
            // FIPS 203, 4.7: 2ᵈ/3329 times the value, rounded.
            let rounded: Int = ((value << bits) + 1664) / 3329
            let wanted = UInt32(rounded % (1 << bits))
            #expect(Polynomials.compress(Int16(value), bits: bits) == wanted, "\(value) in \(bits) bits")
            #expect(
                Polynomials.compress(Int16(value - 3329), bits: bits) == wanted,
                "any representative of the residue gives the same")
        }
    }

    @Test("A reduced product is the product divided by 2¹⁶, and center keeps the residue")
    func reduction() {
        func residue(_ value: Int) -> Int { (value % 3329 + 3329) % 3329 }
        for a in stride(from: -3328, through: 3328, by: 13) {
            #expect(residue(Int(Ring.center(Int16(a)))) == residue(a) && abs(Ring.center(Int16(a))) <= 1664)
            for b in stride(from: -3328, through: 3328, by: 101) {
                let product = Int(Ring.multiply(Int16(a), Int16(b)))
                #expect(residue(product << 16) == residue(a * b) && abs(product) < 3329)
            }
        }
    }

    @Test("The inverse transform of a product of transforms is the product modulo x²⁵⁶ + 1")
    func transform() {
        let f = Polynomials(1)
        let g = Polynomials(1)
        let product = Polynomials(1)
        var wanted = [Int](repeating: 0, count: 256)
        let (a, b) = ((0..<256).map { ($0 * 7 + 3) % 3329 }, (0..<256).map { ($0 * $0 + 1) % 3329 })
        f.withCoefficients(0) { for index in 0..<256 { $0[index] = Int16(a[index]) } }
        g.withCoefficients(0) { for index in 0..<256 { $0[index] = Int16(b[index]) } }
        for i in 0..<256 {
            for j in 0..<256 { wanted[(i + j) % 256] += (i + j < 256 ? 1 : -1) * a[i] * b[j] }
        }
        f.transform()
        g.transform()
        product.setProduct(at: 0, of: f, from: 0, by: 1, with: g)
        product.transformBack()
        product.withCoefficients(0) { coefficients in
            for index in 0..<256 {
                #expect((Int(coefficients[index]) - wanted[index]) % 3329 == 0, "coefficient \(index)")
            }
        }
    }

    @Test("Both ends get the same secret; another key or a changed bit gives another secret without an error")
    func agreement() throws {
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Self.seed(32), publicKey: nil)
        let other = try XWingMLKEM768X25519.PrivateKey.generate()
        let result = try key.publicKey.encapsulate()
        #expect(result.encapsulated.count == 1120 && result.sharedSecret.bitCount == 256)
        #expect(try key.decapsulate(result.encapsulated) == result.sharedSecret)
        #expect(try other.decapsulate(result.encapsulated) != result.sharedSecret)
        #expect(try key.publicKey.encapsulate().sharedSecret != result.sharedSecret)
        for byte in 0..<1120 {
            var changed = result.encapsulated
            changed[byte] ^= 1 << (byte % 8)
            let secret = try key.decapsulate(changed)
            #expect(secret != result.sharedSecret, "byte \(byte)")
            if byte % 97 == 0 { #expect(try key.decapsulate(changed) == secret, "byte \(byte) always gives the same") }
        }
    }

    @Test("A public key with a bit changed in any byte is refused or gives another secret")
    func alteredPublicKey() throws {
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Self.seed(32), publicKey: nil)
        let good = key.publicKey.rawRepresentation
        var refused = 0
        for byte in good.indices {
            var changed = good
            // In the last byte this is the bit that X25519 ignores but X-Wing does not.
            changed[byte] ^= 1 << (byte % 8)
            let altered = try XWingMLKEM768X25519.PublicKey(rawRepresentation: changed)
            guard let result = try? altered.encapsulate() else {
                refused += 1
                continue
            }
            #expect(try key.decapsulate(result.encapsulated) != result.sharedSecret, "byte \(byte)")
        }
        #expect(refused > 0, "a changed coefficient of 3329 or more is refused")
    }

    @Test(
        "Keys and ciphertexts of every other length are refused", arguments: [0, 1, 31, 33, 63, 65, 95, 97, 1087, 1089])
    func lengths(count: Int) throws {
        let bytes = Data(count: count)
        let lattice = try MLKEM768.PrivateKey(seedRepresentation: Self.seed(64), publicKey: nil)
        let hybrid = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Self.seed(32), publicKey: nil)
        #expect(throws: CryptoKitError.incorrectKeySize) { try MLKEM768.PublicKey(rawRepresentation: bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try lattice.decapsulate(bytes) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try hybrid.decapsulate(bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try MLKEM768.PrivateKey(seedRepresentation: bytes, publicKey: nil)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try XWingMLKEM768X25519.PrivateKey(seedRepresentation: bytes, publicKey: nil)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try XWingMLKEM768X25519.PrivateKey(seedRepresentation: bytes, publicKey: hybrid.publicKey)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try XWingMLKEM768X25519.PrivateKey(integrityCheckedRepresentation: bytes)
        }
        #expect(throws: KEM.Errors.invalidSeed) { try MLKEM768.PrivateKey(integrityCheckedRepresentation: bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try LatticePrivateKey(expanded: bytes, .mlKEM768) }
        if count != 32 {
            #expect(throws: CryptoKitError.incorrectKeySize) {
                try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
            }
        }
    }

    /// What swift-crypto throws where its library refuses a key.
    private static let refusal = CryptoKitError.underlyingCoreCryptoError(error: 0)

    @Test("A public key with any coefficient of 3329 or more is refused", arguments: MLKEMImplementation.allCases)
    func modulus(implementation: MLKEMImplementation) throws {
        guard implementation.isAvailable else { return }
        let key = try MLKEM768.PrivateKey(seedRepresentation: Self.seed(64), publicKey: nil)
        for pair in stride(from: 0, to: 1152, by: 3 * 37) {
            var bytes = key.publicKey.rawRepresentation
            bytes[pair] = 0x01
            bytes[pair + 1] = bytes[pair + 1] & 0xF0 | 0x0D
            #expect(throws: Self.refusal, "coefficient \(pair / 3 * 2)") {
                try MLKEM768.PublicKey(rawRepresentation: bytes, by: implementation)
            }
        }
        #expect(throws: Self.refusal) {
            try MLKEM768.PublicKey(rawRepresentation: Data(repeating: 0xFF, count: 1184), by: implementation)
        }
    }

    @Test(
        "An X-Wing key whose ML-KEM part is invalid is read, as in swift-crypto, and encapsulating for it is refused",
        arguments: MLKEMImplementation.allCases)
    func invalidLatticePart(implementation: MLKEMImplementation) throws {
        guard implementation.isAvailable else { return }
        let bytes = Data(repeating: 0xFF, count: 1216)
        let key = try XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes, by: implementation)
        #expect(key.rawRepresentation == bytes)
        #expect(throws: Self.refusal) { try key.encapsulate() }
        #expect(throws: Self.refusal) {
            try HPKE.Sender(
                recipientKey: key, ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data())
        }
    }

    @Test("A point of small order gives a secret of zeros with X25519 alone, as Apple's CryptoKit does")
    func smallOrderAlone() throws {
        let weak = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(count: 32))
        let secret = try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: weak)
        #expect(secret == Data(count: 32))
    }

    @Test("An X25519 part of zeros is refused, because every secret would be the same")
    func smallOrder() throws {
        let zero = Data(count: 32)
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Self.seed(32), publicKey: nil)
        let weak = try XWingMLKEM768X25519.PublicKey(
            rawRepresentation: key.publicKey.rawRepresentation.dropLast(32) + zero)
        #expect(throws: Self.refusal) { try weak.encapsulate() }
        let ciphertext = try key.publicKey.encapsulate().encapsulated
        #expect(throws: Self.refusal) { try key.decapsulate(ciphertext.dropLast(32) + zero) }
        #expect(throws: Self.refusal) {
            try HPKE.Recipient(
                privateKey: key, ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(),
                encapsulatedKey: Data(count: 1120))
        }
    }

    @Test("Seeds, public keys and hashes that do not belong together are refused")
    func integrity() throws {
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Self.seed(32), publicKey: nil)
        let again = try XWingMLKEM768X25519.PrivateKey(
            integrityCheckedRepresentation: key.integrityCheckedRepresentation)
        #expect(again.publicKey.rawRepresentation == key.publicKey.rawRepresentation)
        var broken = key.integrityCheckedRepresentation
        broken[3] ^= 1
        #expect(throws: KEM.Errors.publicKeyMismatchDuringInitialization) {
            try XWingMLKEM768X25519.PrivateKey(integrityCheckedRepresentation: broken)
        }
        let lattice = try MLKEM768.PrivateKey(seedRepresentation: Self.seed(64), publicKey: nil)
        #expect(
            try MLKEM768.PrivateKey(integrityCheckedRepresentation: lattice.integrityCheckedRepresentation).publicKey
                .rawRepresentation == lattice.publicKey.rawRepresentation)
        #expect(throws: KEM.Errors.publicKeyMismatchDuringInitialization) {
            try MLKEM768.PrivateKey(seedRepresentation: Self.seed(64, 2), publicKey: lattice.publicKey)
        }
        #expect(throws: KEM.Errors.publicKeyMismatchDuringInitialization) {
            try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Self.seed(32, 2), publicKey: key.publicKey)
        }
    }

    @Test("HPKE with X-Wing seals, opens and exports; a key that does not fit the suite is refused")
    func hpke() throws {
        let suite = HPKE.Ciphersuite.XWingMLKEM768X25519_SHA256_AES_GCM_256
        let key = try XWingMLKEM768X25519.PrivateKey.generate()
        let info = Data("XWing-Version1".utf8)
        var sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: info)
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: sender.encapsulatedKey)
        for text in ["one", "two"] {
            #expect(try recipient.open(sender.seal(Data(text.utf8))) == Data(text.utf8))
        }
        let context = Data("context".utf8)
        #expect(
            try sender.exportSecret(context: context, outputByteCount: 32)
                == recipient.exportSecret(context: context, outputByteCount: 32))
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: .P256_SHA256_AES_GCM_256, info: info)
        }
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Sender(
                recipientKey: P256.KeyAgreement.PrivateKey().publicKey, ciphersuite: suite, info: info)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: Data(count: 65))
        }
    }
}
