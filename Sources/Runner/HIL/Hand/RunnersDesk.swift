import HILRecord
import HILTiming

/// Asks through the runner, which has the terminal.
package struct RunnersDesk: HandDesk {
    private let recorder: ScenarioRecorder
    private let replies: EventLog<HandReply>

    /// - Parameter replies: What the runner passes on.
    package init(recorder: ScenarioRecorder, replies: EventLog<HandReply>) {
        (self.recorder, self.replies) = (recorder, replies)
    }

    package func tell(_ turn: HandTurn) { recorder.record(hand: turn) }

    package func ask(_ turn: HandTurn) async throws -> HandAnswer {
        recorder.record(hand: turn)
        let reply = try await replies.first { $0.number == turn.number && turn.answers.contains($0.answer) }.event
        if let problem = reply.problem { throw RigFailure("asking the person: \(turn.text)", problem) }
        let answer = reply.answer
        recorder.record(.note(text: "the person: \(answer.rawValue)"))
        return answer
    }
}

extension ScenarioRecorder {
    fileprivate func record(hand turn: HandTurn) {
        let text =
            switch turn.kind {
            case .begin: "the person is asked from now on, and no limit of time runs while it is their turn"
            case .act: "to do: \(turn.text)"
            case .ask, .late: "to the person: \(turn.text)"
            case .tell: turn.text
            case .end: "the person is asked nothing more"
            }
        record(.note(text: text), played: .hand(turn))
    }
}
