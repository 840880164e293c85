import BoardProtocol
import RadioModel

/// An event of a running scenario.
package enum ScenarioEvent: Sendable, Codable {
    /// The agents are being greeted and the radios plugged in.
    case preparing
    /// Agents are greeted, clocks set and radios powered. The versions are by board, then by name.
    case boardsReady(versions: [String: [String: String]])
    /// The body starts. Its budget, in seconds, runs from now on.
    case bodyBegan(budget: Double)
    /// A step begins; the budget is in seconds. Its number counts the steps of an attempt from 1; nil in records of
    /// format 1.
    case stepBegan(name: String, budget: Double, at: SourceLocation, number: Int? = nil)
    /// The step of this number has ended, after so many seconds.
    case stepEnded(name: String, seconds: Double, outcome: StepOutcome, number: Int? = nil)
    /// An expectation was checked.
    case expectation(text: String, held: Bool, at: SourceLocation)
    /// The phone's screen, its person, its app or its radio.
    case phone(PhoneNote)
    /// A screen was drawn into files.
    case drawn(ScreenPicture)
    /// An accessory reported an event.
    case accessory(AccessoryNote)
    /// An accessory's hook reported the version of its firmware.
    case accessoryVersion(name: String, version: String)
    /// The air reported an event: a fault fired, a move ended, a radio was plugged in.
    case air(AirNote)
    /// From now on this address on the air belongs to this device: `the accessory board's adapter (Lamp 7)`.
    case onAir(DeviceAddress, String)
    /// The rig lacks something that the scenario needs. The scenario is skipped, whatever it does from now on.
    case lacks(Lack)
    /// Something failed. A scenario may have several failures.
    case failure(Failure)
    /// What the worker was doing when the scenario's budget was over.
    case standing(text: String)
    /// A note of the scenario, for people.
    case note(text: String)
    /// A note of the runner, for people.
    case remark(text: String)
    /// The worker is crashing, as its log says. Its backtrace follows in the log, and its failure when it has ended.
    case crashing(text: String)
    /// The scenario waited for something, for so many seconds. The wait has just ended.
    case waited(what: String, seconds: Double)
    /// The system of a board could not run for so many seconds, as its agent noticed afterwards.
    case stood(board: BoardRole, seconds: Double)
    /// The scenario is played by hand.
    case play(PlayNote)
    /// What was seen in a trial of an exploration.
    case trial(TrialNote)
    /// What a check of an audit tried, and what came.
    case audit(AuditNote)
    /// The body has ended. The capture is closed next.
    case bodyEnded(seconds: Double)
    /// The scenario has failed and waits, with everything unchanged, until somebody has looked at it.
    case paused
    /// The last event of a worker.
    case done
}

/// The names that unlabelled values of the cases have in JSON.
extension ScenarioEvent {
    enum EventKey: String, CodingKey { case _0 = "event" }
    enum FailureCodingKeys: String, CodingKey { case _0 = "failure" }

    enum DrawnCodingKeys: String, CodingKey { case _0 = "picture" }

    enum OnAirCodingKeys: String, CodingKey { case _0 = "address", _1 = "whose" }

    enum LacksCodingKeys: String, CodingKey { case _0 = "what" }

    typealias PhoneCodingKeys = EventKey
    typealias TrialCodingKeys = EventKey
    typealias AuditCodingKeys = EventKey
    typealias PlayCodingKeys = EventKey
    typealias AirCodingKeys = EventKey
    typealias AccessoryCodingKeys = EventKey
}

/// The files with the drawings of a screen.
package struct ScreenPicture: Sendable, Hashable, Codable {
    /// The position of the screen among those that the phone showed in the attempt, from 1.
    package var number: Int
    /// The drawing in light appearance, relative to the attempt's folder: `screens/03-setting-up.light.svg`.
    package var light: String
    /// The drawing in dark appearance, relative to the attempt's folder.
    package var dark: String

    package init(number: Int, light: String, dark: String) {
        self.number = number
        self.light = light
        self.dark = dark
    }
}

/// How a step ended.
package enum StepOutcome: String, Sendable, Hashable, Codable {
    case done
    /// It threw an error, perhaps as the scenario expects.
    case threw
    /// It missed its budget.
    case overran
}

/// An event with its time.
package struct StampedEvent: Sendable, Codable {
    /// Nanoseconds since 1970.
    package var time: UInt64
    package var event: ScenarioEvent

    package init(time: UInt64, event: ScenarioEvent) {
        self.time = time
        self.event = event
    }
}

extension ScenarioEvent {
    private static let notSeen = "not seen: "

    /// Nobody has seen something that a scenario expects, although that scenario goes on.
    package static func notSeen(_ what: String, because why: String) -> ScenarioEvent {
        .remark(text: "\(notSeen)\(what) (\(why))")
    }

    /// What nobody has seen, and why; nil for another event.
    package var whatWasNotSeen: String? {
        guard case .remark(let text) = self, text.hasPrefix(Self.notSeen) else { return nil }
        return String(text.dropFirst(Self.notSeen.count))
    }
}
