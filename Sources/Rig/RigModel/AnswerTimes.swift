/// How long a board has left heartbeats unanswered since it was connected.
///
/// The next heartbeat follows only after an answer, so a slow board gets few of them. What counts is the time of
/// pending answers, not the number of late ones.
package struct AnswerTimes: Sendable, Equatable {
    /// An answer within this time is never late, on any connection.
    package static let due = Duration.milliseconds(100)
    /// On a slow connection, an answer is late after this many times the best round trip.
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

    /// How long answers were late until now, including a pending one.
    package func late(at time: ContinuousClock.Instant) -> Duration {
        late + (asked.map { lateness(from: $0, to: time) } ?? .zero)
    }

    private func lateness(from asked: ContinuousClock.Instant, to time: ContinuousClock.Instant) -> Duration {
        let due = max(AnswerTimes.due, (best ?? .zero) * AnswerTimes.slack)
        return max(.zero, asked.duration(to: time) - due)
    }
}
