import FoundationEssentials
import HILCOpenSSL

/// Arithmetic on one of NIST's prime curves in OpenSSL, with numbers and points as plain bytes. Source: SP 800-186.
///
/// OpenSSL multiplies a point by a scalar in a time that does not depend on the scalar. It also checks that a decoded
/// point is on the curve.
struct PrimeCurve: Sendable {
    /// The length of a private number, and of a coordinate, in bytes: 32, 48 or 66.
    let scalarByteCount: Int
    /// OpenSSL's name of the curve.
    let name: String
    /// The curve's object identifier, in its encoded form (RFC 5480, 2.1.1.1; SEC 2).
    let objectIdentifier: [UInt8]
    /// (p − 1) / 2 for the prime p of the field.
    private let halfPrime: [UInt8]
    /// The bits of the first byte that a number below the order can have.
    private let firstByteMask: UInt8
    /// `nonisolated(unsafe)`: the curve with its table of multiples is made once and never changes.
    nonisolated(unsafe) private let pointer: OpaquePointer?

    /// The length of an uncompressed point: 0x04, X, Y.
    var pointByteCount: Int { 1 + 2 * scalarByteCount }

    static let p256 = PrimeCurve(
        scalarByteCount: 32, name: "prime256v1", objectIdentifier: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07],
        // p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1.
        halfPrime: [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0x80] + [UInt8](repeating: 0, count: 11) + [0x7F]
            + [UInt8](repeating: 0xFF, count: 11), firstByteMask: 0xFF,
        pointer: EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
    static let p384 = PrimeCurve(
        scalarByteCount: 48, name: "secp384r1", objectIdentifier: [0x2B, 0x81, 0x04, 0x00, 0x22],
        // p = 2³⁸⁴ − 2¹²⁸ − 2⁹⁶ + 2³² − 1.
        halfPrime: [0x7F] + [UInt8](repeating: 0xFF, count: 31) + [0x7F] + [UInt8](repeating: 0xFF, count: 3)
            + [0x80, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF], firstByteMask: 0xFF,
        pointer: EC_GROUP_new_by_curve_name(NID_secp384r1))
    static let p521 = PrimeCurve(
        scalarByteCount: 66, name: "secp521r1", objectIdentifier: [0x2B, 0x81, 0x04, 0x00, 0x23],
        // p = 2⁵²¹ − 1.
        halfPrime: [0x00] + [UInt8](repeating: 0xFF, count: 65), firstByteMask: 0x01,
        pointer: EC_GROUP_new_by_curve_name(NID_secp521r1))

    /// A random number from 1 to the order minus 1, by rejection sampling (FIPS 186-5, A.2.2).
    func randomScalar() throws -> SecureBytes {
        let group = try group
        while true {
            let candidate = try SecureBytes.random(count: scalarByteCount, firstByteMask: firstByteMask)
            if try Number(candidate).isScalar(of: group) { return candidate }
        }
    }

    private var group: OpaquePointer {
        get throws(CryptoKitError) { try check(pointer) }
    }

    /// The public point of a private scalar: 0x04, X, Y.
    ///
    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the scalar is zero or not below the order.
    func point(of scalar: SecureBytes) throws -> [UInt8] {
        let group = try group
        let number = try Number(scalar)
        guard number.isScalar(of: group) else { throw Self.invalid }
        let point = try Point(on: group)
        try check(EC_POINT_mul(group, point.pointer, number.pointer, nil, nil, nil))
        return try point.uncompressed(on: group, count: pointByteCount)
    }

    /// The ECDH secret: the X coordinate of `scalar` times `point`.
    func agree(scalar: SecureBytes, point: [UInt8]) throws -> SecureBytes {
        let group = try group
        let number = try Number(scalar)
        let peer = try Point(decoding: point, on: group)
        let product = try Point(on: group)
        try check(EC_POINT_mul(group, product.pointer, nil, peer.pointer, number.pointer, nil))
        let x = try Number()
        try check(EC_POINT_get_affine_coordinates(group, product.pointer, x.pointer, nil, nil))
        return try SecureBytes(count: scalarByteCount) { buffer in
            let written = BN_bn2binpad(
                x.pointer, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
            guard written == buffer.count else { throw CryptoKitError.fromOpenSSL() }
        }
    }

    /// The uncompressed form of a point in the compressed or uncompressed form of ANSI X9.63.
    ///
    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the bytes are not a point of the curve.
    func uncompressed(point: [UInt8]) throws -> [UInt8] {
        let group = try group
        return try Point(decoding: point, on: group).uncompressed(on: group, count: pointByteCount)
    }

    /// Whether Y is the smaller of the two coordinates that belong to X: at most half of the field's prime.
    ///
    /// - Parameter point: In the uncompressed form.
    func hasSmallerY(_ point: [UInt8]) -> Bool {
        !halfPrime.lexicographicallyPrecedes(point[(1 + scalarByteCount)...])
    }

    /// The error that Apple's CryptoKit throws for a point that is not on the curve and for an invalid private number.
    /// The code is OpenSSL's for such a point.
    static let invalid = CryptoKitError.underlyingCoreCryptoError(
        error: Int32(bitPattern: UInt32(ERR_LIB_EC) << 23 | UInt32(EC_R_POINT_IS_NOT_ON_CURVE)))
}

/// An integer in OpenSSL's memory. It is wiped when it is released.
private final class Number {
    let pointer: OpaquePointer

    init() throws {
        pointer = try check(BN_secure_new())
    }

    convenience init(_ bytes: SecureBytes) throws {
        try self.init()
        let read = bytes.withUnsafeBytes {
            BN_bin2bn($0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count), pointer)
        }
        _ = try check(read)
        BN_set_flags(pointer, BN_FLG_CONSTTIME)
    }

    deinit {
        BN_clear_free(pointer)
    }

    /// Whether the number is at least 1 and below the group's order.
    func isScalar(of group: OpaquePointer) -> Bool {
        BN_is_zero(pointer) == 0 && BN_cmp(pointer, EC_GROUP_get0_order(group)) < 0
    }
}

/// A point in OpenSSL's memory. It is wiped when it is released.
private final class Point {
    let pointer: OpaquePointer

    /// Makes the point at infinity.
    init(on group: OpaquePointer) throws {
        pointer = try check(EC_POINT_new(group))
    }

    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the bytes are not a point of the curve, or are the point
    ///   at infinity.
    convenience init(decoding bytes: [UInt8], on group: OpaquePointer) throws {
        try self.init(on: group)
        guard EC_POINT_oct2point(group, pointer, bytes, bytes.count, nil) == 1,
            EC_POINT_is_at_infinity(group, pointer) == 0
        else {
            ERR_clear_error()
            throw PrimeCurve.invalid
        }
    }

    deinit {
        EC_POINT_clear_free(pointer)
    }

    /// The uncompressed form: 0x04, X, Y.
    func uncompressed(on group: OpaquePointer, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let written = EC_POINT_point2oct(group, pointer, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
        guard written == bytes.count else { throw CryptoKitError.fromOpenSSL() }
        return bytes
    }
}
