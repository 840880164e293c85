import Testing

@testable import HILHistory

/// The test of Mann and Whitney, against published results.
struct MannWhitneyTests {
    @Test("The exact chance is that of Hollander and Wolfe's example of permeability, as R's wilcox.test gives it")
    func hollanderWolfe() throws {
        // M. Hollander and D. A. Wolfe, “Nonparametric Statistical Methods” (1973), page 69: W = 35, one-sided p 0.1272.
        let first = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
        let second = [1.15, 0.88, 0.90, 0.74, 1.21]
        let test = try #require(MannWhitney(first, second))
        #expect(test.u == 35)
        #expect(abs(test.p - 0.2544) < 0.0001, "\(test.p)")
        // The other way round the pairs are counted from the other side, and the chance is the same.
        #expect(MannWhitney(second, first)?.u == 15 && MannWhitney(second, first)?.p == test.p)
    }

    @Test("The exact chance is that of SciPy's example of ages at diagnosis")
    func scipy() throws {
        // The documentation of scipy.stats.mannwhitneyu: U1 = 17, p = 1/9.
        let test = try #require(MannWhitney([19, 22, 16, 29, 24], [20, 11, 17, 12]))
        #expect(test.u == 17)
        #expect(abs(test.p - 1.0 / 9) < 1e-12, "\(test.p)")
    }

    @Test(
        "The chances of four and four are those of Mann and Whitney's table",
        arguments: zip([0, 1, 2, 3, 4, 5, 6, 7], [0.014, 0.029, 0.057, 0.100, 0.171, 0.243, 0.343, 0.443]))
    func table(u: Int, p: Double) throws {
        // Four of the numbers 1 to 8 with this sum of ranks are those with the wanted U.
        let wanted = (0..<256).first { choice in
            choice.nonzeroBitCount == 4 && (0..<8).reduce(0) { $0 + ($1 + 1) * (choice >> $1 & 1) } == 10 + u
        }
        let choice = try #require(wanted)
        let (first, second) = ((0..<8).filter { choice >> $0 & 1 == 1 }, (0..<8).filter { choice >> $0 & 1 == 0 })
        let test = try #require(MannWhitney(first.map(Double.init), second.map(Double.init)))
        #expect(test.u == Double(u))
        #expect(abs(test.p / 2 - p) < 0.0005, "\(test.p / 2)")
    }

    @Test(
        "With equal samples the exact chance is that of counting every choice",
        arguments: [
            ([1.0, 1, 2, 3], [1.0, 2, 2, 4, 4]), ([5.0, 5, 5, 5], [5.0, 5, 5, 5]), ([1.0, 2, 2, 2], [2.0, 2, 3, 9]),
        ])
    func ties(first: [Double], second: [Double]) throws {
        let all = first + second
        func u(_ choice: Int) -> Double {
            let ours = all.indices.filter { choice >> $0 & 1 == 1 }.map { all[$0] }
            let others = all.indices.filter { choice >> $0 & 1 == 0 }.map { all[$0] }
            return ours.reduce(0) { sum, one in sum + others.reduce(0) { $0 + (one > $1 ? 1 : one == $1 ? 0.5 : 0) } }
        }
        let seen = u((1 << first.count) - 1)
        let choices = (0..<(1 << all.count)).filter { $0.nonzeroBitCount == first.count }.map(u)
        let (below, above) = (choices.count { $0 <= seen }, choices.count { $0 >= seen })
        let p = min(1, 2 * Double(min(below, above)) / Double(choices.count))
        let test = try #require(MannWhitney(first, second))
        #expect(test.u == seen)
        #expect(abs(test.p - p) < 1e-12)
    }

    @Test("Above 25 samples the chance is that of the normal distribution, as SciPy's asymptotic method gives it")
    func normal() {
        let many = (0..<26).map(Double.init)
        let shifted = MannWhitney(any: many.map { $0 + 4.5 }, many)
        #expect(shifted.u == 445 && abs(shifted.p - 0.05128625596812427) < 1e-12, "\(shifted.p)")
        let pairs = (0..<30).map { Double($0 / 2) }
        let ties = MannWhitney(any: pairs.map { $0 + 2 }, pairs)
        #expect(ties.u == 562 && abs(ties.p - 0.09862818532933314) < 1e-12, "\(ties.p)")
        let equal = MannWhitney(any: [Double](repeating: 1, count: 30), [Double](repeating: 1, count: 30))
        #expect(equal.p == 1)
        let apart = MannWhitney(any: many, many.map { $0 + 100 })
        #expect(apart.u == 0 && apart.p < 1e-8)
    }

    @Test("Fewer than four samples of a side give no answer")
    func few() {
        #expect(MannWhitney([1, 2, 3], [4, 5, 6, 7]) == nil && MannWhitney([1, 2, 3, 4], []) == nil)
        #expect(MannWhitney([1, 2, 3, 4], [5, 6, 7, 8])?.p ?? 1 < 0.05)
    }
}
