import RigModel
import Testing

struct AnswerTimesTests {
    private let start = ContinuousClock.now

    /// Heartbeats with these round trips, half a second after each other.
    private func times(_ milliseconds: [Int]) -> (AnswerTimes, ContinuousClock.Instant) {
        var (times, time) = (AnswerTimes(), start)
        for trip in milliseconds {
            times.ask(at: time)
            time += .milliseconds(trip)
            times.answer(at: time)
            time += .milliseconds(500)
        }
        return (times, time)
    }

    @Test("Answers within a tenth of a second are never late; of a later one, what is beyond it counts")
    func due() {
        let (inTime, end) = times([5, 90, 20])
        #expect(inTime.late(at: end) == .zero)
        let (late, later) = times([5, 400, 20, 1_100])
        #expect(late.late(at: later) == .milliseconds(300 + 1_000))
    }

    @Test("Where the best answer needs long by itself, an answer is late after three times that")
    func slowLine() {
        let (times, end) = times([200, 550, 700])
        #expect(times.late(at: end) == .milliseconds(100 + 100))
    }

    @Test("An answer that has not come counts until now, and once when it comes")
    func outstanding() {
        var (times, end) = times([5])
        times.ask(at: end)
        #expect(times.late(at: end + .seconds(3)) == .milliseconds(2_900))
        times.answer(at: end + .seconds(4))
        #expect(times.late(at: end + .seconds(9)) == .milliseconds(3_900))
        times.answer(at: end + .seconds(20))
        #expect(times.late(at: end + .seconds(30)) == .milliseconds(3_900), "an answer that nobody asked for")
    }
}
