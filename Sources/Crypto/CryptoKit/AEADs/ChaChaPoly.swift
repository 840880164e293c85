import COpenSSL
import FoundationEssentials

/// ChaCha20 and Poly1305 (RFC 8439), with a key of 32 bytes, a nonce of 12 and a tag of 16.
public enum ChaChaPoly {
    static let nonceByteCount = 12

    /// Encrypts and authenticates `message`, and authenticates `authenticatedData` with it.
    ///
    /// - Parameter nonce: must never be used twice with one key; a random one when left out.
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

    /// Opens a sealed message whose tag also covers `authenticatedData`.
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

    /// Opens a sealed message.
    ///
    /// - Throws: `CryptoKitError.authenticationFailure` if message, nonce and key do not belong together.
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
        try open(sealedBox, using: key, authenticating: Data())
    }
}

extension ChaChaPoly {
    /// The number that makes two messages under one key differ; 12 bytes.
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        private let bytes: [UInt8]

        /// A random nonce.
        public init() {
            var bytes = [UInt8](repeating: 0, count: ChaChaPoly.nonceByteCount)
            precondition(
                RAND_bytes(&bytes, Int32(bytes.count)) == 1,
                "OpenSSL's random generator has no entropy; no nonce may be made")
            self.bytes = bytes
        }

        /// A nonce made of `data`.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless there are 12 bytes.
        public init(data: some DataProtocol) throws {
            guard data.count == ChaChaPoly.nonceByteCount else { throw CryptoKitError.incorrectParameterSize }
            bytes = Array(data)
        }

        fileprivate init(unchecked bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)
        }

        /// Lends the bytes for the time of the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }

        /// The bytes, in order.
        public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
    }

    /// A nonce, a ciphertext and a tag.
    public struct SealedBox: Sendable {
        /// Nonce, ciphertext and tag, in this order.
        public let combined: Data

        fileprivate init(unchecked combined: Data) {
            self.combined = combined
        }

        /// The box whose parts are 12 bytes of nonce, the ciphertext, and 16 bytes of tag.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 28 bytes.
        public init(combined: some DataProtocol) throws {
            guard combined.count >= ChaChaPoly.nonceByteCount + CipherContext.tagByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            self.combined = Data(combined)
        }

        /// The box made of these parts.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless the tag has 16 bytes.
        public init(nonce: Nonce, ciphertext: some DataProtocol, tag: some DataProtocol) throws {
            guard tag.count == CipherContext.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            combined = Data(nonce) + Data(ciphertext) + Data(tag)
        }

        /// The nonce that the message was sealed with.
        public var nonce: Nonce { Nonce(unchecked: combined.prefix(ChaChaPoly.nonceByteCount)) }

        /// The encrypted message, as long as the message.
        public var ciphertext: Data {
            combined.dropFirst(ChaChaPoly.nonceByteCount).dropLast(CipherContext.tagByteCount)
        }

        /// The authentication tag, 16 bytes.
        public var tag: Data { combined.suffix(CipherContext.tagByteCount) }
    }
}
