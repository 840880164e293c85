/// How long a board has left heartbeats unanswered, since its connection stands.
///
/// Who asks again only after an answer gets few of them from a board that is slow: what counts is the time that it
/// owed an answer, not the number of late ones.
package struct AnswerTimes: Sendable, Equatable {
    /// No answer is late within this time, whatever the connection.
    package static let due = Duration.milliseconds(100)
    /// With a connection that is slow by itself, an answer is late after its best round trip, this many times.
    private static let slack = 3

    private var late = Duration.zero
    private var best: Duration?
    private var asked: ContinuousClock.Instant?

    package init() {}

    /// A heartbeat was sent.
    package mutating func ask(at time: ContinuousClock.Instant) { asked = time }

    /// Its answer has come.
    package mutating func answer(at time: ContinuousClock.Instant) {
        guard let asked else { return }
        late += lateness(from: asked, to: time)
        best = min(best ?? .seconds(3600), asked.duration(to: time))
        self.asked = nil
    }

    /// How long answers were late until now, one that has not come yet included.
    package func late(at time: ContinuousClock.Instant) -> Duration {
        late + (asked.map { lateness(from: $0, to: time) } ?? .zero)
    }

    private func lateness(from asked: ContinuousClock.Instant, to time: ContinuousClock.Instant) -> Duration {
        let due = max(AnswerTimes.due, (best ?? .zero) * AnswerTimes.slack)
        return max(.zero, asked.duration(to: time) - due)
    }
}
