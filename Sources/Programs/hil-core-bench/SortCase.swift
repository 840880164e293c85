/// Sorts the same hundred thousand numbers each time, to measure the machine's current speed.
enum SortCase {
    private static let numbers = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<100_000).map { _ in
            // Marsaglia's xorshift.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }()

    /// `count` samples in milliseconds of wall-clock time, so that other work on the machine shows.
    static func samples(count: Int) -> [Double] {
        (0..<count).map { _ in
            let began = ContinuousClock.now
            let sorted = numbers.sorted()
            let length = (ContinuousClock.now - began) / .milliseconds(1)
            // Used, so that the compiler does not remove the sort.
            return sorted.count == numbers.count ? length : .nan
        }
    }
}
