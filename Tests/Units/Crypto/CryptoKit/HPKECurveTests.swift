import FoundationEssentials
import Testing

@_spi(HPKEAlgID) @testable import CryptoKit

/// HPKE with keys on P-384 and P-521.
@Suite struct HPKECurves {
    private static let info = hex("4f6465206f6e2061204772656369616e2055726e")
    private static let message = Data("Beauty is truth, truth beauty".utf8)

    /// RFC 9180, A.6.1.
    @Test func p521() throws {
        let key = try P521.KeyAgreement.PrivateKey(
            rawRepresentation: hex(
                """
                01462680369ae375e4b3791070a7458ed527842f6a98a79ff5e0d4cbde83c27196a3916956655523a6a2556a7af62c5c
                adabe2ef9da3760bb21e005202f7b2462847
                """))
        let ephemeral = try P521.KeyAgreement.PrivateKey(
            rawRepresentation: hex(
                """
                014784c692da35df6ecde98ee43ac425dbdd0969c0c72b42f2e708ab9d535415a8569bdacfcc0a114c85b8e3f26acf4d
                68115f8c91a66178cdbd03b7bcc5291e374b
                """))
        let encapsulated = hex(
            """
            040138b385ca16bb0d5fa0c0665fbbd7e69e3ee29f63991d3e9b5fa740aab8900aaeed46ed73a49055758425a0ce36507c54
            b29cc5b85a5cee6bae0cf1c21f2731ece2013dc3fb7c8d21654bb161b463962ca19e8c654ff24c94dd2898de12051f1ed069
            2237fb02b2f8d1dc1c73e9b366b529eb436e98a996ee522aef863dd5739d2f29b0
            """)
        var sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: .P521_SHA512_AES_GCM_256, info: Self.info, ephemeral: ephemeral)
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: .P521_SHA512_AES_GCM_256, info: Self.info, encapsulatedKey: encapsulated)
        #expect(sender.encapsulatedKey == encapsulated)
        for (number, ciphertext) in [
            "170f8beddfe949b75ef9c387e201baf4132fa7374593dfafa90768788b7b2b200aafcc6d80ea4c795a7c5b841a",
            "d9ee248e220ca24ac00bbbe7e221a832e4f7fa64c4fbab3945b6f3af0c5ecd5e16815b328be4954a05fd352256",
        ].enumerated() {
            let data = Data("Count-\(number)".utf8)
            #expect(try sender.seal(Self.message, authenticating: data) == hex(ciphertext))
            #expect(try recipient.open(hex(ciphertext), authenticating: data) == Self.message)
        }
        let exported = hex("05e2e5bd9f0c30832b80a279ff211cc65eceb0d97001524085d609ead60d0412")
        #expect(try sender.exportSecret(context: Data(), outputByteCount: 32).data == exported)
        #expect(try recipient.exportSecret(context: Data(), outputByteCount: 32).data == exported)
    }

    /// Sealed by Python's `cryptography` 48, because RFC 9180 has no vectors for P-384.
    @Test func p384() throws {
        var recipient = try HPKE.Recipient(
            privateKey: P384.KeyAgreement.PrivateKey(rawRepresentation: Data(1...48)),
            ciphersuite: .P384_SHA384_AES_GCM_256, info: Self.info,
            encapsulatedKey: hex(
                """
                04a7fa7ac2f69363287fe1db36705e64f6d7528d2b5b4313dff9643e897a27562072936f886b1b0599e1d087f7848857
                f47e1dfebe6092f532f941b836a491959285531154398490bfd7298a19c0a92a9213722e620e3156abe38d6e0f7f0b37
                63
                """))
        #expect(
            try recipient.open(
                hex("bb6c7ac7373752f81045cc194769b543db683080f3a80685927cbe0a9bd1557ef3a4bb015dec1c774eee3dde46"))
                == Self.message)
    }

    @Test("In every mode the recipient opens what the sender sealed")
    func modes() throws {
        try everyMode(P384.KeyAgreement.PrivateKey.self, .P384_SHA384_AES_GCM_256)
        try everyMode(P521.KeyAgreement.PrivateKey.self, .P521_SHA512_AES_GCM_256)
    }

    private func everyMode<Key: HPKEDiffieHellmanPrivateKeyGeneration>(
        _ type: Key.Type, _ suite: HPKE.Ciphersuite
    ) throws where Key.PublicKey.EphemeralPrivateKey == Key {
        let (key, own, psk, name) = (Key(), Key(), SymmetricKey(size: .bits256), Data("name".utf8))
        func check(_ sender: HPKE.Sender, _ recipient: (Data) throws -> HPKE.Recipient) throws {
            var sender = sender
            var recipient = try recipient(sender.encapsulatedKey)
            #expect(sender.encapsulatedKey.count == suite.kem.nEnc)
            #expect(try recipient.open(sender.seal(Self.message)) == Self.message)
        }
        try check(.init(recipientKey: key.publicKey, ciphersuite: suite, info: Self.info)) {
            try .init(privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: $0)
        }
        try check(
            .init(
                recipientKey: key.publicKey, ciphersuite: suite, info: Self.info, presharedKey: psk,
                presharedKeyIdentifier: name)
        ) {
            try .init(
                privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: $0, presharedKey: psk,
                presharedKeyIdentifier: name)
        }
        try check(.init(recipientKey: key.publicKey, ciphersuite: suite, info: Self.info, authenticatedBy: own)) {
            try .init(
                privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: $0,
                authenticatedBy: own.publicKey)
        }
        try check(
            .init(
                recipientKey: key.publicKey, ciphersuite: suite, info: Self.info, authenticatedBy: own,
                presharedKey: psk, presharedKeyIdentifier: name)
        ) {
            try .init(
                privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: $0,
                authenticatedBy: own.publicKey, presharedKey: psk, presharedKeyIdentifier: name)
        }
    }

    @Test("A key on another curve does not fit the cipher suite")
    func otherCurve() {
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Sender(
                recipientKey: P256.KeyAgreement.PrivateKey().publicKey, ciphersuite: .P384_SHA384_AES_GCM_256,
                info: Data())
        }
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Recipient(
                privateKey: P521.KeyAgreement.PrivateKey(), ciphersuite: .P384_SHA384_AES_GCM_256, info: Data(),
                encapsulatedKey: Data(count: 97))
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try HPKE.Recipient(
                privateKey: P384.KeyAgreement.PrivateKey(), ciphersuite: .P384_SHA384_AES_GCM_256, info: Data(),
                encapsulatedKey: Data(count: 65))
        }
    }

    /// RFC 9180, section 7.
    @Test func numbers() {
        #expect(HPKE.KEM.allCases.map(\.value) == [0x10, 0x11, 0x12, 0x20, 0x647A])
        #expect(HPKE.KEM.allCases.map(\.nEnc) == [65, 97, 133, 32, 1120])
        #expect(HPKE.KDF.allCases.map(\.value) == [1, 2, 3])
        #expect(HPKE.AEAD.allCases.map(\.value) == [1, 2, 3, 0xFFFF])
    }
}
