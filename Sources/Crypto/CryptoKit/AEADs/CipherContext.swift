import COpenSSL
import FoundationEssentials

/// One AES-GCM operation in OpenSSL; its key schedule is wiped when it is released.
struct CipherContext: ~Copyable {
    private let context: OpaquePointer

    private init() throws {
        context = try check(EVP_CIPHER_CTX_new())
    }

    /// An encryption under `key` with `nonce`.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 16, 24 or 32 bytes.
    static func encryption(key: SymmetricKey, nonce: AES.GCM.Nonce) throws -> CipherContext {
        let context = try CipherContext()
        try context.start(key: key, nonce: nonce, direction: 1)
        return context
    }

    /// A decryption under `key` with `nonce`.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 16, 24 or 32 bytes.
    static func decryption(key: SymmetricKey, nonce: AES.GCM.Nonce) throws -> CipherContext {
        let context = try CipherContext()
        try context.start(key: key, nonce: nonce, direction: 0)
        return context
    }

    private func start(key: SymmetricKey, nonce: AES.GCM.Nonce, direction: Int32) throws {
        let cipher: OpaquePointer? =
            switch key.bytes.count {
            case 16: Self.aes128
            case 24: Self.aes192
            case 32: Self.aes256
            default: throw CryptoKitError.incorrectKeySize
            }
        if nonce.bytes.count != AES.GCM.nonceByteCount {
            try check(EVP_CipherInit_ex2(context, cipher, nil, nil, direction, nil))
            try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.bytes.count), nil))
        }
        try key.withUnsafeBytes { key in
            let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try check(EVP_CipherInit_ex2(context, cipher, key, nonce.bytes, direction, nil))
        }
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    /// Covers `data` with the tag, without encrypting it.
    func authenticate(_ data: some DataProtocol) throws {
        for region in data.regions {
            try region.withUnsafeBytes { region in
                guard !region.isEmpty else { return }
                try update(region, into: nil)
            }
        }
    }

    /// Encrypts or decrypts all of `data` into `output`, which is as long as `data`.
    func transform(_ data: some DataProtocol, into output: UnsafeMutableRawBufferPointer) throws {
        var offset = 0
        for region in data.regions {
            try region.withUnsafeBytes { region in
                guard !region.isEmpty else { return }
                try update(region, into: output.baseAddress?.advanced(by: offset))
                offset += region.count
            }
        }
    }

    /// GCM is a stream: every update gives as many bytes as it takes.
    private func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer?) throws {
        guard let length = Int32(exactly: input.count) else { throw CryptoKitError.incorrectParameterSize }
        var written: Int32 = 0
        try check(
            EVP_CipherUpdate(
                context, output?.assumingMemoryBound(to: UInt8.self), &written,
                input.baseAddress?.assumingMemoryBound(to: UInt8.self), length))
    }

    /// Ends an encryption: after this the tag is there.
    func finish() throws {
        try check(final())
    }

    /// Ends a decryption.
    ///
    /// - Throws: `CryptoKitError.authenticationFailure` if the tag is not the right one.
    func verify() throws {
        guard final() == 1 else {
            ERR_clear_error()
            throw CryptoKitError.authenticationFailure
        }
    }

    private func final() -> Int32 {
        var rest = (UInt64(0), UInt64(0))
        var written: Int32 = 0
        return withUnsafeMutableBytes(of: &rest) { rest in
            EVP_CipherFinal_ex(context, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), &written)
        }
    }

    func readTag(into tag: UnsafeMutableRawBufferPointer) throws {
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), tag.baseAddress))
    }

    func setTag(_ tag: Data) throws {
        var tag = Array(tag)
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag))
    }

    /// Fetched once: a fetch by name costs more than sealing a short message.
    /// `nonisolated(unsafe)`: OpenSSL counts references to them and never changes them.
    nonisolated(unsafe) private static let aes128 = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    nonisolated(unsafe) private static let aes192 = EVP_CIPHER_fetch(nil, "AES-192-GCM", nil)
    nonisolated(unsafe) private static let aes256 = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
}
