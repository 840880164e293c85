import FoundationEssentials
import Testing

@testable import CryptoKit

/// Known answers from the standards themselves, so that these tests need no other files.
@Suite struct KnownAnswers {
    /// FIPS 180-2, appendix B.1 and B.2.
    @Test func sha256() {
        #expect(
            SHA256.hash(data: Data("abc".utf8)).data
                == hex("ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"))
        var pieces = SHA256()
        pieces.update(data: Data("abcdbcdecdefdefgefghfghighij".utf8))
        let early = pieces
        pieces.update(data: Data("hijkijkljklmklmnlmnomnopnopq".utf8))
        #expect(
            pieces.finalize().data
                == hex("248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"))
        #expect(
            early.finalize() == SHA256.hash(data: Data("abcdbcdecdefdefgefghfghighij".utf8)),
            "a copy is not changed by input to the original")
    }

    /// FIPS 180-2, appendix D.1 and D.2.
    @Test func sha384() {
        #expect(
            SHA384.hash(data: Data("abc".utf8)).data
                == hex(
                    "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"))
        var pieces = SHA384()
        let whole =
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
        for piece in [whole.prefix(50), whole.dropFirst(50)] { pieces.update(data: Data(piece.utf8)) }
        #expect(
            pieces.finalize().data
                == hex(
                    "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"))
    }

    /// RFC 4231, test cases 2 (a short key) and 6 (a key longer than a block).
    @Test func hmac() {
        let short = HMAC<SHA256>.authenticationCode(
            for: Data("what do ya want for nothing?".utf8), using: SymmetricKey(data: Data("Jefe".utf8)))
        #expect(short.data == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        let long = HMAC<SHA256>.authenticationCode(
            for: Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            using: SymmetricKey(data: Data(repeating: 0xaa, count: 131)))
        #expect(long.data == hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
    }

    /// RFC 5869, appendix A.1 and A.3 (empty salt and info).
    @Test func hkdf() {
        let input = SymmetricKey(data: Data(repeating: 0x0b, count: 22))
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: hex("000102030405060708090a0b0c"), info: hex("f0f1f2f3f4f5f6f7f8f9"),
            outputByteCount: 42)
        #expect(
            derived.data
                == hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        #expect(
            HKDF<SHA256>.deriveKey(inputKeyMaterial: input, outputByteCount: 42).data
                == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    /// McGrew and Viega, "The Galois/Counter Mode of Operation", test case 16: AES-256, 60 bytes, 20 bytes of data.
    @Test func aesGCM() throws {
        let key = SymmetricKey(data: hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        let nonce = try AES.GCM.Nonce(data: hex("cafebabefacedbaddecaf888"))
        let message = hex(
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525
            b16aedf5aa0de657ba637b39
            """)
        let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let box = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: data)
        #expect(
            box.ciphertext
                == hex(
                    """
                    522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838
                    c5f61e6393ba7a0abcc9f662
                    """))
        #expect(box.tag == hex("76fc6ece0f4e1768cddf8853bb2d551b"))
        #expect(try AES.GCM.open(box, using: key, authenticating: data) == message)
    }

    /// RFC 5903, section 8.1: both ends of a key agreement on P-256.
    @Test func ecdh() throws {
        let one = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: hex("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433"))
        let other = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: hex("c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53"))
        #expect(
            one.publicKey.rawRepresentation
                == hex(
                    """
                    dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180
                    5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3
                    """))
        let secret = hex("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")
        #expect(try one.sharedSecretFromKeyAgreement(with: other.publicKey).data == secret)
        #expect(try other.sharedSecretFromKeyAgreement(with: one.publicKey).data == secret)
    }
}
