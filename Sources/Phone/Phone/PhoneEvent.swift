import BoardProtocol
import RadioModel

/// An event on the phone, with its time. A scenario's evidence is made of these.
public struct PhoneEvent: Sendable, Codable {
    /// The time since the phone was switched on, by the phone's clock.
    public var at: Duration
    /// What happened.
    public var kind: Kind

    /// What happened. Values without a label are strings for people, unless they are described here.
    public enum Kind: Sendable, Codable {
        /// The topmost screen changed; nil means that the person now sees the app itself.
        case screen(Screen?)
        /// The person did something on the screen with this title.
        case person(PersonAction, on: String)
        /// The app called a framework, was launched, or ended. First value: the app's bundle identifier.
        case app(String, String)
        /// A framework reported something to the app. First value: the app's bundle identifier.
        case told(String, String)
        /// The radio reported an event.
        case radio(RadioEvent)
        /// The authorisations of an app changed.
        case authorization(String)
        /// The app did something that a rule advises against. It still works.
        case warning(rule: String, String)
        /// The rig failed; neither the accessory nor the app is at fault.
        case rigFailure(String)
        /// Any other event. First value: the part of the phone that it happened in.
        case note(String, String)
    }

    package init(at: Duration, kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

/// The names, in JSON, of associated values without a label.
extension PhoneEvent.Kind {
    enum ScreenCodingKeys: String, CodingKey { case _0 = "screen" }
    enum PersonCodingKeys: String, CodingKey { case _0 = "action", on }
    enum AppKeys: String, CodingKey { case _0 = "app", _1 = "what" }
    enum RadioCodingKeys: String, CodingKey { case _0 = "event" }
    enum AuthorizationCodingKeys: String, CodingKey { case _0 = "what" }
    enum WarningCodingKeys: String, CodingKey { case rule, _1 = "text" }
    enum RigFailureCodingKeys: String, CodingKey { case _0 = "what" }
    enum NoteCodingKeys: String, CodingKey { case _0 = "part", _1 = "text" }

    typealias AppCodingKeys = AppKeys
    typealias ToldCodingKeys = AppKeys
}

extension Phone {
    /// Records an error: as a rig fault if the rig caused it, otherwise as a note. Ignores cancellation.
    ///
    /// - Parameters:
    ///   - what: What the phone was doing, such as `joining “Lamp 7”`.
    ///   - part: The part of the phone that did it, such as `Wi-Fi`.
    func note(_ error: any Error, during what: String, by part: String) {
        switch error {
        case is CancellationError: break
        case RadioError.rig(let fault): record(.rigFailure("\(what): \(fault)"))
        // Neither the person nor a power event switched it off, so the board did.
        case RadioError.bluetoothOff where bluetoothIsOn && !isSwitchedOff(.bluetooth):
            record(.rigFailure("\(what): Bluetooth is off, and nobody switched it off"))
        case RadioError.wifiOff where wifiIsOn && !isSwitchedOff(.wifi):
            record(.rigFailure("\(what): Wi-Fi is off, and nobody switched it off"))
        default: record(.note(part, "\(what): \(error)"))
        }
    }

    /// The rig's failures that the phone has seen so far. If there are any, no verdict on the product is possible.
    package var rigFaults: [String] {
        log.events.compactMap { if case .rigFailure(let what) = $0.kind { what } else { nil } }
    }

    /// The warnings so far, each with its rule.
    package var warnings: [(rule: String, text: String)] {
        log.events.compactMap { if case .warning(let rule, let text) = $0.kind { (rule, text) } else { nil } }
    }

    /// The screens that the person has seen so far, in order.
    public var shownScreens: [Screen] {
        log.events.compactMap { if case .screen(let screen?) = $0.kind { screen } else { nil } }
    }
}
