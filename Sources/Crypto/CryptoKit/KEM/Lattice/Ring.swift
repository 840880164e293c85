/// Arithmetic modulo 3329, and the constants of the number-theoretic transform (FIPS 203, 2.4).
///
/// Every operation takes the same time for all operands: no branch, no division and no table access depends on them.
/// The compiler may change that where it knows more of an operand, so a test runs the release build under valgrind,
/// which reports every branch and every address that depends on a secret. Products use Montgomery reduction with the
/// radix 2¹⁶: the result of a product is divided by 2¹⁶.
enum Ring {
    /// The prime `q` of FIPS 203, 2.4.1.
    static let modulus: Int16 = 3329
    /// The number of coefficients of a polynomial.
    static let degree = 256

    /// 3329⁻¹ modulo 2¹⁶.
    private static let inverse: Int16 = {
        // Each step of Newton's iteration doubles the number of correct low bits: 3, 6, 12, 24.
        var x = modulus
        for _ in 0..<3 { x = x &* (2 &- modulus &* x) }
        return x
    }()

    /// `product` divided by 2¹⁶, between −3329 and 3329; `product` is within ±3329·2¹⁵.
    @inline(__always)
    static func reduce(_ product: Int32) -> Int16 {
        let quotient = Int16(truncatingIfNeeded: product) &* inverse
        return Int16(truncatingIfNeeded: (product &- Int32(quotient) &* Int32(modulus)) >> 16)
    }

    /// `a` times `b`, divided by 2¹⁶.
    @inline(__always)
    static func multiply(_ a: Int16, _ b: Int16) -> Int16 { reduce(Int32(a) &* Int32(b)) }

    /// The same residue between −1664 and 1664.
    @inline(__always)
    static func center(_ a: Int16) -> Int16 {
        // 20159 is 2²⁶/3329, rounded.
        let quotient = Int16(truncatingIfNeeded: (Int32(a) &* 20159 &+ (1 << 25)) >> 26)
        return a &- quotient &* modulus
    }

    /// The same residue from 0 to 3328; `a` is between −3329 and 3328.
    @inline(__always)
    static func standard(_ a: Int16) -> Int16 { a &+ ((a >> 15) & modulus) }

    /// `n` divided by 3329, rounded down; `n` is below 2²³.
    @inline(__always)
    static func quotient(_ n: UInt32) -> UInt32 {
        // 20642680 is 2³⁶/3329, rounded up: the error stays below 1/3329 for every such n.
        UInt32(truncatingIfNeeded: (UInt64(n) &* 20_642_680) >> 36)
    }

    /// 17 to the power of the index with its seven bits reversed (FIPS 203, appendix A), times 2¹⁶.
    static let zetas: [Int16] = (0..<128).map { index in
        let exponent = (0..<7).reduce(0) { $0 | ((index >> $1) & 1) << (6 - $1) }
        return centered((0..<exponent).reduce(1 << 16) { value, _ in value * 17 % Int(modulus) })
    }

    /// 2³². Multiplying by it undoes the division of a product by 2¹⁶.
    static let radixSquared = centered(1 << 32)

    /// 2³²/128. Multiplying by it ends the inverse transform and undoes the division of a product by 2¹⁶.
    static let inverseScale = centered(1 << 25)

    private static func centered(_ value: Int) -> Int16 {
        let residue = value % Int(modulus)
        return Int16(residue > Int(modulus) / 2 ? residue - Int(modulus) : residue)
    }
}
