import HILRecord

@testable import HILExploration

/// Runs without a fault, for tests.
enum Journeys {
    static let write = Moment(.attribute, "write(FF03)")
    static let passkey = Moment(.screen, "screen(passkey)")
    static let step = Moment(.step, "step(pair)")

    /// A passing run with these moments. A link is up from the first packet on.
    static func run(
        _ moments: [Moment] = [step, passkey, write], state: [TrialFact: Int] = usual, left: [TrialFact: Int] = [:],
        second: TrialNote.Attempt? = nil
    ) -> TrialNote {
        var note = TrialNote()
        note.moments = moments.enumerated().map { index, moment in
            JourneyMoment(
                moment, seconds: Double(index) / 10, controls: moment.layer == .screen ? ["cancel"] : [],
                hasLink: moment.layer.isPacket)
        }
        note.attempts = [.init(.passed, seconds: 1), second ?? .init(.passed, seconds: 1)]
        (note.state, note.leftovers) = (state, left)
        return note
    }

    static let usual: [TrialFact: Int] = [.phoneBonds: 1, .accessoryBonds: 1, .accessories: 1]

    /// A trial whose fault happened, with these attempts.
    static func trial(
        _ attempts: TrialNote.Attempt..., state: [TrialFact: Int] = usual, left: [TrialFact: Int] = [:]
    ) -> TrialNote {
        var note = TrialNote()
        (note.isReached, note.proof, note.attempts) = (true, "it happened", attempts)
        (note.state, note.leftovers) = (state, left)
        return note
    }
}
