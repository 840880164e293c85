/// A loop of additions and shifts, which takes longer when the machine is slow or busy.
enum PlainLoop {
    /// Runs it, and returns how long that took, in milliseconds.
    static func milliseconds() -> Double {
        let began = ContinuousClock.now
        var state: UInt64 = 88_172_645_463_325_252
        for _ in 0..<2_000_000 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
        }
        // A result that is never used might not be computed.
        precondition(state != 0)
        return (ContinuousClock.now - began) / .milliseconds(1)
    }
}
