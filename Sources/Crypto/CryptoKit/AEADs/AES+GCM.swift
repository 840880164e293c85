import FoundationEssentials
import HILCOpenSSL

extension AES {
    /// AES in Galois/Counter Mode with a tag of 16 bytes. Source: NIST SP 800-38D.
    public enum GCM: Sendable {
        static let nonceByteCount = 12

        /// Encrypts and authenticates `message`, and also authenticates `authenticatedData`.
        ///
        /// - Parameter nonce: Must never be used twice with the same key; nil makes a random nonce.
        /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 16, 24 or 32 bytes.
        public static func seal(
            _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating authenticatedData: some DataProtocol
        ) throws -> SealedBox {
            let nonce = nonce ?? Nonce()
            let combined = try CipherContext.seal(message.count, with: .aesGCM, key, nonce: nonce) {
                context, ciphertext in
                try context.authenticate(authenticatedData)
                try context.transform(message, into: ciphertext)
            }
            return SealedBox(storage: combined, nonceByteCount: nonce.byteCount)
        }

        /// Encrypts and authenticates `message`, faster than the generic method.
        public static func seal(_ message: Data, using key: SymmetricKey, nonce: Nonce? = nil) throws -> SealedBox {
            let nonce = nonce ?? Nonce()
            let combined = try CipherContext.seal(message.count, with: .aesGCM, key, nonce: nonce) {
                context, ciphertext in
                try message.withUnsafeBytes { try context.transform($0, into: ciphertext) }
            }
            return SealedBox(storage: combined, nonceByteCount: nonce.byteCount)
        }

        /// Encrypts and authenticates `message`.
        public static func seal(
            _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil
        ) throws -> SealedBox {
            try seal(message, using: key, nonce: nonce, authenticating: Data())
        }

        /// Decrypts a sealed message whose tag also covers `authenticatedData`.
        ///
        /// - Throws: `CryptoKitError.authenticationFailure` if message, data, nonce and key do not belong together.
        public static func open(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: some DataProtocol
        ) throws -> Data {
            try CipherContext.open(
                sealedBox.storage, with: .aesGCM, key, nonceByteCount: sealedBox.nonceByteCount
            ) { try $0.authenticate(authenticatedData) }
        }

        /// Decrypts a sealed message.
        ///
        /// - Throws: `CryptoKitError.authenticationFailure` if message, nonce and key do not belong together.
        public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
            try CipherContext.open(
                sealedBox.storage, with: .aesGCM, key, nonceByteCount: sealedBox.nonceByteCount
            ) { _ in }
        }
    }
}

extension AES.GCM {
    /// A value that is used only once with a key. It has 12 bytes unless it is made from other data.
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        /// Up to 16 bytes are stored here, because an array would need an allocation for each message.
        private var storage: (UInt64, UInt64) = (0, 0)
        /// The bytes of a longer nonce; else empty.
        private let long: [UInt8]
        let byteCount: Int

        /// Makes a random nonce of 12 bytes.
        public init() {
            byteCount = AES.GCM.nonceByteCount
            long = []
            let result = Swift.withUnsafeMutableBytes(of: &storage) { bytes in
                RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(AES.GCM.nonceByteCount))
            }
            precondition(result == 1, "OpenSSL's random generator has no entropy; no nonce may be made")
        }

        /// Makes a nonce from `data`.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 12 bytes.
        public init(data: some DataProtocol) throws {
            guard data.count >= AES.GCM.nonceByteCount else { throw CryptoKitError.incorrectParameterSize }
            self.init(unchecked: data)
        }

        /// Makes the nonce of a numbered message: the fixed field, then the number. Source: NIST SP 800-38D, 8.2.1.
        package init(fixed: UInt32, number: UInt64) {
            byteCount = AES.GCM.nonceByteCount
            long = []
            Swift.withUnsafeMutableBytes(of: &storage) { bytes in
                bytes.storeBytes(of: fixed, as: UInt32.self)
                bytes.storeBytes(of: number.bigEndian, toByteOffset: 4, as: UInt64.self)
            }
        }

        fileprivate init(unchecked data: some DataProtocol) {
            byteCount = data.count
            guard data.count <= MemoryLayout.size(ofValue: storage) else {
                long = Array(data)
                return
            }
            long = []
            Swift.withUnsafeMutableBytes(of: &storage) { _ = data.copyBytes(to: $0) }
        }

        /// Calls `body` with the bytes. The pointer is valid only during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            guard long.isEmpty else { return try long.withUnsafeBytes(body) }
            return try Swift.withUnsafeBytes(of: storage) {
                try body(UnsafeRawBufferPointer(rebasing: $0[..<byteCount]))
            }
        }

        /// The bytes, in order.
        public func makeIterator() -> Array<UInt8>.Iterator {
            withUnsafeBytes { Array($0) }.makeIterator()
        }
    }

    /// An encrypted message: nonce, ciphertext and tag.
    public struct SealedBox: Sendable {
        /// Nonce, ciphertext and tag, in this order.
        let storage: Data
        let nonceByteCount: Int

        init(storage: Data, nonceByteCount: Int) {
            self.storage = storage
            self.nonceByteCount = nonceByteCount
        }

        /// Reads a box: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 28 bytes.
        public init(combined: some DataProtocol) throws {
            guard combined.count >= AES.GCM.nonceByteCount + CipherContext.tagByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            self.init(storage: Data(combined), nonceByteCount: AES.GCM.nonceByteCount)
        }

        /// Reads a box: 12 bytes of nonce, the ciphertext, 16 bytes of tag. Copies `combined` only if it is a slice.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 28 bytes.
        public init(combined: Data) throws {
            guard combined.count >= AES.GCM.nonceByteCount + CipherContext.tagByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            // The indices of `combined` begin at 0.
            self.init(
                storage: combined.startIndex == 0 ? combined : Data(combined),
                nonceByteCount: AES.GCM.nonceByteCount)
        }

        /// Makes a box from its parts.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless the tag has 16 bytes.
        public init(nonce: Nonce, ciphertext: some DataProtocol, tag: some DataProtocol) throws {
            guard tag.count == CipherContext.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            let prefix = nonce.withUnsafeBytes { Data($0) }
            self.init(storage: prefix + Data(ciphertext) + Data(tag), nonceByteCount: prefix.count)
        }

        /// The nonce with which the message was sealed.
        public var nonce: Nonce {
            Nonce(unchecked: storage.prefix(nonceByteCount))
        }

        /// The encrypted message. It is as long as the message.
        public var ciphertext: Data {
            storage.dropFirst(nonceByteCount).dropLast(CipherContext.tagByteCount)
        }

        /// The authentication tag, 16 bytes.
        public var tag: Data {
            storage.suffix(CipherContext.tagByteCount)
        }

        /// Nonce, ciphertext and tag in one; nil if the nonce does not have 12 bytes.
        public var combined: Data? {
            nonceByteCount == AES.GCM.nonceByteCount ? storage : nil
        }
    }
}
