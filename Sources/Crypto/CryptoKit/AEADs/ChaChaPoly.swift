import FoundationEssentials
import HILCOpenSSL

/// ChaCha20-Poly1305 with a key of 32 bytes, a nonce of 12 bytes and a tag of 16 bytes. Source: RFC 8439.
public enum ChaChaPoly: Sendable {
    static let nonceByteCount = 12

    /// Encrypts and authenticates `message`, and also authenticates `authenticatedData`.
    ///
    /// - Parameter nonce: Must never be used twice with the same key; nil makes a random nonce.
    /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 32 bytes.
    public static func seal(
        _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil,
        authenticating authenticatedData: some DataProtocol
    ) throws -> SealedBox {
        let combined = try CipherContext.seal(message.count, with: .chaChaPoly, key, nonce: nonce ?? Nonce()) {
            context, ciphertext in
            try context.authenticate(authenticatedData)
            try context.transform(message, into: ciphertext)
        }
        return SealedBox(unchecked: combined)
    }

    /// Encrypts and authenticates `message`.
    public static func seal(
        _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil
    ) throws -> SealedBox {
        try seal(message, using: key, nonce: nonce, authenticating: Data())
    }

    /// Decrypts a sealed message whose tag also covers `authenticatedData`.
    ///
    /// - Throws: `CryptoKitError.authenticationFailure` if message, data, nonce and key do not belong together,
    ///   `.incorrectKeySize` unless the key has 32 bytes.
    public static func open(
        _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: some DataProtocol
    ) throws -> Data {
        try CipherContext.open(sealedBox.combined, with: .chaChaPoly, key, nonceByteCount: nonceByteCount) {
            try $0.authenticate(authenticatedData)
        }
    }

    /// Decrypts a sealed message.
    ///
    /// - Throws: `CryptoKitError.authenticationFailure` if message, nonce and key do not belong together.
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
        try open(sealedBox, using: key, authenticating: Data())
    }
}

extension ChaChaPoly {
    /// A value of 12 bytes that is used only once with a key.
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        private let bytes: [UInt8]

        /// Makes a random nonce.
        public init() {
            var bytes = [UInt8](repeating: 0, count: ChaChaPoly.nonceByteCount)
            precondition(
                RAND_bytes(&bytes, Int32(bytes.count)) == 1,
                "OpenSSL's random generator has no entropy; no nonce may be made")
            self.bytes = bytes
        }

        /// Makes a nonce from `data`.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are 12 bytes.
        public init(data: some DataProtocol) throws {
            guard data.count == ChaChaPoly.nonceByteCount else { throw CryptoKitError.incorrectParameterSize }
            bytes = Array(data)
        }

        fileprivate init(unchecked bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)
        }

        /// Calls `body` with the bytes. The pointer is valid only during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }

        /// The bytes, in order.
        public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
    }

    /// An encrypted message: nonce, ciphertext and tag.
    public struct SealedBox: Sendable {
        /// Nonce, ciphertext and tag, in this order.
        public let combined: Data

        fileprivate init(unchecked combined: Data) {
            self.combined = combined
        }

        /// Reads a box: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 28 bytes.
        public init(combined: some DataProtocol) throws {
            guard combined.count >= ChaChaPoly.nonceByteCount + CipherContext.tagByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            self.combined = Data(combined)
        }

        /// Makes a box from its parts.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless the tag has 16 bytes.
        public init(nonce: Nonce, ciphertext: some DataProtocol, tag: some DataProtocol) throws {
            guard tag.count == CipherContext.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            combined = Data(nonce) + Data(ciphertext) + Data(tag)
        }

        /// The nonce with which the message was sealed.
        public var nonce: Nonce { Nonce(unchecked: combined.prefix(ChaChaPoly.nonceByteCount)) }

        /// The encrypted message. It is as long as the message.
        public var ciphertext: Data {
            combined.dropFirst(ChaChaPoly.nonceByteCount).dropLast(CipherContext.tagByteCount)
        }

        /// The authentication tag, 16 bytes.
        public var tag: Data { combined.suffix(CipherContext.tagByteCount) }
    }
}
