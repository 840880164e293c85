import FoundationEssentials
import Testing

@testable import CryptoKit

/// Hash functions, key wrapping, and what only newer releases of OpenSSL have.
@Suite("Further algorithms")
struct MoreAlgorithmTests {
    @Test("SHA-3 of “abc” is as FIPS 202's examples say")
    func sha3() {
        let text = Data("abc".utf8)
        #expect(SHA3_256.hash(data: text) == hex("3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"))
        #expect(
            SHA3_384.hash(data: text)
                == hex(
                    "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"))
        #expect(
            SHA3_512.hash(data: text)
                == hex(
                    "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e39340"
                        + "57340b4cf408d5a56592f8274eec53f0"))
        var pieces = SHA3_256()
        pieces.update(data: Data("a".utf8))
        let branch = pieces
        pieces.update(data: Data("bc".utf8))
        #expect(
            pieces.finalize() == SHA3_256.hash(data: text) && branch.finalize() == SHA3_256.hash(data: Data("a".utf8)))
        #expect(SHA3_256.hash(data: text).description.hasPrefix("SHA3_256 digest: 3a98") && SHA3_512.byteCount == 64)
    }

    @Test("MD5 and SHA-1 of “abc” are as RFC 1321, A.5, and FIPS 180's examples say; their HMAC as RFC 2202, case 2")
    func insecure() {
        let (text, key) = (Data("what do ya want for nothing?".utf8), SymmetricKey(data: Data("Jefe".utf8)))
        #expect(Insecure.MD5.hash(data: Data("abc".utf8)) == hex("900150983cd24fb0d6963f7d28e17f72"))
        #expect(Insecure.SHA1.hash(data: Data("abc".utf8)) == hex("a9993e364706816aba3e25717850c26c9cd0d89d"))
        #expect(
            Data(HMAC<Insecure.MD5>.authenticationCode(for: text, using: key))
                == hex("750c783e6ab0b503eaa86e310a5db738"))
        #expect(
            Data(HMAC<Insecure.SHA1>.authenticationCode(for: text, using: key))
                == hex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
    }

    @Test("Keys are wrapped as RFC 3394, 4.1 and 4.6, say, and unwrapped")
    func keyWrap() throws {
        let bytes = Data(0..<32)
        for (kek, key, wrapped) in [
            (bytes.prefix(16), "00112233445566778899AABBCCDDEEFF", "1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5"),
            (
                bytes, "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
                "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"
            ),
        ] {
            let (kek, key) = (SymmetricKey(data: kek), SymmetricKey(data: hex(key)))
            #expect(try AES.KeyWrap.wrap(key, using: kek) == hex(wrapped))
            #expect(try AES.KeyWrap.unwrap(hex(wrapped), using: kek) == key)
            var changed = hex(wrapped)
            changed[3] ^= 1
            #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(changed, using: kek) }
        }
        let key = SymmetricKey(size: .bits256)
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try AES.KeyWrap.wrap(key, using: SymmetricKey(data: Data(count: 15)))
        }
        #expect(throws: CryptoKitError.wrapFailure) {
            try AES.KeyWrap.wrap(SymmetricKey(data: Data(count: 17)), using: key)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.KeyWrap.unwrap(Data(count: 23), using: key) }
    }

    @Test("ML-KEM-1024 recovers a secret, with an older OpenSSL as well")
    func mlKEM1024() throws {
        let key = try MLKEM1024.PrivateKey.generate()
        let read = try MLKEM1024.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        let result = try read.encapsulate()
        #expect(result.encapsulated.count == 1568)
        #expect(try key.decapsulate(result.encapsulated) == result.sharedSecret)
        let copy = try MLKEM1024.PrivateKey(integrityCheckedRepresentation: key.integrityCheckedRepresentation)
        #expect(try copy.decapsulate(result.encapsulated) == result.sharedSecret)
        #expect(throws: CryptoKitError.incorrectParameterSize) { try key.decapsulate(Data(count: 1088)) }
    }
}
