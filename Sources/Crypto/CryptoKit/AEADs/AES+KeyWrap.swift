import FoundationEssentials
import HILCOpenSSL

extension AES {
    /// Wraps keys in other keys. Source: RFC 3394.
    public enum KeyWrap: Sendable {
        /// Wraps a key: 8 bytes more than it has.
        ///
        /// - Parameters:
        ///   - keyToWrap: At least 16 bytes, a multiple of 8.
        ///   - kek: 16, 24 or 32 bytes.
        /// - Throws: `CryptoKitError.incorrectKeySize` for another `kek`, `.wrapFailure` for another `keyToWrap`.
        public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data {
            let cipher = try cipher(of: kek)
            let count = keyToWrap.bytes.count
            guard count >= 16, count.isMultiple(of: 8) else { throw CryptoKitError.wrapFailure }
            guard let wrapped = try run(cipher, kek, input: keyToWrap, count: count + 8, encrypts: true) else {
                throw CryptoKitError.wrapFailure
            }
            return wrapped.withUnsafeBytes { Data($0) }
        }

        /// Unwraps a key.
        ///
        /// - Parameters:
        ///   - wrappedKey: At least 24 bytes, a multiple of 8.
        ///   - kek: 16, 24 or 32 bytes.
        /// - Throws: `CryptoKitError.incorrectKeySize` for another `kek`, `.incorrectParameterSize` for another length
        ///   of `wrappedKey`, `.unwrapFailure` if it was changed or wrapped with another key.
        public static func unwrap(_ wrappedKey: some DataProtocol, using kek: SymmetricKey) throws -> SymmetricKey {
            let cipher = try cipher(of: kek)
            let count = wrappedKey.count
            guard count >= 24, count.isMultiple(of: 8) else { throw CryptoKitError.incorrectParameterSize }
            let input = SecureBytes(gathering: wrappedKey)
            guard let key = try run(cipher, kek, input: input, count: count - 8, encrypts: false) else {
                throw CryptoKitError.unwrapFailure
            }
            return SymmetricKey(bytes: key)
        }

        private static func cipher(of kek: SymmetricKey) throws -> OpaquePointer {
            guard [128, 192, 256].contains(kek.bitCount) else { throw CryptoKitError.incorrectKeySize }
            return try check(EVP_CIPHER_fetch(nil, "AES-\(kek.bitCount)-WRAP", nil))
        }

        /// Runs the cipher over the whole input, and releases it.
        ///
        /// - Parameter count: The length of the output.
        /// - Returns: nil if the cipher refuses the input.
        private static func run(
            _ cipher: OpaquePointer, _ kek: SymmetricKey, input: some ContiguousBytes, count: Int, encrypts: Bool
        ) throws -> SecureBytes? {
            defer { EVP_CIPHER_free(cipher) }
            let context = try check(EVP_CIPHER_CTX_new())
            defer { EVP_CIPHER_CTX_free(context) }
            EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
            try check(
                kek.withUnsafeBytes {
                    EVP_CipherInit_ex2(
                        context, cipher, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, encrypts ? 1 : 0, nil
                    )
                })
            var isDone = false
            // Unwrapping writes one block more before it checks.
            let output = SecureBytes(count: count + 16) { output in
                input.withUnsafeBytes { input in
                    var written: Int32 = 0
                    let result = EVP_CipherUpdate(
                        context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                        input.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(input.count))
                    isDone = result == 1 && Int(written) == count
                }
            }
            ERR_clear_error()
            return isDone ? output.split(at: count).0 : nil
        }
    }
}
