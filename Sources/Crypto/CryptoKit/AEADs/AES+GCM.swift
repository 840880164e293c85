import COpenSSL
import FoundationEssentials

extension AES {
    /// AES in Galois/Counter Mode (NIST SP 800-38D), with a tag of 16 bytes.
    public enum GCM {
        static let tagByteCount = 16
        static let nonceByteCount = 12

        /// Encrypts and authenticates `message`, and authenticates `authenticatedData` with it.
        ///
        /// - Parameter nonce: must never be used twice with one key; a random one when left out.
        /// - Throws: `CryptoKitError.incorrectKeySize` unless the key has 16, 24 or 32 bytes.
        public static func seal(
            _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating authenticatedData: some DataProtocol
        ) throws -> SealedBox {
            let nonce = nonce ?? Nonce()
            let context = try CipherContext.encryption(key: key, nonce: nonce)
            try context.authenticate(authenticatedData)
            let prefix = nonce.bytes.count
            var combined = Data(count: prefix + message.count + tagByteCount)
            try combined.withUnsafeMutableBytes { output in
                output.copyBytes(from: nonce.bytes)
                let body = UnsafeMutableRawBufferPointer(rebasing: output[prefix..<(output.count - tagByteCount)])
                try context.transform(message, into: body)
                try context.finish()
                try context.readTag(into: UnsafeMutableRawBufferPointer(rebasing: output.suffix(tagByteCount)))
            }
            return SealedBox(storage: combined, nonceByteCount: prefix)
        }

        /// Encrypts and authenticates `message`.
        public static func seal(
            _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil
        ) throws -> SealedBox {
            try seal(message, using: key, nonce: nonce, authenticating: Data())
        }

        /// Opens a sealed message whose tag also covers `authenticatedData`.
        ///
        /// - Throws: `CryptoKitError.authenticationFailure` if message, data, nonce and key do not belong together.
        public static func open(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: some DataProtocol
        ) throws -> Data {
            try sealedBox.storage.withUnsafeBytes { box in
                let (nonce, rest) = (box[..<sealedBox.nonceByteCount], box[sealedBox.nonceByteCount...])
                let context = try CipherContext.decryption(key: key, nonce: nonce)
                try context.authenticate(authenticatedData)
                var message = Data(count: rest.count - tagByteCount)
                do {
                    try message.withUnsafeMutableBytes {
                        try context.transform(UnsafeRawBufferPointer(rebasing: rest.dropLast(tagByteCount)), into: $0)
                    }
                    try context.setTag(UnsafeRawBufferPointer(rebasing: rest.suffix(tagByteCount)))
                    try context.verify()
                } catch {
                    message.resetBytes(in: message.startIndex..<message.endIndex)
                    throw error
                }
                return message
            }
        }

        /// Opens a sealed message.
        ///
        /// - Throws: `CryptoKitError.authenticationFailure` if message, nonce and key do not belong together.
        public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
            try open(sealedBox, using: key, authenticating: Data())
        }
    }
}

extension AES.GCM {
    /// The number that makes two messages under one key differ; 12 bytes unless made from other data.
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        let bytes: [UInt8]

        /// A random nonce of 12 bytes.
        public init() {
            var random = [UInt8](repeating: 0, count: AES.GCM.nonceByteCount)
            let result = RAND_bytes(&random, Int32(random.count))
            precondition(result == 1, "OpenSSL's random generator has no entropy; no nonce may be made")
            bytes = random
        }

        /// A nonce made of `data`, of 12 to 16 bytes.
        public init(data: some DataProtocol) throws {
            guard (AES.GCM.nonceByteCount...16).contains(data.count) else {
                throw CryptoKitError.incorrectParameterSize
            }
            bytes = Array(data)
        }

        /// Lends the bytes for the time of the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }

        /// The bytes, in order.
        public func makeIterator() -> Array<UInt8>.Iterator {
            bytes.makeIterator()
        }
    }

    /// A nonce, a ciphertext and a tag.
    public struct SealedBox: Sendable {
        /// Nonce, ciphertext and tag, in this order.
        let storage: Data
        let nonceByteCount: Int

        init(storage: Data, nonceByteCount: Int) {
            self.storage = storage
            self.nonceByteCount = nonceByteCount
        }

        /// The box whose parts are 12 bytes of nonce, the ciphertext, and 16 bytes of tag.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 28 bytes.
        public init(combined: some DataProtocol) throws {
            guard combined.count >= AES.GCM.nonceByteCount + AES.GCM.tagByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            self.init(storage: Data(combined), nonceByteCount: AES.GCM.nonceByteCount)
        }

        /// The box made of these parts.
        ///
        /// - Throws: `CryptoKitError.incorrectParameterSize` unless the tag has 16 bytes.
        public init(nonce: Nonce, ciphertext: some DataProtocol, tag: some DataProtocol) throws {
            guard tag.count == AES.GCM.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            self.init(storage: Data(nonce.bytes) + Data(ciphertext) + Data(tag), nonceByteCount: nonce.bytes.count)
        }

        /// The nonce that the message was sealed with.
        public var nonce: Nonce {
            Nonce(unchecked: Array(storage.prefix(nonceByteCount)))
        }

        /// The encrypted message, as long as the message.
        public var ciphertext: Data {
            storage.dropFirst(nonceByteCount).dropLast(AES.GCM.tagByteCount)
        }

        /// The authentication tag, 16 bytes.
        public var tag: Data {
            storage.suffix(AES.GCM.tagByteCount)
        }

        /// All three parts in one, nil unless the nonce has 12 bytes.
        public var combined: Data? {
            nonceByteCount == AES.GCM.nonceByteCount ? storage : nil
        }
    }
}

extension AES.GCM.Nonce {
    fileprivate init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }
}
