import Testing

@testable import HILAudit

@Suite("The search for the shortest list")
struct ShortestListTests {
    /// Searches, and counts the trials.
    private static func search(_ list: [Int], _ doesIt: ([Int]) -> Bool) -> (found: [Int], trials: Int) {
        var search = ShortestList(list)
        var trials = 0
        while let candidate = search.candidate, trials < 10_000 {
            search.take(doesIt: doesIt(candidate))
            trials += 1
        }
        return (search.elements, trials)
    }

    @Test("One element among many is found by halving")
    func one() {
        for place in [0, 1, 17, 500, 998, 999] {
            let (found, trials) = Self.search(Array(0..<1000)) { $0.contains(place) }
            #expect(found == [place])
            #expect(trials <= 24, "\(trials) trials for \(place)")
        }
    }

    @Test("Elements that do it only together are all kept, in their order")
    func several() {
        for needed in [[3, 4], [0, 31], [1, 15, 30], [5, 6, 7, 8]] {
            let (found, trials) = Self.search(Array(0..<32)) { list in needed.allSatisfy(list.contains) }
            #expect(found == needed)
            #expect(trials < 150)
        }
    }

    @Test("A list of which nothing can be left out stays as it is")
    func all() {
        for list in [[1], [1, 2], [1, 2, 3], Array(0..<9)] {
            #expect(Self.search(list) { $0 == list }.found == list)
        }
        #expect(ShortestList([Int]()).candidate == nil)
    }
}
