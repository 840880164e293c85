import HILCOpenSSL

/// Parts of AES that Apple's CryptoKit does not show, for protocols that are built on single blocks.
extension AES {
    /// Encrypts one block. Source: FIPS 197.
    ///
    /// - Parameters:
    ///   - block: 16 bytes.
    ///   - key: 16 bytes.
    package static func encrypt(block: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(block.count == 16 && key.count == 16, "AES-128 has blocks and keys of 16 bytes")
        var output = [UInt8](repeating: 0, count: 32)
        var written: Int32 = 0
        guard let context = EVP_CIPHER_CTX_new() else { fatalError("OpenSSL has no memory for a cipher") }
        defer { EVP_CIPHER_CTX_free(context) }
        let isDone =
            EVP_EncryptInit_ex2(context, EVP_aes_128_ecb(), key, nil, nil) == 1
            && EVP_EncryptUpdate(context, &output, &written, block, 16) == 1 && written == 16
        precondition(isDone, "OpenSSL has no AES-128")
        return Array(output.prefix(16))
    }

    /// The authentication code of a message by AES-128. Source: RFC 4493.
    ///
    /// - Parameter key: 16 bytes.
    /// - Returns: 16 bytes.
    package static func cmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        // The subkeys for a last block that is whole, and for one that is padded (2.3).
        let whole = doubled(encrypt(block: [UInt8](repeating: 0, count: 16), key: key))
        let padded = doubled(whole)
        let isWhole = !message.isEmpty && message.count.isMultiple(of: 16)
        var bytes = message
        if !isWhole {
            bytes.append(0x80)
            bytes += [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
        }
        var code = [UInt8](repeating: 0, count: 16)
        for start in stride(from: 0, to: bytes.count, by: 16) {
            var block = zip(code, bytes[start..<start + 16]).map { $0 ^ $1 }
            if start + 16 == bytes.count { block = zip(block, isWhole ? whole : padded).map { $0 ^ $1 } }
            code = encrypt(block: block, key: key)
        }
        return code
    }

    /// A block times x in the field of AES-CMAC, without a branch on its bits.
    private static func doubled(_ block: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: 16)
        for index in 0..<15 { output[index] = block[index] << 1 | block[index + 1] >> 7 }
        output[15] = block[15] << 1 ^ 0x87 & (0 &- block[0] >> 7)
        return output
    }
}
