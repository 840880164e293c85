/// Ten million steps of a random generator (Marsaglia's xorshift), which need nothing but one processor.
enum LoopCase {
    /// Milliseconds by the wall clock, so often: what neighbours of the machine take shows in it.
    static func samples(count: Int) -> [Double] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            let began = ContinuousClock.now
            for _ in 0..<10_000_000 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
            }
            let length = (ContinuousClock.now - began) / .milliseconds(1)
            // Never zero; without a use the loop would be left out.
            return state == 0 ? .nan : length
        }
    }
}
