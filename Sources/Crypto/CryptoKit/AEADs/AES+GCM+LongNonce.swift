import FoundationEssentials
import HILCOpenSSL

/// Nonces that are too long for OpenSSL. NIST allows up to 2⁶⁴ − 1 bits.
///
/// AES-GCM hashes every nonce that does not have 12 bytes to a first counter block of 16 bytes. So for each nonce there
/// is one of 16 bytes that is hashed to the same block; the two give the same ciphertext and the same tag. Source: NIST
/// SP 800-38D, 6.3, 6.4 and 7.1.
extension AES.GCM {
    /// The longest nonce that OpenSSL takes, in bytes (`GCM_IV_MAX_SIZE`).
    static let longestNonceOfOpenSSL = 128

    /// The nonce of 16 bytes that is equivalent to `nonce` under this key.
    static func shortened(_ nonce: UnsafeRawBufferPointer, _ key: SymmetricKey) throws -> SecureBytes {
        let hashKey = try hashKey(of: key)
        var counter: UInt128 = 0
        for start in stride(from: 0, to: nonce.count, by: blockByteCount) {
            let block = nonce[start..<min(start + blockByteCount, nonce.count)]
            // The last block is filled up with zeros.
            let bits = block.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            counter = product(counter ^ bits << UInt128(8 * (blockByteCount - block.count)), hashKey)
        }
        counter = product(counter ^ UInt128(nonce.count) * 8, hashKey)

        // The same for the one block of the shorter nonce, backwards.
        let inverse = inverse(of: hashKey)
        let short = product(product(counter, inverse) ^ UInt128(blockByteCount) * 8, inverse)
        return SecureBytes(count: blockByteCount) { $0.storeBytes(of: short.bigEndian, as: UInt128.self) }
    }

    /// The length of a block of AES in bytes.
    private static let blockByteCount = 16

    /// The key of the hash: a block of zeros, encrypted. All numbers have their first bit as the most significant one.
    private static func hashKey(of key: SymmetricKey) throws -> UInt128 {
        let name: String
        switch key.bytes.count {
        case 16: name = "AES-128-ECB"
        case 24: name = "AES-192-ECB"
        case 32: name = "AES-256-ECB"
        default: throw CryptoKitError.incorrectKeySize
        }
        let cipher = try check(EVP_CIPHER_fetch(nil, name, nil))
        defer { EVP_CIPHER_free(cipher) }
        let context = try check(EVP_CIPHER_CTX_new())
        defer { EVP_CIPHER_CTX_free(context) }
        try check(
            key.withUnsafeBytes {
                EVP_EncryptInit_ex2(context, cipher, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil)
            })
        try check(EVP_CIPHER_CTX_set_padding(context, 0))
        let zeros = [UInt8](repeating: 0, count: blockByteCount)
        let block = try SecureBytes(count: blockByteCount) { block in
            var written: Int32 = 0
            try check(
                EVP_EncryptUpdate(
                    context, block.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, zeros,
                    Int32(blockByteCount)))
        }
        return block.withUnsafeBytes { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    }

    /// The product in the field of 2¹²⁸ elements (6.3). The same operations are done for all operands.
    private static func product(_ x: UInt128, _ y: UInt128) -> UInt128 {
        let polynomial: UInt128 = 0xE1 << 120
        var (sum, multiple): (UInt128, UInt128) = (0, y)
        for bit in (0..<128).reversed() {
            sum ^= multiple & (0 &- (x >> UInt128(bit) & 1))
            multiple = multiple >> 1 ^ (polynomial & (0 &- (multiple & 1)))
        }
        return sum
    }

    /// The number whose product with `x` is one: `x` to the power of 2¹²⁸ − 2.
    private static func inverse(of x: UInt128) -> UInt128 {
        var (square, result): (UInt128, UInt128) = (x, 1 << 127)
        for _ in 1..<128 {
            square = product(square, square)
            result = product(result, square)
        }
        return result
    }
}
