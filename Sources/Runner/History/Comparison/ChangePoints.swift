/// Where a series of times changed for good: the points after which the samples differ from those before.
///
/// The points are found by energy statistics, one after the other, each where the two sides differ most (D. S. Matteson and
/// N. A. James, “A nonparametric approach for multiple change point analysis of multivariate data”, Journal of the American
/// Statistical Association 109 (2014)). Welch's t-test decides whether one counts, as in Hunter (M. Fleming and
/// others, “Hunter: Using Change Point Detection to Hunt for Performance Regressions”, 2023), which made Otava.
package enum ChangePoints {
    /// The fewest samples. With fewer, the chance of a meaningless point is too large.
    package static let fewest = 50
    /// A point counts if the chance that there is no change is below this.
    package static let alpha = 0.001
    /// The fewest samples on each side of a point.
    private static let fewestOfSide = 4

    /// A point in a series.
    package struct Point: Sendable, Hashable {
        /// The place of the first sample after the change.
        package var place: Int
        /// The medians on both sides, up to the next points.
        package var before, after: Double
        /// The chance that there is no change, by Welch's t-test.
        package var p: Double
    }

    /// The points of a series, the earliest first.
    ///
    /// - Parameters:
    ///   - series: Seconds, from the oldest to the newest.
    ///   - least: The least change that counts.
    /// - Returns: nil if there are fewer samples than ``fewest``.
    package static func find(_ series: [Double], least: StepTimes.LeastChange = .standard) -> [Point]? {
        guard series.count >= fewest else { return nil }
        var borders = [0, series.count]
        var open = [0..<series.count]
        while let range = open.popLast() {
            guard let place = split(series[range]),
                isChange(series[range.lowerBound..<place], series[place..<range.upperBound])
            else { continue }
            borders.append(place)
            open += [range.lowerBound..<place, place..<range.upperBound]
        }
        borders.sort()
        return points(series, &borders, least)
    }

    /// The points between neighbouring parts. Points that a later one made needless are removed, the weakest first.
    private static func points(
        _ series: [Double], _ borders: inout [Int], _ least: StepTimes.LeastChange
    ) -> [Point] {
        while true {
            let points = (1..<max(1, borders.count - 1)).map { number -> Point in
                let (before, after) = (
                    Array(series[borders[number - 1]..<borders[number]]),
                    Array(series[borders[number]..<borders[number + 1]])
                )
                return Point(
                    place: borders[number], before: before.middle, after: after.middle, p: WelchTest(before, after).p)
            }
            let weak = points.filter { point in
                let change = abs(point.after - point.before)
                return !(point.p < alpha) || change < least.seconds || change < least.share * point.before
            }
            guard let weakest = weak.max(by: { $0.p < $1.p }) else { return points }
            borders.removeAll { $0 == weakest.place }
        }
    }

    private static func isChange(_ before: ArraySlice<Double>, _ after: ArraySlice<Double>) -> Bool {
        WelchTest(Array(before), Array(after)).p < alpha
    }

    /// The place at which the energy distance of both sides, weighted by their sizes, is largest; nil if a side would be
    /// too small.
    private static func split(_ part: ArraySlice<Double>) -> Int? {
        let values = Array(part)
        guard values.count >= 2 * fewestOfSide else { return nil }
        // The sums of the distances within both sides, and between them, as one value after the other changes sides.
        var (left, right, between) = (0.0, 0.0, 0.0)
        for (place, value) in values.enumerated() {
            for other in values[(place + 1)...] { right += abs(value - other) }
        }
        var best: (place: Int, weight: Double)?
        for place in values.indices.dropLast() {
            let toLeft = values[..<place].reduce(0) { $0 + abs($1 - values[place]) }
            let toRight = values[(place + 1)...].reduce(0) { $0 + abs($1 - values[place]) }
            left += toLeft
            right -= toRight
            between += toRight - toLeft
            let (n, m) = (Double(place + 1), Double(values.count - place - 1))
            guard Int(n) >= fewestOfSide, Int(m) >= fewestOfSide else { continue }
            let energy = 2 / (n * m) * between - 2 / (n * (n - 1)) * left - 2 / (m * (m - 1)) * right
            let weight = n * m / (n + m) * energy
            if weight > best?.weight ?? 0 { best = (part.startIndex + place + 1, weight) }
        }
        return best?.place
    }
}

extension [Double] {
    /// The median; not a number if there are no values.
    fileprivate var middle: Double {
        let sorted = sorted()
        return isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
