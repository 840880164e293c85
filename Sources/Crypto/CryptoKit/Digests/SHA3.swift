import FoundationEssentials
import HILCOpenSSL

/// SHA3-256 (FIPS 202).
public struct SHA3_256: OpenSSLHashFunction {
    /// The type of the output, 32 bytes.
    public typealias Digest = SHA3_256Digest

    /// The length of the blocks that the function processes, 136 bytes.
    public static let blockByteCount = 136

    public var state = HashState(algorithm)
    /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA3-256", nil)

    /// Makes a function without input.
    public init() {}
}

/// A digest of SHA3_256: 32 bytes.
public struct SHA3_256Digest: OpenSSLDigest {
    /// The length of the digest, 32 bytes.
    public static let byteCount = 32
    private let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

/// SHA3-384 (FIPS 202).
public struct SHA3_384: OpenSSLHashFunction {
    /// The type of the output, 48 bytes.
    public typealias Digest = SHA3_384Digest

    /// The length of the blocks that the function processes, 104 bytes.
    public static let blockByteCount = 104

    public var state = HashState(algorithm)
    /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA3-384", nil)

    /// Makes a function without input.
    public init() {}
}

/// A digest of SHA3_384: 48 bytes.
public struct SHA3_384Digest: OpenSSLDigest {
    /// The length of the digest, 48 bytes.
    public static let byteCount = 48
    private let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

/// SHA3-512 (FIPS 202).
public struct SHA3_512: OpenSSLHashFunction {
    /// The type of the output, 64 bytes.
    public typealias Digest = SHA3_512Digest

    /// The length of the blocks that the function processes, 72 bytes.
    public static let blockByteCount = 72

    public var state = HashState(algorithm)
    /// `nonisolated(unsafe)`: OpenSSL never changes it and counts references to it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA3-512", nil)

    /// Makes a function without input.
    public init() {}
}

/// A digest of SHA3_512: 64 bytes.
public struct SHA3_512Digest: OpenSSLDigest {
    /// The length of the digest, 64 bytes.
    public static let byteCount = 64
    private let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}
