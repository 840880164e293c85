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
