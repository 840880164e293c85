import FoundationEssentials
import Testing

@testable import CryptoKit

/// More known answers from standards: other lengths, other hash functions, ChaCha20-Poly1305.
@Suite struct FurtherAnswers {
    /// FIPS 180-2, appendix C.1 and C.2.
    @Test func sha512() {
        #expect(
            SHA512.hash(data: Data("abc".utf8))
                == hex(
                    """
                    ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                    2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                    """))
        var pieces = SHA512()
        let whole =
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
        for piece in [whole.prefix(50), whole.dropFirst(50)] { pieces.update(data: Data(piece.utf8)) }
        #expect(
            pieces.finalize()
                == hex(
                    """
                    8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018
                    501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909
                    """))
    }

    /// RFC 4231, test case 2.
    @Test func hmac() {
        let key = SymmetricKey(data: Data("Jefe".utf8))
        let message = Data("what do ya want for nothing?".utf8)
        #expect(
            HMAC<SHA384>.authenticationCode(for: message, using: key)
                == hex(
                    """
                    af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47
                    e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649
                    """))
        let code = HMAC<SHA512>.authenticationCode(for: message, using: key)
        #expect(
            Data(code)
                == hex(
                    """
                    164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                    9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                    """))
        #expect(HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: message, using: key))
        // The code tells the hash function.
        #expect(HMAC.isValidAuthenticationCode(code, authenticating: message, using: key))
        #expect(!HMAC.isValidAuthenticationCode(code, authenticating: message.dropLast(), using: key))
        #expect(message.withUnsafeBytes { HMAC.isValidAuthenticationCode(code, authenticating: $0, using: key) })
        #expect(!HMAC<SHA512>.isValidAuthenticationCode(Data(code).dropLast(), authenticating: message, using: key))
        #expect(!HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: message.dropLast(), using: key))
    }

    /// RFC 5869, appendix A.2: every input longer than a block of SHA-256.
    @Test func hkdf() {
        let input = SymmetricKey(data: Data(0..<80))
        let (salt, info) = (Data(0x60..<0xb0), Data(0xb0...0xff))
        let key = hex(
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
            da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """)
        #expect(
            HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: 82).data == key)
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: input, salt: salt)
        #expect(extracted == hex("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244"))
        #expect(HKDF<SHA256>.expand(pseudoRandomKey: extracted, info: info, outputByteCount: 82).data == key)
    }

    /// NIST CAVP, ANSI X9.63-2001 key derivation, SHA-256: without shared info, and with it, over four blocks.
    @Test func x963KeyDerivation() throws {
        let short = SharedSecret(
            bytes: SecureBytes(copying: hex("96c05619d56c328ab95fe84b18264b08725b85e33fd34f08")))
        #expect(
            short.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: Data(), outputByteCount: 16).data
                == hex("443024c3dae66b95e6f5670601558f71"))
        let long = SharedSecret(
            bytes: SecureBytes(copying: hex("22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d")))
        #expect(
            long.x963DerivedSymmetricKey(
                using: SHA256.self, sharedInfo: hex("75eef81aa3041e33b80971203d2c0c52"), outputByteCount: 128
            ).data
                == hex(
                    """
                    c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e52a13d9c7c6fc878c50c5ea0bc7b00e0
                    da2447cfd874f6cf92f30d0097111485500c90c3af8b487872d04685d14c8d1dc8d7fa08beb0ce0ababc11f0bd496269
                    142d43525a78e5bc79a17f59676a5706dc54d54d4d1f0bd7e386128ec26afc21
                    """))
    }

    /// RFC 8439, section 2.8.2.
    @Test func chaChaPoly() throws {
        let key = SymmetricKey(data: Data(0x80...0x9f))
        let nonce = try ChaChaPoly.Nonce(data: hex("070000004041424344454647"))
        let message = Data(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8)
        let data = hex("50515253c0c1c2c3c4c5c6c7")
        // Twice, because the second time uses the stored schedule of the key.
        for _ in 0..<2 {
            let box = try ChaChaPoly.seal(message, using: key, nonce: nonce, authenticating: data)
            #expect(
                box.ciphertext
                    == hex(
                        """
                        d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b
                        1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
                        3ff4def08e4b7a9de576d26586cec64b6116
                        """))
            #expect(box.tag == hex("1ae10b594f09e26a7e902ecbd0600691"))
            #expect(Data(box.nonce) == hex("070000004041424344454647"))
            #expect(try ChaChaPoly.open(box, using: key, authenticating: data) == message)
        }
    }

    /// McGrew and Viega, test cases 6, 12 and 18: a nonce of 60 bytes, a key of every length.
    @Test(arguments: [
        (
            "feffe9928665731c6d6a8f9467308308",
            """
            8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6f
            d62875d2aca417034c34aee5
            """, "619cc5aefffe0bfa462af43c1699d050"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c",
            """
            d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e4581e79012af34ddd9e2f037589b292db3
            e67c036745fa22e7e9b7373b
            """, "dcf566ff291c25bbb8568fc3d376a6d9"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            """
            5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf40fc0c3b780f244452da3ebf1c5d82cde
            a2418997200ef82e44ae7e3f
            """, "a44a8266ee1c8eb0c8b5d4cf5ae9f19a"
        ),
    ])
    func longNonce(key: String, ciphertext: String, tag: String) throws {
        let nonce = try AES.GCM.Nonce(
            data: hex(
                """
                9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254
                16aedbf5a0de6a57a637b39b
                """))
        let message = hex(
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525
            b16aedf5aa0de657ba637b39
            """)
        let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let key = SymmetricKey(data: hex(key))
        let box = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: data)
        #expect(box.ciphertext == hex(ciphertext))
        #expect(box.tag == hex(tag))
        #expect(box.combined == nil, "the combined form exists only for a nonce of 12 bytes")
        #expect(Data(box.nonce) == Data(nonce))
        let rejoined = try AES.GCM.SealedBox(nonce: box.nonce, ciphertext: box.ciphertext, tag: box.tag)
        #expect(try AES.GCM.open(rejoined, using: key, authenticating: data) == message)
        // The key's schedule works afterwards with a nonce of another length, and with this one again.
        let short = try AES.GCM.seal(message, using: key)
        #expect(try AES.GCM.open(short, using: key) == message)
        #expect(try AES.GCM.open(rejoined, using: key, authenticating: data) == message)
    }

    /// Wycheproof, `aes_gcm_test.json`, tests 268, 272 and 276: a nonce of 257 bytes, a key of every length.
    @Test(
        "A nonce of more than 128 bytes works, as in Apple's CryptoKit",
        arguments: [
            (
                "eac3f28cd937ff29eb6158a3721b5145",
                """
                6fd260bba87339539c37dc68fdc3656f63c83028cb8adcb531085e98bd570c6b735d0cc4b4b924696000a2d893621ae6
                4dcce992b562b89a5285643a08febccbc52243cbfc8d45212e047b00c87c6b6bf175f8bb678ec55c1091315cbecb8b85
                700f4a4653623fb78e63cfff7d6235e48e9832c9f0716d10992fc5b0ad4e6972bbeeb1ad670cd7ec8fac82e07ea5a64f
                9761a39714aaa73affd2cb190a7ac2df5e5dcea6812ae2c872c7ac70453c5e7ec4d0b5b18c6ff3bfb9ae15fea44cf392
                615b80034edae596b8821f97fca58d167fb44a093b0c009a0bd5631355b0cb25d93ba9b79b006301d99db657e801933f
                c2764a0ce650eaf5a1299efe60cb53b634
                """, "098912a302773377b9c26ac3",
                "e3be947153a26a3a54e3015c", "fd042bdde22f67c4fd298d5dc0867606"
            ),
            (
                "f795ece7de1881fbc6843eb740f812e41e3fc49ff6c7b940",
                """
                3569fca7c9d06e2a03fed1aac2484fd4416ca07d55ecbb333ec674f0ea5c6e75a10dfb9c738b69dab2eda10ada721a61
                c7f02b7e7f79e8a9e2dc36b3fdf609e436054c82a774ec617dceec84a577037ff1a3f120d9818d042063acb36c9584e8
                1ec94f11f1ee240f2e45e944694a9c8e535acbb01d93958411cff68e3d32f8931746a4a0cece65e93c51c70b3111034b
                6867b407e0147f97c576d3ed8cec7e8ec26e95643e46e97ea3595c9c3172b4856f2d2b6dc8564666ddac92c794ffb2d4
                dc7f461761f0e326650f48d327604e095bd8754072116c96360d09f010ac2f39eb96b227f3d738deb756c8699460d88c
                f716170ae15267b14f4a89164720f1c602
                """, "22dbd8037aa05b14cf81dd23",
                "13a95a06c1bed4845af9c701", "03379836b0c82f64a1bccdcd763acbbc"
            ),
            (
                "3bc3bf39d0d5ffd94cca2b45c678a2d049151ed2babc713be53cb66f54a16337",
                """
                92c2cee7e9138b186da51f146fb21fd5b491f1a19eef61d4ed14ce6b21b04fdb6ff8ebb60fddc55926e7bda2a8f35c61
                0bb795232412739d6c2d74458ef5a1a1cde9bf17e47e3b00db0b0504d56dc8b8d3de23f7c3a5d52e8d0aab1e64405aaa
                852ec2dd667ed9c1fd8dc1fdbbc8712c7a38f30faeab594f33897b41b1720f3c2f954ed91ca450d82c3dcd35858c608a
                d42f36832e56b04821a132f72e0da7b62cbd3925250f64fbb3f5c4783495893097adc09a32d776e04bf72558d37830b3
                72341f6536d8ee9df4a82e4074e7774ab6917a04fa8c499eb4b46a92def365da8b5eb1e0b438779507d1f5272a6e8629
                a3f9c7bd4862c5691ee8b56bfe292deb4e
                """, "8125ee7637d7d0e03bbacf35",
                "5496ae94c3322ebf959ea9a9", "70717cc00fd1ffa59bb04329226a0c0a"
            ),
        ])
    func veryLongNonce(key: String, nonce: String, message: String, ciphertext: String, tag: String) throws {
        let (key, nonce) = (SymmetricKey(data: hex(key)), try AES.GCM.Nonce(data: hex(nonce)))
        #expect(Data(nonce).count == 257)
        let box = try AES.GCM.seal(hex(message), using: key, nonce: nonce)
        #expect(box.ciphertext == hex(ciphertext))
        #expect(box.tag == hex(tag))
        #expect(Data(box.nonce) == Data(nonce))
        let rejoined = try AES.GCM.SealedBox(nonce: nonce, ciphertext: box.ciphertext, tag: box.tag)
        #expect(try AES.GCM.open(rejoined, using: key) == hex(message))
        var other = Data(nonce)
        other[200] ^= 1
        let wrong = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: other), ciphertext: box.ciphertext, tag: box.tag)
        #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(wrong, using: key) }
    }

    @Test("Digests, codes and secrets print as in Apple's CryptoKit")
    func descriptions() throws {
        #expect(
            "\(SHA256.hash(data: Data("abc".utf8)))"
                == "SHA256 digest: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("what do ya want for nothing?".utf8), using: SymmetricKey(data: Data("Jefe".utf8)))
        #expect("\(code)" == "HMAC with SHA256: 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let secret = SharedSecret(bytes: SecureBytes(copying: hex("00ff10")))
        #expect("\(secret)" == "SharedSecret: 00ff10")
        #expect(secret == hex("00ff10"))
        #expect(!(secret == hex("00ff11")))
    }
}
