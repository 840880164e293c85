import Foundation

/// The test of Mann and Whitney: whether one of two sets of samples tends to be larger than the other. It assumes
/// nothing about how the samples are spread, so one outlier of a busy machine does not fool it.
///
/// H. B. Mann and D. R. Whitney, “On a test of whether one of two random variables is stochastically larger than the
/// other”, Annals of Mathematical Statistics 18 (1947).
package struct MannWhitney: Sendable, Hashable {
    /// The fewest samples of each side. With three and three even the clearest difference has p = 0.1.
    package static let fewest = 4
    /// The most samples of each side for which p is exact.
    private static let mostExact = 25

    /// In how many pairs the sample of the first side is the larger one; equal ones count half.
    package let u: Double
    /// The chance, 0 to 1, that samples of the same kind differ so much, in either direction.
    package let p: Double

    /// - Parameters: The samples of both sides. Nil if one of them has fewer than ``fewest``.
    package init?(_ first: [Double], _ second: [Double]) {
        guard min(first.count, second.count) >= MannWhitney.fewest else { return nil }
        self.init(any: first, second)
    }

    /// The same for any number of samples above zero.
    init(any first: [Double], _ second: [Double]) {
        let groups = MannWhitney.groups(first, second)
        // Twice the sum of the first side's ranks, so that the mean ranks of equal samples are whole numbers.
        let ranks = zip(groups.ranks, groups.ofFirst).reduce(0) { $0 + $1.0 * $1.1 }
        let least = first.count * (first.count + 1)
        u = Double(ranks - least) / 2
        p =
            max(first.count, second.count) <= MannWhitney.mostExact
            ? MannWhitney.exact(groups, first.count, ranks)
            : MannWhitney.normal(u, groups.sizes, first.count, second.count)
    }

    /// The samples of both sides in groups of equal ones, from the smallest.
    private struct Groups {
        var sizes: [Int] = []
        /// How many of each group are of the first side.
        var ofFirst: [Int] = []
        /// Twice the mean rank of each group.
        var ranks: [Int] = []
    }

    private static func groups(_ first: [Double], _ second: [Double]) -> Groups {
        let all = (first.map { ($0, 1) } + second.map { ($0, 0) }).sorted { $0.0 < $1.0 }
        var groups = Groups()
        var last: Double?
        for (value, ofFirst) in all {
            if value != last {
                groups.sizes.append(0)
                groups.ofFirst.append(0)
                last = value
            }
            groups.sizes[groups.sizes.count - 1] += 1
            groups.ofFirst[groups.ofFirst.count - 1] += ofFirst
        }
        var before = 0
        for size in groups.sizes {
            groups.ranks.append(2 * before + size + 1)
            before += size
        }
        return groups
    }

    /// The exact p: of all ways to choose the first side's samples, the share whose sum of ranks is at least as far out.
    private static func exact(_ groups: Groups, _ count: Int, _ ranks: Int) -> Double {
        let most = zip(groups.ranks, groups.sizes).reduce(0) { $0 + $1.0 * $1.1 }
        // ways[k][s]: how many choices of k samples have ranks of which twice the sum is s. At most 50 over 25, which a
        // Double holds exactly.
        var ways = [[Double]](repeating: [Double](repeating: 0, count: most + 1), count: count + 1)
        ways[0][0] = 1
        for (rank, size) in zip(groups.ranks, groups.sizes) {
            var next = ways
            for chosen in 1...min(size, count) {
                let choices = binomial(size, chosen)
                for k in chosen...count {
                    for sum in stride(from: rank * chosen, through: most, by: 1) {
                        next[k][sum] += choices * ways[k - chosen][sum - rank * chosen]
                    }
                }
            }
            ways = next
        }
        let all = ways[count].reduce(0, +)
        let below = ways[count][...ranks].reduce(0, +)
        let above = ways[count][ranks...].reduce(0, +)
        return min(1, 2 * min(below, above) / all)
    }

    private static func binomial(_ n: Int, _ k: Int) -> Double {
        (0..<k).reduce(1) { $0 * Double(n - $1) / Double($1 + 1) }.rounded()
    }

    /// The p of the normal distribution, which the exact one approaches, with the corrections for equal samples and for
    /// steps of one half (E. L. Lehmann, “Nonparametrics”, 1.3 and 1.4).
    private static func normal(_ u: Double, _ sizes: [Int], _ m: Int, _ n: Int) -> Double {
        let (m, n) = (Double(m), Double(n))
        let all = m + n
        let ties = sizes.reduce(0.0) { $0 + Double($1) * (Double($1) * Double($1) - 1) }
        let variance = m * n / 12 * ((all + 1) - ties / (all * (all - 1)))
        if variance <= 0 { return 1 }
        let distance = max(0, abs(u - m * n / 2) - 0.5)
        return min(1, erfc(distance / variance.squareRoot() / 2.0.squareRoot()))
    }
}
