import Testing

@testable import HILBench

@Suite("The offset of a board's clock")
struct ClockEstimateTests {
    private let second: UInt64 = 1_000_000_000

    @Test("The exchange with the shortest round trip decides, and bounds the error by half of it")
    func best() {
        var clock = ClockEstimate()
        #expect(clock.bound == nil)
        #expect(clock.text == "unknown")
        // 100 ms there and back; the board is 5 s ahead.
        clock.add(sent: 10 * second, there: 15 * second + 50_000_000, received: 10 * second + 100_000_000)
        #expect(clock.offset == 5_000_000_000)
        #expect(clock.bound == 50_000_000)
        clock.add(sent: 11 * second, there: 16 * second + 11_000_000, received: 11 * second + 2_000_000)
        #expect(clock.offset == 5_010_000_000)
        #expect(clock.bound == 1_000_000)
        #expect(clock.text == "+5010.0 ms (± 1.0 ms)")
        #expect(clock.here(16 * second) == 10_990_000_000)
    }

    @Test("A board that is behind, and a clock of ours that jumps back")
    func behind() {
        var clock = ClockEstimate()
        clock.add(sent: 20 * second, there: 19 * second + 500_000_000, received: 20 * second)
        #expect(clock.offset == -500_000_000)
        #expect(clock.here(19 * second) == 19 * second + 500_000_000)
        clock.add(sent: 20 * second, there: 3 * second, received: 19 * second)
        #expect(clock.offset == -500_000_000)
    }

    @Test("Old exchanges are forgotten, because quartzes drift")
    func forgetting() {
        var clock = ClockEstimate()
        clock.add(sent: 0, there: 0, received: 2)
        clock.add(sent: 40 * second, there: 41 * second, received: 40 * second + 10_000)
        #expect(clock.offset == 999_995_000)
    }
}
