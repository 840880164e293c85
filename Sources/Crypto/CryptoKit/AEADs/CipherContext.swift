import COpenSSL
import FoundationEssentials
import Synchronization

/// One AES-GCM operation in OpenSSL; its key schedule is wiped with the key.
struct CipherContext: ~Copyable {
    private let context: OpaquePointer
    /// Where the context goes afterwards, ready for the next message under the key.
    private let home: CipherContexts

    /// An encryption under `key` with `nonce`.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 16, 24 or 32 bytes.
    static func encryption(key: SymmetricKey, nonce: AES.GCM.Nonce) throws -> CipherContext {
        let context = try CipherContext(key)
        try context.begin(nonce.bytes, nonce.bytes.count, direction: 1)
        return context
    }

    /// A decryption under `key` with a nonce of these bytes.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 16, 24 or 32 bytes.
    static func decryption(key: SymmetricKey, nonce: Slice<UnsafeRawBufferPointer>) throws -> CipherContext {
        let context = try CipherContext(key)
        let bytes = UnsafeRawBufferPointer(rebasing: nonce).baseAddress?.assumingMemoryBound(to: UInt8.self)
        try context.begin(bytes, nonce.count, direction: 0)
        return context
    }

    private init(_ key: SymmetricKey) throws {
        let context = try key.contexts.take() ?? CipherContext.scheduled(key)
        self.context = context
        home = key.contexts
    }

    private func begin(_ nonce: UnsafePointer<UInt8>?, _ nonceByteCount: Int, direction: Int32) throws {
        if Int(EVP_CIPHER_CTX_get_iv_length(context)) != nonceByteCount {
            try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonceByteCount), nil))
        }
        try check(EVP_CipherInit_ex2(context, nil, nil, nonce, direction, nil))
    }

    /// A context with the key's schedule.
    private static func scheduled(_ key: SymmetricKey) throws -> OpaquePointer {
        let cipher: OpaquePointer? =
            switch key.bytes.count {
            case 16: Self.aes128
            case 24: Self.aes192
            case 32: Self.aes256
            default: throw CryptoKitError.incorrectKeySize
            }
        let context = try check(EVP_CIPHER_CTX_new())
        let result = key.withUnsafeBytes {
            EVP_CipherInit_ex2(context, cipher, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, 1, nil)
        }
        guard result == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw CryptoKitError.fromOpenSSL()
        }
        return context
    }

    deinit { home.giveBack(context) }

    /// Covers `data` with the tag, without encrypting it.
    func authenticate(_ data: some DataProtocol) throws {
        guard !data.isEmpty else { return }
        for region in data.regions {
            try region.withUnsafeBytes { region in
                guard !region.isEmpty else { return }
                try update(region, into: nil)
            }
        }
    }

    /// Encrypts or decrypts all of `data` into `output`, which is as long as `data`.
    func transform(_ data: some DataProtocol, into output: UnsafeMutableRawBufferPointer) throws {
        let isDone: Void? = try data.withContiguousStorageIfAvailable {
            try transform(UnsafeRawBufferPointer($0), into: output)
        }
        guard isDone == nil else { return }
        var offset = 0
        for region in data.regions {
            try region.withUnsafeBytes { region in
                guard !region.isEmpty else { return }
                try update(region, into: output.baseAddress?.advanced(by: offset))
                offset += region.count
            }
        }
    }

    /// Encrypts or decrypts all of `input` into `output`, which is as long.
    func transform(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws {
        guard !input.isEmpty else { return }
        try update(input, into: output.baseAddress)
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

    /// The tag that ``verify()`` is to find.
    func setTag(_ tag: UnsafeRawBufferPointer) throws {
        let bytes = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), bytes))
    }

    /// Fetched once: a fetch by name costs more than sealing a short message.
    /// `nonisolated(unsafe)`: OpenSSL counts references to them and never changes them.
    nonisolated(unsafe) private static let aes128 = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    nonisolated(unsafe) private static let aes192 = EVP_CIPHER_fetch(nil, "AES-192-GCM", nil)
    nonisolated(unsafe) private static let aes256 = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
}

/// The contexts of one key that are not in use: a key's schedule takes longer than a short message.
final class CipherContexts: Sendable {
    /// `@unchecked Sendable`: it has one holder at a time.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// As many as are used side by side now and then.
    private static let limit = 4

    private let idle = Mutex<[Context]>([])

    func take() -> OpaquePointer? { idle.withLock { $0.popLast()?.pointer } }

    func giveBack(_ pointer: OpaquePointer) {
        let isKept = idle.withLock { idle in
            guard idle.count < CipherContexts.limit else { return false }
            idle.append(Context(pointer: pointer))
            return true
        }
        if !isKept { EVP_CIPHER_CTX_free(pointer) }
    }

    deinit {
        // OpenSSL wipes the schedules.
        idle.withLock { for context in $0 { EVP_CIPHER_CTX_free(context.pointer) } }
    }
}
