import CommonCrypto
import Foundation
import Testing

@Suite("CommonCrypto")
struct CommonCryptoTests {
    private func hex(_ text: String) -> [UInt8] {
        let digits = Array(text.filter { !$0.isWhitespace }.utf8)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }

    /// `CCCrypt`, and how many bytes it says it has moved.
    private func crypt(
        _ operation: Int, _ options: Int, by algorithm: Int = kCCAlgorithmAES, key: [UInt8], iv: [UInt8]? = nil,
        _ data: [UInt8], room: Int? = nil
    ) -> (bytes: [UInt8], status: Int, moved: Int) {
        var output = [UInt8](repeating: 0xEE, count: room ?? data.count + 16)
        var moved = -1
        let status = CCCrypt(
            CCOperation(operation), CCAlgorithm(algorithm), CCOptions(options), key, key.count, iv, data, data.count,
            &output, output.count, &moved)
        return (Array(output.prefix(status == 0 ? moved : 0)), Int(status), moved)
    }

    @Test("Digests are those of FIPS 180-4 and RFC 1321, at once and in parts; a copy of a context goes on by itself")
    func digests() {
        var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        #expect(CC_SHA256("abc", 3, &digest) != nil)
        let wanted = hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(digest == wanted)
        var (context, copy) = (CC_SHA256_CTX(), CC_SHA256_CTX())
        #expect(CC_SHA256_Init(&context) == 1)
        CC_SHA256_Update(&context, "a", 1)
        copy = context
        CC_SHA256_Update(&context, "bc", 2)
        CC_SHA256_Update(&copy, "x", 1)
        CC_SHA256_Final(&digest, &context)
        #expect(digest == wanted)
        CC_SHA256_Final(&digest, &copy)
        #expect(digest != wanted)
        var md5 = [UInt8](repeating: 0, count: Int(CC_MD5_DIGEST_LENGTH))
        CC_MD5("abc", 3, &md5)
        #expect(md5 == hex("900150983cd24fb0d6963f7d28e17f72"))
        var sha1 = [UInt8](repeating: 0, count: Int(CC_SHA1_DIGEST_LENGTH))
        CC_SHA1("abc", 3, &sha1)
        #expect(sha1 == hex("a9993e364706816aba3e25717850c26c9cd0d89d"))
    }

    @Test("HMAC is that of RFC 4231, case 2, and takes an empty key; PBKDF2 that of RFC 6070")
    func keys() {
        var code = [UInt8](repeating: 0, count: 32)
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "Jefe", 4, "what do ya want for nothing?", 28, &code)
        #expect(code == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), nil, 0, "", 0, &code)
        #expect(code == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
        var key = [UInt8](repeating: 0, count: 20)
        let status = CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), "password", 8, Array("salt".utf8), 4,
            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1), 2, &key, key.count)
        #expect(status == kCCSuccess)
        #expect(key == hex("ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"))
        #expect(
            CCKeyDerivationPBKDF(CCPBKDFAlgorithm(kCCPBKDF2), "p", 1, nil, 0, 99, 1, &key, key.count) == kCCParamError)
        var (one, other) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        #expect(CCRandomGenerateBytes(&one, 32) == kCCSuccess && CCRandomGenerateBytes(&other, 32) == kCCSuccess)
        #expect(one != other)
    }

    @Test("AES is that of NIST SP 800-38A, F.1.1 and F.2.1; a padded message comes back")
    func aes() {
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c")
        let plain = hex("6bc1bee22e409f96e93d7e117393172a")
        let iv = hex("000102030405060708090a0b0c0d0e0f")
        #expect(crypt(kCCEncrypt, kCCOptionECBMode, key: key, plain).bytes == hex("3ad77bb40d7a3660a89ecaf32466ef97"))
        #expect(crypt(kCCEncrypt, 0, key: key, iv: iv, plain).bytes == hex("7649abac8119b246cee98e9b12e9197d"))
        for count in [0, 1, 15, 16, 17, 100] {
            let message = (0..<count).map { UInt8($0) }
            let sealed = crypt(kCCEncrypt, kCCOptionPKCS7Padding, key: key, iv: iv, message)
            #expect(sealed.bytes.count == (count / 16 + 1) * 16)
            #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, key: key, iv: iv, sealed.bytes).bytes == message)
        }
        // Without a vector it is zeros.
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(crypt(kCCEncrypt, 0, key: key, plain).bytes == crypt(kCCEncrypt, 0, key: key, iv: zeros, plain).bytes)
    }

    @Test("What cannot be done has Apple's codes")
    func refusals() {
        let key = [UInt8](repeating: 1, count: 16)
        let block = [UInt8](repeating: 7, count: 16)
        #expect(crypt(kCCEncrypt, 0, key: Array(key.prefix(15)), block).status == kCCKeySizeError)
        #expect(crypt(kCCEncrypt, 0, key: key, Array(block.prefix(9))).status == kCCAlignmentError)
        let small = crypt(kCCEncrypt, kCCOptionPKCS7Padding, key: key, block, room: 16)
        #expect(small.status == kCCBufferTooSmall && small.moved == 32)
        #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, key: key, block).status == kCCDecodeError)
        #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, key: key, Array(block.prefix(9))).status == kCCAlignmentError)
        #expect(crypt(kCCEncrypt, 0, by: kCCAlgorithmRC4, key: key, block).status == kCCUnimplemented)
        #expect(crypt(7, 0, key: key, block).status == kCCParamError)
    }

    @Test("3DES comes back")
    func tripleDES() {
        let key = (0..<24).map { UInt8($0) }
        let sealed = crypt(kCCEncrypt, kCCOptionPKCS7Padding, by: kCCAlgorithm3DES, key: key, [1, 2, 3]).bytes
        #expect(sealed.count == 8)
        #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, by: kCCAlgorithm3DES, key: key, sealed).bytes == [1, 2, 3])
    }

    @Test("A counter mode is a stream, in parts of any length (NIST SP 800-38A, F.5.1)")
    func counter() {
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c")
        let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        var reference: CCCryptorRef?
        let status = CCCryptorCreateWithMode(
            CCOperation(kCCEncrypt), CCMode(kCCModeCTR), CCAlgorithm(kCCAlgorithmAES), CCPadding(ccNoPadding),
            hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), key, key.count, nil, 0, 0, CCModeOptions(kCCModeOptionCTR_BE),
            &reference)
        #expect(status == kCCSuccess)
        var sealed: [UInt8] = []
        for part in [plain.prefix(1), plain[1..<20], plain[20...]] {
            var (output, moved) = ([UInt8](repeating: 0, count: part.count), 0)
            #expect(CCCryptorUpdate(reference, Array(part), part.count, &output, output.count, &moved) == kCCSuccess)
            sealed += output.prefix(moved)
        }
        #expect(sealed == hex("874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"))
        var moved = -1
        #expect(CCCryptorFinal(reference, nil, 0, &moved) == kCCSuccess && moved == 0)
        CCCryptorRelease(reference)
    }

    @Test("A padded cipher in parts gives what it gives at once")
    func parts() {
        let (key, message) = ((0..<32).map { UInt8($0) }, (0..<77).map { UInt8($0) })
        var reference: CCCryptorRef?
        #expect(
            CCCryptorCreate(
                CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding), key, key.count,
                nil, &reference) == kCCSuccess)
        #expect(CCCryptorGetOutputLength(reference, message.count, true) == 80)
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: message.count, by: 10) {
            let part = Array(message[start..<min(start + 10, message.count)])
            var (output, moved) = ([UInt8](repeating: 0, count: 32), 0)
            #expect(CCCryptorUpdate(reference, part, part.count, &output, output.count, &moved) == kCCSuccess)
            sealed += output.prefix(moved)
        }
        var (output, moved) = ([UInt8](repeating: 0, count: 16), 0)
        #expect(CCCryptorFinal(reference, &output, 15, &moved) == kCCBufferTooSmall)
        #expect(CCCryptorFinal(reference, &output, 16, &moved) == kCCSuccess)
        sealed += output.prefix(moved)
        CCCryptorRelease(reference)
        #expect(sealed == crypt(kCCEncrypt, kCCOptionPKCS7Padding, key: key, message).bytes)
        #expect(CCCryptorUpdate(nil, message, 1, &output, 16, &moved) == kCCParamError)
    }
}
