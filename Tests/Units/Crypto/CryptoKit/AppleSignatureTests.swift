import CryptoKit
import Foundation
import Testing

/// Code of an app that uses only Apple's names. Part of the test is that it compiles.
@Suite struct AppleSignatures {
    /// A key agreement with any type of key.
    private func agree<Key: DiffieHellmanKeyAgreement>(_ one: Key, _ other: Key) throws -> SymmetricKey {
        try one.sharedSecretFromKeyAgreement(with: other.publicKey).hkdfDerivedSymmetricKey(
            using: SHA512.self, salt: [UInt8](), sharedInfo: Data("app".utf8), outputByteCount: 32)
    }

    @Test func keyAgreement() throws {
        let one = P256.KeyAgreement.PrivateKey(), other = P256.KeyAgreement.PrivateKey(compactRepresentable: false)
        #expect(try agree(one, other) == agree(other, one))
        let third = Curve25519.KeyAgreement.PrivateKey(), fourth = Curve25519.KeyAgreement.PrivateKey()
        #expect(try agree(third, fourth) == agree(fourth, third))
        #expect(
            try one.sharedSecretFromKeyAgreement(with: other.publicKey)
                .x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: Data(), outputByteCount: 16).bitCount == 128)
    }

    /// The four modes of HPKE with any type of key.
    private func exchange<Key: HPKEDiffieHellmanPrivateKeyGeneration>(
        _ suite: HPKE.Ciphersuite, _: Key.Type
    ) throws where Key.PublicKey.EphemeralPrivateKey == Key {
        let (sender, recipient) = (Key(), Key())
        let info = Data("info".utf8)
        let (psk, pskID) = (SymmetricKey(size: .bits256), Data("id".utf8))
        let senders: [HPKE.Sender] = [
            try .init(recipientKey: recipient.publicKey, ciphersuite: suite, info: info),
            try .init(
                recipientKey: recipient.publicKey, ciphersuite: suite, info: info, presharedKey: psk,
                presharedKeyIdentifier: pskID),
            try .init(
                recipientKey: recipient.publicKey, ciphersuite: suite, info: info, authenticatedBy: sender),
            try .init(
                recipientKey: recipient.publicKey, ciphersuite: suite, info: info, authenticatedBy: sender,
                presharedKey: psk, presharedKeyIdentifier: pskID),
        ]
        let keys = senders.map(\.encapsulatedKey)
        let recipients: [HPKE.Recipient] = [
            try .init(privateKey: recipient, ciphersuite: suite, info: info, encapsulatedKey: keys[0]),
            try .init(
                privateKey: recipient, ciphersuite: suite, info: info, encapsulatedKey: keys[1], presharedKey: psk,
                presharedKeyIdentifier: pskID),
            try .init(
                privateKey: recipient, ciphersuite: suite, info: info, encapsulatedKey: keys[2],
                authenticatedBy: sender.publicKey),
            try .init(
                privateKey: recipient, ciphersuite: suite, info: info, encapsulatedKey: keys[3],
                authenticatedBy: sender.publicKey, presharedKey: psk, presharedKeyIdentifier: pskID),
        ]
        for (var sender, var recipient) in zip(senders, recipients) {
            #expect(
                try recipient.open(sender.seal([1, 2, 3], authenticating: [4]), authenticating: [4]) == Data([1, 2, 3]))
            #expect(try recipient.open(sender.seal(Data())) == Data())
            #expect(
                try sender.exportSecret(context: [5], outputByteCount: 16)
                    == recipient.exportSecret(context: [5], outputByteCount: 16))
        }
    }

    @Test func hybridEncryption() throws {
        try exchange(.P256_SHA256_AES_GCM_256, P256.KeyAgreement.PrivateKey.self)
        try exchange(.Curve25519_SHA256_ChachaPoly, Curve25519.KeyAgreement.PrivateKey.self)
    }

    /// A key encapsulation with any type of key.
    private func encapsulate<Key: KEMPrivateKey>(_: Key.Type) throws -> Bool {
        let key = try Key.generate()
        let result: KEM.EncapsulationResult = try key.publicKey.encapsulate()
        return try key.decapsulate(result.encapsulated) == result.sharedSecret
    }

    @Test func encapsulation() throws {
        #expect(try encapsulate(MLKEM768.PrivateKey.self))
        #expect(try encapsulate(XWingMLKEM768X25519.PrivateKey.self))
        let key = try MLKEM768.PrivateKey()
        let again = try MLKEM768.PrivateKey(seedRepresentation: key.seedRepresentation, publicKey: key.publicKey)
        #expect(again.integrityCheckedRepresentation == key.integrityCheckedRepresentation)
        let hybrid = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: Array(0..<32), publicKey: nil)
        #expect(
            try XWingMLKEM768X25519.PublicKey(rawRepresentation: Array(hybrid.publicKey.rawRepresentation))
                .rawRepresentation == hybrid.publicKey.rawRepresentation)
    }

    @Test func sealing() throws {
        let key = SymmetricKey(data: SHA256.hash(data: Data("password".utf8)))
        let box = try AES.GCM.seal([1, 2, 3], using: key, nonce: AES.GCM.Nonce(), authenticating: [4])
        let combined = try #require(box.combined)
        #expect(
            try AES.GCM.open(AES.GCM.SealedBox(combined: Array(combined)), using: key, authenticating: [4]).count == 3)
        let other: ChaChaPoly.SealedBox = try ChaChaPoly.seal([1, 2, 3], using: key)
        #expect(try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: other.combined), using: key) == Data([1, 2, 3]))
    }

    /// Names every case: a switch over Apple's cases must be exhaustive here too.
    @Test func errors() {
        func name(_ error: CryptoKitError) -> String {
            switch error {
            case .incorrectKeySize, .incorrectParameterSize: "size"
            case .authenticationFailure: "authentication"
            case .underlyingCoreCryptoError(error: let code): "core \(code)"
            case .wrapFailure, .unwrapFailure: "wrap"
            case .invalidParameter: "parameter"
            @unknown default: "unknown"
            }
        }
        #expect(name(.underlyingCoreCryptoError(error: 7)) == "core 7")
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: Data(count: 11)) }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) {
            try P256.KeyAgreement.PublicKey(pemRepresentation: "none")
        }
    }
}
