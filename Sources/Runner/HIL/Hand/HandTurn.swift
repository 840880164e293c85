import HILPOSIX
import HILRecord

/// What a scenario says to the person who has the phone in their hand, or asks of them.
package struct HandTurn: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A scenario begins.
        case begin
        /// Nothing is asked.
        case tell
        /// Something to do on the phone.
        case act
        /// A question about what only the phone knows.
        case ask
        /// The accessory has not reported something yet.
        case late
        /// The scenario has ended.
        case end
    }

    /// Its number in the scenario; the beginning is 0.
    package var number: Int
    package var kind: Kind
    /// What to do, or what is asked, as a sentence.
    package var text: String
    /// The screen of the simulated phone, relative to the scenario's folder; nil for none.
    package var picture: ScreenPicture?
    /// What the simulated person did, for a program in the person's place; nil if it is nothing on a screen.
    package var action: ActionNote?
    /// The six digits that the accessory shows; nil for none.
    package var passkey: String?
    /// The path of the Unix socket of a controller for a program in the phone's place; nil if the air is real.
    package var socket: String?
    /// The home's network; nil if none is open. The record does not have it.
    package var home: HandHome?
    /// What the person may answer; empty if nothing is asked.
    package var answers: [HandAnswer]

    package init(
        _ kind: Kind, number: Int, _ text: String, picture: ScreenPicture? = nil, action: ActionNote? = nil,
        passkey: String? = nil, socket: String? = nil, home: HandHome? = nil
    ) {
        (self.kind, self.number, self.picture, self.action) = (kind, number, picture, action)
        (self.passkey, self.socket, self.home) = (passkey, socket, home)
        self.text = PlainText.cut(text, to: PlainText.longestValue)
        answers = HandTurn.answers(to: kind)
    }

    private static func answers(to kind: Kind) -> [HandAnswer] {
        switch kind {
        case .begin, .tell, .end: []
        case .act: [.done, .no, .skip]
        case .ask: [.yes, .no, .skip]
        case .late: [.wait, .no]
        }
    }
}

/// What the person says.
package enum HandAnswer: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is done.
    case done
    /// It is so.
    case yes
    /// It was not possible, or is not so.
    case no
    /// It cannot be done or seen with this phone.
    case skip
    /// It may still come.
    case wait
}

/// An answer to the turn with this number.
package struct HandReply: Sendable, Hashable, Codable {
    package var number: Int
    package var answer: HandAnswer
    /// Why there is no answer, as a clause; nil if there is one.
    package var problem: String?

    /// - Parameter problem: Why there is no answer, as a clause; nil if there is one.
    package init(to number: Int, _ answer: HandAnswer, problem: String? = nil) {
        (self.number, self.answer, self.problem) = (number, answer, problem)
    }
}

/// Where the person is asked.
package protocol HandDesk: Sendable {
    /// Says something that has no answer.
    func tell(_ turn: HandTurn)

    /// Asks, and waits without a limit of time.
    ///
    /// - Throws: `CancellationError`.
    func ask(_ turn: HandTurn) async throws -> HandAnswer
}
