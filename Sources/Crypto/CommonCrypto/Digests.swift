@_exported import Foundation
import HILCOpenSSL

// Source: Apple's CommonCrypto, CommonDigest.h.

public typealias CC_LONG = UInt32

/// The lengths of digests and of their blocks, in bytes.
public let CC_MD5_DIGEST_LENGTH: Int32 = 16, CC_SHA1_DIGEST_LENGTH: Int32 = 20, CC_SHA224_DIGEST_LENGTH: Int32 = 28,
    CC_SHA256_DIGEST_LENGTH: Int32 = 32, CC_SHA384_DIGEST_LENGTH: Int32 = 48, CC_SHA512_DIGEST_LENGTH: Int32 = 64
public let CC_MD5_BLOCK_BYTES: Int32 = 64, CC_SHA1_BLOCK_BYTES: Int32 = 64, CC_SHA256_BLOCK_BYTES: Int32 = 64,
    CC_SHA512_BLOCK_BYTES: Int32 = 128

/// A digest of data that comes in parts. A copy continues independently.
public struct CCDigestContext {
    private final class Box {
        let context = EVP_MD_CTX_new()

        init() {}

        init(copyOf other: Box) { EVP_MD_CTX_copy_ex(context, other.context) }

        deinit { EVP_MD_CTX_free(context) }
    }

    private var box = Box()

    /// A context before its initialisation.
    public init() {}

    mutating func begin(_ algorithm: OpaquePointer?) -> Int32 {
        box = Box()
        return EVP_DigestInit_ex(box.context, algorithm, nil)
    }

    mutating func add(_ data: UnsafeRawPointer?, _ count: Int) -> Int32 {
        if !isKnownUniquelyReferenced(&box) { box = Box(copyOf: box) }
        return EVP_DigestUpdate(box.context, data, count)
    }

    mutating func end(_ digest: UnsafeMutablePointer<UInt8>?) -> Int32 {
        if !isKnownUniquelyReferenced(&box) { box = Box(copyOf: box) }
        return EVP_DigestFinal_ex(box.context, digest, nil)
    }
}

public typealias CC_MD5_CTX = CCDigestContext
public typealias CC_SHA1_CTX = CCDigestContext
public typealias CC_SHA256_CTX = CCDigestContext
public typealias CC_SHA512_CTX = CCDigestContext

/// Writes the digest of some bytes, and returns where it is; nil if the digest cannot be made.
private func digest(
    _ algorithm: OpaquePointer?, _ data: UnsafeRawPointer?, _ count: CC_LONG, _ digest: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
    EVP_Digest(data, Int(count), digest, nil, algorithm, nil) == 1 ? digest : nil
}

@discardableResult
public func CC_MD5(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(EVP_md5(), data, len, md) }

@discardableResult
public func CC_SHA1(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(EVP_sha1(), data, len, md) }

@discardableResult
public func CC_SHA224(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(EVP_sha224(), data, len, md) }

@discardableResult
public func CC_SHA256(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(EVP_sha256(), data, len, md) }

@discardableResult
public func CC_SHA384(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(EVP_sha384(), data, len, md) }

@discardableResult
public func CC_SHA512(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(EVP_sha512(), data, len, md) }

// Each returns 1, as Apple's do.

@discardableResult
public func CC_MD5_Init(_ c: inout CC_MD5_CTX) -> Int32 { c.begin(EVP_md5()) }
@discardableResult
public func CC_MD5_Update(_ c: inout CC_MD5_CTX, _ data: UnsafeRawPointer!, _ len: CC_LONG) -> Int32 {
    c.add(data, Int(len))
}
@discardableResult
public func CC_MD5_Final(_ md: UnsafeMutablePointer<UInt8>!, _ c: inout CC_MD5_CTX) -> Int32 { c.end(md) }

@discardableResult
public func CC_SHA1_Init(_ c: inout CC_SHA1_CTX) -> Int32 { c.begin(EVP_sha1()) }
@discardableResult
public func CC_SHA1_Update(_ c: inout CC_SHA1_CTX, _ data: UnsafeRawPointer!, _ len: CC_LONG) -> Int32 {
    c.add(data, Int(len))
}
@discardableResult
public func CC_SHA1_Final(_ md: UnsafeMutablePointer<UInt8>!, _ c: inout CC_SHA1_CTX) -> Int32 { c.end(md) }

@discardableResult
public func CC_SHA256_Init(_ c: inout CC_SHA256_CTX) -> Int32 { c.begin(EVP_sha256()) }
@discardableResult
public func CC_SHA256_Update(_ c: inout CC_SHA256_CTX, _ data: UnsafeRawPointer!, _ len: CC_LONG) -> Int32 {
    c.add(data, Int(len))
}
@discardableResult
public func CC_SHA256_Final(_ md: UnsafeMutablePointer<UInt8>!, _ c: inout CC_SHA256_CTX) -> Int32 { c.end(md) }

@discardableResult
public func CC_SHA512_Init(_ c: inout CC_SHA512_CTX) -> Int32 { c.begin(EVP_sha512()) }
@discardableResult
public func CC_SHA512_Update(_ c: inout CC_SHA512_CTX, _ data: UnsafeRawPointer!, _ len: CC_LONG) -> Int32 {
    c.add(data, Int(len))
}
@discardableResult
public func CC_SHA512_Final(_ md: UnsafeMutablePointer<UInt8>!, _ c: inout CC_SHA512_CTX) -> Int32 { c.end(md) }
