import BoardProtocol
import Phone
import RadioModel
import RigModel

/// What happens while a scenario runs, as its worker tells it.
package enum ScenarioEvent: Sendable, Codable {
    /// The agents are being greeted and the radios plugged in.
    case preparing
    /// Agents greeted, clocks set, radios powered; the versions by board.
    case boardsReady(versions: [String: [String: String]])
    /// The body starts, and with it the budget, in seconds.
    case bodyBegan(budget: Double)
    /// Seconds for ``budget``.
    case stepBegan(name: String, budget: Double, at: SourceLocation)
    case stepEnded(name: String, seconds: Double, outcome: StepOutcome)
    /// An expectation was checked.
    case expectation(text: String, held: Bool, at: SourceLocation)
    /// The phone's screen, its person, its app or its radio.
    case phone(PhoneEvent.Kind)
    /// An accessory told something of itself.
    case accessory(AccessoryNote)
    /// The air told something: a fault fired, a walk is over, a radio was plugged in.
    case air(AirEvent)
    /// From here on an address of the air is that device's: `the accessory board's adapter (Lamp 7)`.
    case onAir(DeviceAddress, String)
    /// The rig lacks what the scenario asked for: it is skipped, whatever it does from here on.
    case lacks(RigLacks)
    /// Something is wrong; a scenario may have several.
    case failure(Failure)
    /// Where the worker stood when its budget was over.
    case standing(text: String)
    /// For the reader of a log, by the scenario.
    case note(text: String)
    /// For the reader of a log, by the runner.
    case remark(text: String)
    /// The body is through; what is left is to close the capture.
    case bodyEnded(seconds: Double)
    /// It has failed, and everything stays as it is until somebody has looked.
    case paused
    /// The worker has nothing more to tell.
    case done
}

/// What an event in JSON calls the values of its cases that have no label.
extension ScenarioEvent {
    enum EventKey: String, CodingKey { case _0 = "event" }
    enum FailureCodingKeys: String, CodingKey { case _0 = "failure" }

    enum OnAirCodingKeys: String, CodingKey { case _0 = "address", _1 = "whose" }

    enum LacksCodingKeys: String, CodingKey { case _0 = "what" }

    typealias PhoneCodingKeys = EventKey
    typealias AirCodingKeys = EventKey
    typealias AccessoryCodingKeys = EventKey
}

/// How a step ended.
package enum StepOutcome: String, Sendable, Hashable, Codable {
    case done
    /// It threw, which the scenario may have wanted.
    case threw
    /// It missed its budget.
    case overran
}

/// Something that is wrong, and whose fault it is.
public struct Failure: Sendable, Hashable, Codable {
    /// Whose fault.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The accessory's or the app's.
        case product
        /// The rig's.
        case rig
    }

    public var kind: Kind
    /// What is wrong; the first line says it all.
    public var message: String
    /// The line of the scenario, where there is one.
    public var location: SourceLocation?
    /// What it is known by.
    public var basis: Basis

    package init(_ kind: Kind, _ message: String, at location: SourceLocation? = nil, basis: Basis = .fact) {
        self.kind = kind
        self.message = message
        self.location = location
        self.basis = basis
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(Kind.self, forKey: .kind)
        message = try values.decode(String.self, forKey: .message)
        location = try values.decodeIfPresent(SourceLocation.self, forKey: .location)
        // Records of earlier runs have none.
        basis = try values.decodeIfPresent(Basis.self, forKey: .basis) ?? .fact
    }
}

/// An event with its moment: one line of what a worker tells.
package struct StampedEvent: Sendable, Codable {
    /// Raised when ``ScenarioEvent`` changes, so that a worker and a runner of two builds say so at once.
    package static let version = 2

    /// Nanoseconds since 1970.
    package var time: UInt64
    package var event: ScenarioEvent

    package init(time: UInt64, event: ScenarioEvent) {
        self.time = time
        self.event = event
    }
}
