/// Arithmetic modulo 8380417, and the constants of the number-theoretic transform (FIPS 204, 2.5 and 7.5).
///
/// No branch, no division and no table access depends on an operand. Products use Montgomery reduction with the radix
/// 2³²: the result of a product is divided by 2³².
enum SignatureRing {
    /// The prime `q` of FIPS 204, 2²³ − 2¹³ + 1.
    static let modulus: Int32 = 8_380_417
    /// The number of coefficients of a polynomial.
    static let degree = 256
    /// How many low bits of a coefficient a public key leaves out, `d` in FIPS 204.
    static let droppedBits: Int32 = 13
    /// The range of the mask of a signature, `γ1` in FIPS 204. It is the same for both sets.
    static let maskRange: Int32 = 1 << 19
    /// Half the distance of the values to which high bits are rounded, `γ2` in FIPS 204. It is the same for both sets.
    static let roundingRange: Int32 = (modulus - 1) / 32

    /// 8380417⁻¹ modulo 2³².
    private static let inverse: Int32 = {
        // Each step of Newton's iteration doubles the number of correct low bits.
        var x = modulus
        for _ in 0..<4 { x = x &* (2 &- modulus &* x) }
        return x
    }()

    /// `product` divided by 2³², between −8380417 and 8380417; `product` is within ±8380417·2³¹.
    @inline(__always)
    static func reduce(_ product: Int64) -> Int32 {
        let quotient = Int32(truncatingIfNeeded: product) &* inverse
        return Int32(truncatingIfNeeded: (product &- Int64(quotient) &* Int64(modulus)) >> 32)
    }

    /// `a` times `b`, divided by 2³².
    @inline(__always)
    static func multiply(_ a: Int32, _ b: Int32) -> Int32 { reduce(Int64(a) &* Int64(b)) }

    /// The same residue, within ±6283009; `a` is at most 2³¹ − 2²² − 1.
    @inline(__always)
    static func shorten(_ a: Int32) -> Int32 { a &- ((a &+ (1 << 22)) >> 23) &* modulus }

    /// The same residue from 0 to 8380416; `a` is within ±8380416.
    @inline(__always)
    static func standard(_ a: Int32) -> Int32 { a &+ ((a >> 31) & modulus) }

    /// The same residue between −4190208 and 4190208; `a` is from 0 to 8380416.
    @inline(__always)
    static func center(_ a: Int32) -> Int32 { a &- ((((modulus - 1) / 2) &- a) >> 31 & modulus) }

    /// The high and the low bits of a residue from 0 to 8380416: `Decompose`, algorithm 36.
    ///
    /// - Returns: A number from 0 to 15, and one within ±261888.
    @inline(__always)
    static func decompose(_ a: Int32) -> (high: Int32, low: Int32) {
        // Rounds to the nearest multiple of 2·261888 = 4092·128, by a product with 2²²/4092, rounded: 1025.
        let rounded = ((((a &+ 127) >> 7) &* 1025) &+ (1 << 21)) >> 22
        // The residues just below the prime belong to 0.
        let high = rounded & 15
        return (high, center(standard(a &- high &* (2 * roundingRange))))
    }

    /// 1753 to the power of the index with its eight bits reversed (FIPS 204, appendix B), times 2³².
    static let zetas: [Int32] = {
        var powers: [Int] = [centered(1 << 32)]
        for _ in 1..<256 { powers.append(powers[powers.count - 1] * 1753 % Int(modulus)) }
        return (0..<256).map { index in
            let exponent = (0..<8).reduce(0) { $0 | ((index >> $1) & 1) << (7 - $1) }
            return Int32(centered(powers[exponent]))
        }
    }()

    /// 2⁶⁴/256. Multiplying by it ends the inverse transform and undoes the division of a product by 2³².
    static let inverseScale = Int32(centered(1 << 56))

    private static func centered(_ value: Int) -> Int {
        let residue = value % Int(modulus)
        return residue > Int(modulus) / 2 ? residue - Int(modulus) : residue
    }
}
