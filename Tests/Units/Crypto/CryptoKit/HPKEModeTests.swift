import FoundationEssentials
import Testing

@testable import CryptoKit

/// RFC 9180, appendices A.1 to A.4: X25519, ChaCha20-Poly1305, and the modes with a pre-shared key or an authenticated
/// sender.
@Suite struct HPKEModes {
    private static let info = hex("4f6465206f6e2061204772656369616e2055726e")
    private static let message = Data("Beauty is truth, truth beauty".utf8)
    private static let presharedKey = SymmetricKey(
        data: hex("0247fd33b913760fa1fa51e1892d9f307fbe65eb171e8132c2af18555a738b82"))
    private static let presharedKeyIdentifier = Data("Ennyn Durin aran Moria".utf8)
    private static let x25519 = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_128)

    private static func key(_ text: String) throws -> Curve25519.KeyAgreement.PrivateKey {
        try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: hex(text))
    }

    /// Seals, opens and exports, and compares with the appendix. The messages start with the first one.
    private func check(
        _ sender: HPKE.Sender, _ recipient: HPKE.Recipient, encapsulatedKey: String, ciphertexts: [String],
        exported: String
    ) throws {
        var (sender, recipient) = (sender, recipient)
        #expect(sender.encapsulatedKey == hex(encapsulatedKey))
        for (number, ciphertext) in ciphertexts.enumerated() {
            let data = Data("Count-\(number)".utf8)
            #expect(try sender.seal(Self.message, authenticating: data) == hex(ciphertext), "message \(number)")
            #expect(try recipient.open(hex(ciphertext), authenticating: data) == Self.message, "message \(number)")
        }
        #expect(try sender.exportSecret(context: Data(), outputByteCount: 32).data == hex(exported))
        #expect(try recipient.exportSecret(context: Data(), outputByteCount: 32).data == hex(exported))
    }

    /// A.1.2.
    @Test func presharedKeyMode() throws {
        let key = try Self.key("c5eb01eb457fe6c6f57577c5413b931550a162c71a03ac8d196babbd4e5ce0fd")
        let enc = "0ad0950d9fb9588e59690b74f1237ecdf1d775cd60be2eca57af5a4b0471c91b"
        try check(
            HPKE.Sender(
                recipientKey: key.publicKey, ciphersuite: Self.x25519, info: Self.info,
                ephemeral: Self.key("463426a9ffb42bb17dbe6044b9abd1d4e4d95f9041cef0e99d7824eef2b6f588"),
                presharedKey: .init(key: Self.presharedKey, identifier: Self.presharedKeyIdentifier)),
            HPKE.Recipient(
                privateKey: key, ciphersuite: Self.x25519, info: Self.info, encapsulatedKey: hex(enc),
                presharedKey: Self.presharedKey, presharedKeyIdentifier: Self.presharedKeyIdentifier),
            encapsulatedKey: enc,
            ciphertexts: [
                "e52c6fed7f758d0cf7145689f21bc1be6ec9ea097fef4e959440012f4feb73fb611b946199e681f4cfc34db8ea",
                "49f3b19b28a9ea9f43e8c71204c00d4a490ee7f61387b6719db765e948123b45b61633ef059ba22cd62437c8ba",
                "257ca6a08473dc851fde45afd598cc83e326ddd0abe1ef23baa3baa4dd8cde99fce2c1e8ce687b0b47ead1adc9",
            ], exported: "dff17af354c8b41673567db6259fd6029967b4e1aad13023c2ae5df8f4f43bf6")
    }

    /// A.1.3.
    @Test func authenticatedMode() throws {
        let key = try Self.key("fdea67cf831f1ca98d8e27b1f6abeb5b7745e9d35348b80fa407ff6958f9137e")
        let sender = try Self.key("dc4a146313cce60a278a5323d321f051c5707e9c45ba21a3479fecdf76fc69dd")
        let enc = "23fb952571a14a25e3d678140cd0e5eb47a0961bb18afcf85896e5453c312e76"
        try check(
            HPKE.Sender(
                recipientKey: key.publicKey, ciphersuite: Self.x25519, info: Self.info,
                ephemeral: Self.key("ff4442ef24fbc3c1ff86375b0be1e77e88a0de1e79b30896d73411c5ff4c3518"),
                authenticatedBy: sender),
            HPKE.Recipient(
                privateKey: key, ciphersuite: Self.x25519, info: Self.info, encapsulatedKey: hex(enc),
                authenticatedBy: sender.publicKey),
            encapsulatedKey: enc,
            ciphertexts: [
                "5fd92cc9d46dbf8943e72a07e42f363ed5f721212cd90bcfd072bfd9f44e06b80fd17824947496e21b680c141b",
                "d3736bb256c19bfa93d79e8f80b7971262cb7c887e35c26370cfed62254369a1b52e3d505b79dd699f002bc8ed",
            ], exported: "28c70088017d70c896a8420f04702c5a321d9cbf0279fba899b59e51bac72c85")
    }

    /// A.1.4.
    @Test func authenticatedPresharedKeyMode() throws {
        let key = try Self.key("cb29a95649dc5656c2d054c1aa0d3df0493155e9d5da6d7e344ed8b6a64a9423")
        let sender = try Self.key("fc1c87d2f3832adb178b431fce2ac77c7ca2fd680f3406c77b5ecdf818b119f4")
        let enc = "820818d3c23993492cc5623ab437a48a0a7ca3e9639c140fe1e33811eb844b7c"
        try check(
            HPKE.Sender(
                recipientKey: key.publicKey, ciphersuite: Self.x25519, info: Self.info,
                ephemeral: Self.key("14de82a5897b613616a00c39b87429df35bc2b426bcfd73febcb45e903490768"),
                authenticatedBy: sender,
                presharedKey: .init(key: Self.presharedKey, identifier: Self.presharedKeyIdentifier)),
            HPKE.Recipient(
                privateKey: key, ciphersuite: Self.x25519, info: Self.info, encapsulatedKey: hex(enc),
                authenticatedBy: sender.publicKey, presharedKey: Self.presharedKey,
                presharedKeyIdentifier: Self.presharedKeyIdentifier),
            encapsulatedKey: enc,
            ciphertexts: [
                "a84c64df1e11d8fd11450039d4fe64ff0c8a99fca0bd72c2d4c3e0400bc14a40f27e45e141a24001697737533e",
                "4d19303b848f424fc3c3beca249b2c6de0a34083b8e909b6aa4c3688505c05ffe0c8f57a0a4c5ab9da127435d9",
            ], exported: "08f7e20644bb9b8af54ad66d2067457c5f9fcb2a23d9f6cb4445c0797b330067")
    }

    /// A.2.1, Apple's suite for X25519.
    @Test func chaChaPoly() throws {
        let key = try Self.key("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb")
        let enc = "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
        try check(
            HPKE.Sender(
                recipientKey: key.publicKey, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Self.info,
                ephemeral: Self.key("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600")),
            HPKE.Recipient(
                privateKey: key, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Self.info,
                encapsulatedKey: hex(enc)),
            encapsulatedKey: enc,
            ciphertexts: ["1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"],
            exported: "4bbd6243b8bb54cec311fac9df81841b6fd61f56538a775e7c80a9f40160606e")
    }

    /// A.3.2: a recipient with a key on P-256.
    @Test func presharedKeyOnP256() throws {
        var recipient = try HPKE.Recipient(
            privateKey: P256.KeyAgreement.PrivateKey(
                rawRepresentation: hex("438d8bcef33b89e0e9ae5eb0957c353c25a94584b0dd59c991372a75b43cb661")),
            ciphersuite: .init(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_128), info: Self.info,
            encapsulatedKey: hex(
                """
                04305d35563527bce037773d79a13deabed0e8e7cde61eecee403496959e89e4d0ca701726696d1485137ccb5341b3c1
                c7aaee90a4a02449725e744b1193b53b5f
                """), presharedKey: Self.presharedKey, presharedKeyIdentifier: Self.presharedKeyIdentifier)
        for (number, ciphertext) in [
            "90c4deb5b75318530194e4bb62f890b019b1397bbf9d0d6eb918890e1fb2be1ac2603193b60a49c2126b75d0eb",
            "9e223384a3620f4a75b5a52f546b7262d8826dea18db5a365feb8b997180b22d72dc1287f7089a1073a7102c27",
        ].enumerated() {
            let message = try recipient.open(hex(ciphertext), authenticating: Data("Count-\(number)".utf8))
            #expect(message == Self.message)
        }
    }

    /// A.4.1. Its key schedule uses SHA-512, but its KEM does not.
    @Test func sha512() throws {
        let suite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA512, aead: .AES_GCM_128)
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: hex("3ac8530ad1b01885960fab38cf3cdc4f7aef121eaa239f222623614b4079fb38"))
        let enc = """
            0493ed86735bdfb978cc055c98b45695ad7ce61ce748f4dd63c525a3b8d53a15565c6897888070070c1579db1f86aaa5
            6deb8297e64db7e8924e72866f9a472580
            """
        try check(
            HPKE.Sender(
                recipientKey: key.publicKey, ciphersuite: suite, info: Self.info,
                ephemeral: P256.KeyAgreement.PrivateKey(
                    rawRepresentation: hex("2292bf14bb6e15b8c81a0f45b7a6e93e32d830e48cca702e0affcfb4d07e1b5c"))),
            HPKE.Recipient(privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: hex(enc)),
            encapsulatedKey: enc,
            ciphertexts: [
                "d3cf4984931484a080f74c1bb2a6782700dc1fef9abe8442e44a6f09044c88907200b332003543754eb51917ba",
                "d14414555a47269dfead9fbf26abb303365e40709a4ed16eaefe1f2070f1ddeb1bdd94d9e41186f124e0acc62d",
            ], exported: "a32186b8946f61aeead1c093fe614945f85833b165b28c46bf271abf16b57208")
    }

    /// Sealed by Python's `cryptography` 50, because RFC 9180 has no vectors for SHA-384 on these curves.
    @Test func sha384() throws {
        var recipient = try HPKE.Recipient(
            privateKey: Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Data(1...32)),
            ciphersuite: .init(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA384, aead: .AES_GCM_256), info: Self.info,
            encapsulatedKey: hex("f5cd9d1f859776f7188ae9a792f3762162df238dca618a32f72b43fb6e6dba48"))
        let ciphertext = hex(
            "554d82fbd9f56cca4cd0574b47bf553d9db29c9c25a6a20d8ae87c266b0d6d65009dcfbbc552a9f4c7cd756a78")
        #expect(try recipient.open(ciphertext) == Self.message)
    }

    @Test("Messages cannot be opened with another mode, another key or another identifier")
    func mismatches() throws {
        let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
        let (key, senderKey) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey())
        let (psk, name) = (Self.presharedKey, Self.presharedKeyIdentifier)
        var sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: suite, info: Self.info, authenticatedBy: senderKey,
            presharedKey: psk, presharedKeyIdentifier: name)
        let sealed = try sender.seal(Self.message)
        func recipient(
            _ senderKey: P256.KeyAgreement.PublicKey?, _ psk: SymmetricKey?, _ name: Data
        ) throws -> HPKE.Recipient {
            let enc = sender.encapsulatedKey
            return switch (senderKey, psk) {
            case (nil, nil):
                try .init(privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: enc)
            case (nil, let psk?):
                try .init(
                    privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: enc, presharedKey: psk,
                    presharedKeyIdentifier: name)
            case (let senderKey?, nil):
                try .init(
                    privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: enc,
                    authenticatedBy: senderKey)
            case (let senderKey?, let psk?):
                try .init(
                    privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: enc,
                    authenticatedBy: senderKey, presharedKey: psk, presharedKeyIdentifier: name)
            }
        }
        var right = try recipient(senderKey.publicKey, psk, name)
        #expect(try right.open(sealed) == Self.message)
        let wrong = [
            try recipient(nil, nil, name), try recipient(nil, psk, name),
            try recipient(senderKey.publicKey, nil, name), try recipient(key.publicKey, psk, name),
            try recipient(senderKey.publicKey, SymmetricKey(size: .bits256), name),
            try recipient(senderKey.publicKey, psk, Data("Mellon".utf8)),
        ]
        for var recipient in wrong {
            #expect(throws: CryptoKitError.authenticationFailure) { try recipient.open(sealed) }
        }
    }

    @Test("A pre-shared key without an identifier, an identifier without a key, and neither are refused")
    func incompleteInputs() throws {
        let key = Curve25519.KeyAgreement.PrivateKey()
        let none = SymmetricKey(data: Data())
        func sender(_ psk: SymmetricKey, _ name: Data) throws {
            _ = try HPKE.Sender(
                recipientKey: key.publicKey, ciphersuite: Self.x25519, info: Data(), presharedKey: psk,
                presharedKeyIdentifier: name)
        }
        #expect(throws: HPKE.Errors.inconsistentPSKInputs) { try sender(Self.presharedKey, Data()) }
        #expect(throws: HPKE.Errors.inconsistentPSKInputs) { try sender(none, Data([1])) }
        #expect(throws: HPKE.Errors.expectedPSK) { try sender(none, Data()) }
    }

    @Test("X25519: encapsulated keys that are zero or of another length, and keys of another suite are refused")
    func refusals() throws {
        let key = Curve25519.KeyAgreement.PrivateKey()
        func recipient(_ enc: Data) throws {
            _ = try HPKE.Recipient(
                privateKey: key, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(), encapsulatedKey: enc)
        }
        #expect(throws: CryptoKitError.invalidParameter) { try recipient(Data(count: 32)) }
        for length in [0, 1, 31, 33, 65] {
            #expect(throws: CryptoKitError.incorrectKeySize) { try recipient(Data(repeating: 9, count: length)) }
        }
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data())
        }
        var sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data())
        var other = try HPKE.Recipient(
            privateKey: key, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(),
            encapsulatedKey: sender.encapsulatedKey)
        let sealed = try sender.seal(Self.message)
        for length in 0..<16 {
            #expect(throws: HPKE.Errors.ciphertextTooShort) { try other.open(sealed.prefix(length)) }
        }
        for length in 16..<sealed.count {
            #expect(throws: CryptoKitError.authenticationFailure) { try other.open(sealed.prefix(length)) }
        }
        #expect(try other.open(sealed) == Self.message, "a message that cannot be opened is not counted")
    }

    @Test("Both ends agree for every KDF and AEAD", arguments: HPKE.KDF.allCases, HPKE.AEAD.allCases)
    func everySuite(kdf: HPKE.KDF, aead: HPKE.AEAD) throws {
        let key = Curve25519.KeyAgreement.PrivateKey()
        let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: kdf, aead: aead)
        var sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Self.info)
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: suite, info: Self.info, encapsulatedKey: sender.encapsulatedKey)
        #expect(
            try sender.exportSecret(context: Self.info, outputByteCount: 100)
                == recipient.exportSecret(context: Self.info, outputByteCount: 100))
        guard aead != .exportOnly else {
            #expect(throws: HPKE.Errors.exportOnlyMode) { try recipient.open(Data(count: 99)) }
            return
        }
        for _ in 0..<3 { #expect(try recipient.open(sender.seal(Self.message)) == Self.message) }
    }
}
