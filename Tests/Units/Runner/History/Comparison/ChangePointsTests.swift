import Testing

@testable import HILHistory

struct ChangePointsTests {
    /// Noise of at most 0.02 that is the same each time.
    private func noisy(_ level: Double, _ count: Int, from start: Int = 0) -> [Double] {
        (start..<(start + count)).map { number in
            level + Double((number * 7919 + 104_729) % 401 - 200) / 10_000
        }
    }

    @Test("Welch's test gives the p of Student's distribution, as tables have it")
    func welch() {
        // Two-sided 5 % and 1 % points of Student's distribution (Abramowitz and Stegun, table 26.10).
        for (t, freedom, p) in [(12.706, 1.0, 0.05), (2.228, 10, 0.05), (3.169, 10, 0.01), (1.96, 1e6, 0.05)] {
            #expect(abs(WelchTest.beta(freedom / (freedom + t * t), freedom / 2, 0.5) - p) < 0.0001)
        }
        // With four degrees of freedom the distribution has a closed form.
        let test = WelchTest([1, 2, 3], [4, 5, 6])
        #expect(abs(test.t + 3.674_235) < 0.000_001 && abs(test.freedom - 4) < 0.000_001)
        #expect(abs(test.p - 0.021_312) < 0.000_01)
        #expect(WelchTest([1, 1], [1, 1]).p == 1 && WelchTest([1, 1], [2, 2]).p == 0)
    }

    @Test("A change for good is found where it is, with the medians of both sides")
    func one() throws {
        let points = try #require(ChangePoints.find(noisy(1, 30) + noisy(1.5, 30, from: 30)))
        #expect(points.map(\.place) == [30])
        #expect(abs(points[0].before - 1) < 0.02 && abs(points[0].after - 1.5) < 0.02 && points[0].p < 0.001)
    }

    @Test("Several changes are found in their order, also one back to where it was")
    func several() throws {
        let series = noisy(1, 25) + noisy(2, 25, from: 25) + noisy(1, 25, from: 50)
        #expect(try #require(ChangePoints.find(series)).map(\.place) == [25, 50])
    }

    @Test("Noise, single outliers and changes that nobody cares about are none")
    func none() throws {
        #expect(ChangePoints.find(noisy(1, 80)) == [])
        var outliers = noisy(1, 80)
        for place in [10, 40, 41, 70] { outliers[place] = 9 }
        #expect(ChangePoints.find(outliers) == [])
        #expect(ChangePoints.find(noisy(1, 40) + noisy(1.05, 40, from: 40)) == [], "5 % and 50 ms")
        #expect(
            try #require(
                ChangePoints.find(noisy(1, 40) + noisy(1.05, 40, from: 40), least: .init(share: 0.01, seconds: 0.01))
            ).count == 1)
        #expect(ChangePoints.find([Double](repeating: 1, count: 60)) == [])
    }

    @Test("Fewer than 50 samples are too few to say anything")
    func few() {
        #expect(ChangePoints.find(noisy(1, 24) + noisy(5, 25, from: 24)) == nil)
        #expect(ChangePoints.find(noisy(1, 25) + noisy(5, 25, from: 25))?.map(\.place) == [25])
    }
}
