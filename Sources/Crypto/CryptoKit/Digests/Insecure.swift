import FoundationEssentials
import HILCOpenSSL

/// Broken functions, for old protocols that need them.
public enum Insecure: Sendable {
    /// SHA-1 (FIPS 180-4).
    public struct SHA1: OpenSSLHashFunction {
        /// The type of the output, 20 bytes.
        public typealias Digest = SHA1Digest

        /// The length of the blocks that the function processes, 64 bytes.
        public static let blockByteCount = 64

        public var state = HashState(algorithm)
        /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
        nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA1", nil)

        /// Makes a function without input.
        public init() {}
    }

    /// A digest of SHA1: 20 bytes.
    public struct SHA1Digest: OpenSSLDigest {
        /// The length of the digest, 20 bytes.
        public static let byteCount = 20
        private let bytes: [UInt8]

        public init(bytes: [UInt8]) { self.bytes = bytes }

        /// Calls `body` with the bytes. The pointer is valid only during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }
    }

    /// MD5 (RFC 1321).
    public struct MD5: OpenSSLHashFunction {
        /// The type of the output, 16 bytes.
        public typealias Digest = MD5Digest

        /// The length of the blocks that the function processes, 64 bytes.
        public static let blockByteCount = 64

        public var state = HashState(algorithm)
        /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
        nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "MD5", nil)

        /// Makes a function without input.
        public init() {}
    }

    /// A digest of MD5: 16 bytes.
    public struct MD5Digest: OpenSSLDigest {
        /// The length of the digest, 16 bytes.
        public static let byteCount = 16
        private let bytes: [UInt8]

        public init(bytes: [UInt8]) { self.bytes = bytes }

        /// Calls `body` with the bytes. The pointer is valid only during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }
    }
}
