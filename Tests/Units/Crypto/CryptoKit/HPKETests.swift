import FoundationEssentials
import Testing

@testable import CryptoKit

@Suite struct HPKETests {
    /// RFC 9180, appendix A.3.1: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode.
    @Test func appendixA3() throws {
        let suite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_128)
        var (sender, recipient) = try ends(
            suite: suite, info: hex("4f6465206f6e2061204772656369616e2055726e"),
            recipientKey: hex("f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2"),
            ephemeralKey: hex("4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb"))
        #expect(
            sender.encapsulatedKey
                == hex(
                    """
                    04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900
                    be863c403ce65c9bfcb9382657222d18c4
                    """))
        let message = Data("Beauty is truth, truth beauty".utf8)
        let sealed = try sender.seal(message, authenticating: Data("Count-0".utf8))
        #expect(
            sealed == hex("5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434"))
        #expect(try recipient.open(sealed, authenticating: Data("Count-0".utf8)) == message)
        let second = try sender.seal(message, authenticating: Data("Count-1".utf8))
        #expect(
            second == hex("fa6f037b47fc21826b610172ca9637e82d6e5801eb31cbd3748271affd4ecb06646e0329cbdf3c3cd655b28e82"))
        #expect(try recipient.open(second, authenticating: Data("Count-1".utf8)) == message)
        #expect(
            try sender.exportSecret(context: Data("TestContext".utf8), outputByteCount: 32).data
                == hex("d8f1ea7942adbba7412c6d431c62d01371ea476b823eb697e1f6e6cae1dab85a"))
    }

    /// CFRG's vectors for the cipher suite of the accessory's key exchange (kem 16, kdf 1, aead 2), base mode.
    @Test func suiteOfTheKeyExchange() throws {
        var (sender, recipient) = try ends(
            suite: .P256_SHA256_AES_GCM_256, info: hex("4f6465206f6e2061204772656369616e2055726e"),
            recipientKey: hex("317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2"),
            ephemeralKey: hex("90345e3a1d116c1dd39ae76d95ab858c142223a63e44f8f85318cfa91a84858e"))
        let sealed = try sender.seal(
            hex("4265617574792069732074727574682c20747275746820626561757479"), authenticating: hex("436f756e742d30"))
        #expect(
            sealed == hex("58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f"))
        #expect(try recipient.open(sealed, authenticating: hex("436f756e742d30")).count == 29)
        for (context, value) in [
            ("", "7a4c2b89e1909fb0e3ca42d5040f4c2d8346dc0643d787b8474e804f8f72798e"),
            ("00", "3ca0e7e10b601a32edd2f91c49bac766892c52bde2df01a6126320c6e6eb8af1"),
            ("54657374436f6e74657874", "76c6b4f404990ae362be3efe0d60d9669d87017f9dfe33b8c2ed9fd31d295182"),
        ] {
            #expect(try sender.exportSecret(context: hex(context), outputByteCount: 32).data == hex(value))
            #expect(try recipient.exportSecret(context: hex(context), outputByteCount: 32).data == hex(value))
        }
    }

    private func ends(
        suite: HPKE.Ciphersuite, info: Data, recipientKey: Data, ephemeralKey: Data
    ) throws -> (HPKE.Sender, HPKE.Recipient) {
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: recipientKey)
        let sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: suite, info: info,
            ephemeral: P256.KeyAgreement.PrivateKey(rawRepresentation: ephemeralKey))
        let recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: sender.encapsulatedKey)
        return (sender, recipient)
    }

    @Test("Another key, another info or a changed encapsulated key never gives the same secret")
    func mismatches() throws {
        let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
        let key = P256.KeyAgreement.PrivateKey()
        let info = Data("P256-Version1-A".utf8)
        let sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: info)
        let secret = try sender.exportSecret(context: Data("c".utf8), outputByteCount: 32)
        func exported(_ key: P256.KeyAgreement.PrivateKey, _ info: Data, _ encapsulated: Data) throws -> SymmetricKey {
            try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: encapsulated)
                .exportSecret(context: Data("c".utf8), outputByteCount: 32)
        }
        #expect(try exported(key, info, sender.encapsulatedKey) == secret)
        #expect(try exported(.init(), info, sender.encapsulatedKey) != secret)
        #expect(try exported(key, Data("P256-Version1-B".utf8), sender.encapsulatedKey) != secret)
        for bit in 0..<(65 * 8) {
            var altered = sender.encapsulatedKey
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            // The first byte is the form of the point, not a coordinate.
            #expect(throws: bit < 8 ? CryptoKitError.incorrectKeySize : PrimeCurve.invalid, "bit \(bit)") {
                try exported(key, info, altered)
            }
        }
        for length in [0, 1, 33, 64, 66] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try exported(key, info, Data(repeating: 4, count: length))
            }
        }
    }

    @Test("An export-only suite exports but cannot seal; too long an export is an error, not a trap")
    func exportOnly() throws {
        let suite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .exportOnly)
        let key = P256.KeyAgreement.PrivateKey()
        var sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
        #expect(try sender.exportSecret(context: Data(), outputByteCount: 32).bitCount == 256)
        #expect(throws: HPKE.Errors.exportOnlyMode) { try sender.seal(Data([1])) }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try sender.exportSecret(context: Data(), outputByteCount: 255 * 32 + 1)
        }
    }
}
