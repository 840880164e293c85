import BoardProtocol
import RadioModel

/// Something that happened on the phone: the evidence of a scenario.
public struct PhoneEvent: Sendable, Codable {
    /// The time since the phone was switched on, by the phone's clock.
    public var at: Duration
    public var kind: Kind

    public enum Kind: Sendable, Codable {
        /// What the person sees changed: the topmost screen, or nil for the app itself.
        case screen(Screen?)
        /// The person did something on the screen of that title.
        case person(PersonAction, on: String)
        /// The app of this bundle identifier called a framework, or was launched or ended.
        case app(String, String)
        /// The app of this bundle identifier was told something by a framework.
        case told(String, String)
        /// The radio noticed something.
        case radio(RadioEvent)
        /// What an app may use changed.
        case authorization(String)
        /// The app does what a rule advises against; it works all the same.
        case warning(rule: String, String)
        /// The rig did wrong, not the accessory and not the app.
        case rigFault(String)
        /// Anything else of a part of the phone, by the part's name.
        case note(String, String)
    }

    public init(at: Duration, kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

/// What an event in JSON calls the values of its cases that have no label.
extension PhoneEvent.Kind {
    enum ScreenCodingKeys: String, CodingKey { case _0 = "screen" }
    enum PersonCodingKeys: String, CodingKey { case _0 = "action", on }
    enum AppKeys: String, CodingKey { case _0 = "app", _1 = "what" }
    enum RadioCodingKeys: String, CodingKey { case _0 = "event" }
    enum AuthorizationCodingKeys: String, CodingKey { case _0 = "what" }
    enum WarningCodingKeys: String, CodingKey { case rule, _1 = "text" }
    enum RigFaultCodingKeys: String, CodingKey { case _0 = "what" }
    enum NoteCodingKeys: String, CodingKey { case _0 = "part", _1 = "text" }

    typealias AppCodingKeys = AppKeys
    typealias ToldCodingKeys = AppKeys
}

extension Phone {
    /// Notes that something failed on the phone: as the rig's doing where it is that, and else for the reader of the log.
    ///
    /// - Parameters:
    ///   - what: What was being done: `joining “Die 7”`.
    ///   - part: Which part of the phone did it.
    func note(_ error: any Error, during what: String, by part: String) {
        switch error {
        case is CancellationError: break
        case RadioError.rig(let fault): record(.rigFault("\(what): \(fault)"))
        // Off without anybody's doing: the board's, then.
        case RadioError.bluetoothOff where bluetoothIsOn && !isSwitchedOff(.bluetooth):
            record(.rigFault("\(what): Bluetooth is off, and nobody switched it off"))
        case RadioError.wifiOff where wifiIsOn && !isSwitchedOff(.wifi):
            record(.rigFault("\(what): Wi-Fi is off, and nobody switched it off"))
        default: record(.note(part, "\(what): \(error)"))
        }
    }

    /// What the rig did wrong so far, as the phone noticed it. Not empty means that no verdict on the product is possible.
    public var rigFaults: [String] {
        log.events.compactMap { if case .rigFault(let what) = $0.kind { what } else { nil } }
    }

    /// The warnings so far, each with the rule that gives it.
    public var warnings: [(rule: String, text: String)] {
        log.events.compactMap { if case .warning(let rule, let text) = $0.kind { (rule, text) } else { nil } }
    }

    /// The screens that were shown, in order.
    public var shownScreens: [Screen] {
        log.events.compactMap { if case .screen(let screen?) = $0.kind { screen } else { nil } }
    }
}
