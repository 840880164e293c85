import Foundation

/// Welch's test: whether the means of two sets of samples differ. The sets may have different variances.
///
/// B. L. Welch, “The generalization of ‘Student's’ problem when several different population variances are involved”,
/// Biometrika 34 (1947).
package struct WelchTest: Sendable, Hashable {
    /// The difference of the means, in its standard error.
    package let t: Double
    /// The degrees of freedom, by Welch and Satterthwaite.
    package let freedom: Double
    /// The chance, 0 to 1, that samples of the same kind differ so much, in either direction. Of samples that do not vary
    /// at all it is 0 if they differ, else 1.
    package let p: Double

    /// - Parameters: The samples of both sides, at least two each.
    package init(_ first: [Double], _ second: [Double]) {
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        func share(_ values: [Double]) -> Double {
            let middle = mean(values)
            let squares = values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
            return squares / Double(values.count - 1) / Double(values.count)
        }
        let (one, two) = (share(first), share(second))
        let difference = mean(first) - mean(second)
        guard one + two > 0 else {
            (t, freedom, p) = (difference == 0 ? 0 : .infinity, .infinity, difference == 0 ? 1 : 0)
            return
        }
        t = difference / (one + two).squareRoot()
        freedom =
            (one + two) * (one + two)
            / (one * one / Double(first.count - 1) + two * two / Double(second.count - 1))
        // The two-sided p of Student's distribution is an incomplete beta function (DLMF 8.17.1; Abramowitz and Stegun 26.7.1).
        p = WelchTest.beta(freedom / (freedom + t * t), freedom / 2, 0.5)
    }

    /// How many terms of the continued fraction are evaluated: some ten would do for few samples, a hundred for thousands.
    private static let terms = 200

    /// The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22), from the last term to the first.
    static func beta(_ x: Double, _ a: Double, _ b: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        // The fraction converges fast only on this side; the other side follows by symmetry (DLMF 8.17.4).
        if x > (a + 1) / (a + b + 2) { return 1 - beta(1 - x, b, a) }
        var fraction = 1.0
        for number in (1...terms).reversed() {
            let m = Double(number / 2)
            let term: Double
            if number.isMultiple(of: 2) {
                term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            } else {
                term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            }
            fraction = 1 + term / fraction
        }
        let scale: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
        let power: Double = a * log(x) + b * log(1 - x)
        return exp(power + scale) / (a * fraction)
    }
}
