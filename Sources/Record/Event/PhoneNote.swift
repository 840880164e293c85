import RadioModel

/// What happened on the phone, as a record keeps it: its words, and what a reader needs beside them.
package enum PhoneNote: Sendable, Hashable, Codable {
    /// The topmost screen changed; nil means that the person now sees the app itself.
    case screen(ScreenNote?)
    /// The person did something on the screen with this title.
    case person(ActionNote, on: String)
    /// The app called a framework, was launched, or ended. First value: the app's bundle identifier.
    case app(String, String)
    /// A framework reported something to the app. First value: the app's bundle identifier.
    case told(String, String)
    /// The radio reported an event.
    case radio(RadioNote)
    /// The authorisations of an app changed.
    case authorization(String)
    /// The app did something that a rule advises against. It still works.
    case warning(rule: String, String)
    /// The rig failed; neither the accessory nor the app is at fault.
    case rigFailure(String)
    /// Any other event. First value: the part of the phone that it happened in.
    case note(String, String)

    /// One line for people.
    package var text: String {
        switch self {
        case .screen(let screen?): "screen: \(screen.text)"
        case .screen(nil): "screen: the app"
        case .person(let action, let title): "person: \(action.text), on “\(title)”"
        case .app(let name, let what): "app: \(name) \(what)"
        case .told(let name, let what): "told \(name): \(what)"
        case .radio(let radio): "radio: \(radio.text)"
        case .authorization(let what): "authorisation: \(what)"
        case .warning(let rule, let text): "warning (\(rule)): \(text)"
        case .rigFailure(let what): "rig: \(what)"
        case .note(let part, let text): "\(part): \(text)"
        }
    }
}

extension PhoneNote {
    /// Which phone it is from now on: `iPhone17,3 named iPhone`; nil for other events.
    package var personality: String? {
        if case .note("personality", let text) = self { text } else { nil }
    }
}

/// The names, in JSON, of associated values without a label.
extension PhoneNote {
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

/// A screen that the phone showed.
package struct ScreenNote: Sendable, Hashable, Codable {
    /// The purpose of the screen, in one word: `picker`.
    package var kind: String
    package var title: String
    /// One line with title, text, entries and controls.
    package var text: String

    package init(kind: String, title: String, text: String) {
        (self.kind, self.title, self.text) = (kind, title, text)
    }

    enum CodingKeys: String, CodingKey { case kind, title, text }
}

/// Something that the person did.
package struct ActionNote: Sendable, Hashable, Codable {
    /// The control that was used, in one word: `pick`.
    package var control: String
    /// In words: `pick Lamp 7`.
    package var text: String

    package init(control: String, text: String) { (self.control, self.text) = (control, text) }

    enum CodingKeys: String, CodingKey { case control, text }
}

/// Something that the phone's radio reported.
package struct RadioNote: Sendable, Hashable, Codable {
    /// The event in one word: `connected`, `disconnected`, `addressChanged`, `wifiLost`.
    package var kind: String
    /// In words: `02:00:00:00:02:B0 is connected`.
    package var text: String
    /// The addresses of the devices in the event. Of `addressChanged`: the address until now, then the identity.
    package var devices: [DeviceAddress]

    package init(kind: String, text: String, devices: [DeviceAddress]) {
        (self.kind, self.text, self.devices) = (kind, text, devices)
    }

    enum CodingKeys: String, CodingKey { case kind, text, devices }

    /// Whether a link to the device came up or was lost.
    package var isAboutLink: Bool { kind == "connected" || kind == "disconnected" }
}
