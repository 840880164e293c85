import FoundationEssentials
import HILCOpenSSL

/// One operation of authenticated encryption in OpenSSL. The key schedule is wiped together with the key.
struct CipherContext: ~Copyable {
    /// The algorithm of the operation.
    enum Algorithm {
        case aesGCM
        case chaChaPoly
    }

    /// Whether to decrypt or to encrypt, with OpenSSL's number for it. OpenSSL sets up a context again to change the
    /// direction.
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer
    private let algorithm: Algorithm
    private let direction: Direction
    /// Where the context is kept for the key's next message; nil if the nonce has an unusual length.
    ///
    /// After such a nonce, the next message would have to set the length again.
    private let home: CipherContexts?

    /// Begins an operation with `key` and `nonce`.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` if the key has a wrong length for the algorithm.
    static func begin(
        _ algorithm: Algorithm, _ direction: Direction, _ key: SymmetricKey, nonce: UnsafeRawBufferPointer
    ) throws -> CipherContext {
        let isUsual = nonce.count == AES.GCM.nonceByteCount
        let short = nonce.count > AES.GCM.longestNonceOfOpenSSL ? try AES.GCM.shortened(nonce, key) : nil
        let context = try CipherContext(key, algorithm, direction, isKept: isUsual)
        if !isUsual {
            try check(
                EVP_CIPHER_CTX_ctrl(context.context, EVP_CTRL_AEAD_SET_IVLEN, Int32(short?.count ?? nonce.count), nil))
        }
        if let short { try short.withUnsafeBytes { try context.begin($0) } } else { try context.begin(nonce) }
        return context
    }

    private init(_ key: SymmetricKey, _ algorithm: Algorithm, _ direction: Direction, isKept: Bool) throws {
        context =
            try (isKept ? key.contexts.take(algorithm, direction) : nil)
            ?? CipherContext.scheduled(key, algorithm, direction)
        self.algorithm = algorithm
        self.direction = direction
        home = isKept ? key.contexts : nil
    }

    private func begin(_ nonce: UnsafeRawBufferPointer) throws {
        let bytes = nonce.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try check(EVP_CipherInit_ex2(context, nil, nil, bytes, direction.rawValue, nil))
    }

    /// Makes a context with the key's schedule.
    private static func scheduled(
        _ key: SymmetricKey, _ algorithm: Algorithm, _ direction: Direction
    ) throws -> OpaquePointer {
        let cipher: OpaquePointer? =
            switch (algorithm, key.bytes.count) {
            case (.aesGCM, 16): Self.aes128
            case (.aesGCM, 24): Self.aes192
            case (.aesGCM, 32): Self.aes256
            case (.chaChaPoly, 32): Self.chaCha20Poly1305
            default: throw CryptoKitError.incorrectKeySize
            }
        let context = try check(EVP_CIPHER_CTX_new())
        let result = key.withUnsafeBytes {
            EVP_CipherInit_ex2(
                context, cipher, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, direction.rawValue, nil)
        }
        guard result == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw CryptoKitError.fromOpenSSL()
        }
        return context
    }

    deinit {
        guard let home else { return EVP_CIPHER_CTX_free(context) }
        home.giveBack(context, algorithm, direction)
    }

    /// Includes `data` in the tag without encrypting it.
    func authenticate(_ data: some DataProtocol) throws {
        guard !data.isEmpty else { return }
        for region in data.regions {
            try region.withUnsafeBytes { region in
                guard !region.isEmpty else { return }
                try update(region, into: nil)
            }
        }
    }

    /// Encrypts or decrypts all of `data` into `output`, which must be as long as `data`.
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

    /// Encrypts or decrypts all of `input` into `output`, which must be as long as `input`.
    func transform(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws {
        guard !input.isEmpty else { return }
        try update(input, into: output.baseAddress)
    }

    /// Processes some input. Both algorithms are stream ciphers, so the output is as long as the input.
    private func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer?) throws {
        guard let length = Int32(exactly: input.count) else { throw CryptoKitError.incorrectParameterSize }
        var written: Int32 = 0
        try check(
            EVP_CipherUpdate(
                context, output?.assumingMemoryBound(to: UInt8.self), &written,
                input.baseAddress?.assumingMemoryBound(to: UInt8.self), length))
    }

    /// Ends an encryption. Afterwards the tag can be read.
    func finish() throws {
        try check(final())
    }

    /// Ends a decryption.
    ///
    /// - Throws: `CryptoKitError.authenticationFailure` if the tag is wrong.
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

    /// Sets the tag that ``verify()`` expects.
    func setTag(_ tag: UnsafeRawBufferPointer) throws {
        let bytes = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), bytes))
    }

    /// The algorithms are fetched only once, because a fetch by name takes longer than sealing a short message.
    /// `nonisolated(unsafe)`: OpenSSL never changes them and counts references to them.
    nonisolated(unsafe) private static let aes128 = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    nonisolated(unsafe) private static let aes192 = EVP_CIPHER_fetch(nil, "AES-192-GCM", nil)
    nonisolated(unsafe) private static let aes256 = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    nonisolated(unsafe) private static let chaCha20Poly1305 = EVP_CIPHER_fetch(nil, "ChaCha20-Poly1305", nil)
}
