/// Sorting a hundred thousand numbers, always the same: what a processor's caches and branches give in this hour.
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

    /// Milliseconds by the wall clock, so often: what neighbours of the machine take shows in it.
    static func samples(count: Int) -> [Double] {
        (0..<count).map { _ in
            let began = ContinuousClock.now
            let sorted = numbers.sorted()
            let length = (ContinuousClock.now - began) / .milliseconds(1)
            // Without a use it would be left out.
            return sorted.count == numbers.count ? length : .nan
        }
    }
}
