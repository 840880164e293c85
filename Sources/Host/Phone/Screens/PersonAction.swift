/// Something that a person does with the phone.
public enum PersonAction: Sendable, Hashable, Codable {
    /// Which apps may forward their notifications to an accessory.
    public enum ForwardingChoice: Sendable, Hashable, Codable {
        case all
        case none
        /// The bundle identifiers of the apps.
        case only(Set<String>)
    }

    /// The kind of control that an action needs on the screen.
    public enum Control: String, Sendable, Hashable, Codable {
        case pick, cancel, done, allow, deny, rename, confirmPasskey, refusePasskey, allowForwarding
        case removeInSettings, renameInSettings, forwardInSettings
        case switchBluetoothOff, switchBluetoothOn, switchWiFiOff, switchWiFiOn
    }

    /// Picks an accessory; by its name as ``pick(_:)-(String)``.
    case pick(AccessoryChoice)
    /// Closes a picker or a page, or backs out of it.
    case cancel
    /// Leaves a page that has nothing more to ask.
    case done
    /// Agrees to a prompt.
    case allow
    /// Refuses a prompt.
    case deny
    /// Types a name, or keeps the proposed one by giving it.
    case rename(String)
    /// Says that the numbers on phone and accessory are the same.
    case confirmPasskey
    /// Says that they are not.
    case refusePasskey
    /// Answers the prompt about notifications.
    case allowForwarding(ForwardingChoice)

    /// Opens Settings and removes an accessory there.
    case removeInSettings(AccessoryChoice)
    /// Opens Settings and gives an accessory that name there.
    case renameInSettings(AccessoryChoice, to: String)
    /// Opens Settings and changes there whose notifications go to an accessory.
    case forwardInSettings(AccessoryChoice, ForwardingChoice)
    /// Opens Settings, over whatever is on the screen, and switches Bluetooth off there.
    case switchBluetoothOff
    /// The same, on.
    case switchBluetoothOn
    /// Opens Settings, over whatever is on the screen, and switches Wi-Fi off there.
    case switchWiFiOff
    /// The same, on.
    case switchWiFiOn

    /// Picks the accessory of this name: the one it has over the air, or else the one the app gave it.
    public static func pick(_ name: String) -> PersonAction { .pick(.named(name)) }

    /// The same for the accessory of this name; where several have it, for the first in the list.
    public static func removeInSettings(_ name: String) -> PersonAction { .removeInSettings(.named(name)) }

    /// The same for the accessory of the first name; where several have it, for the first in the list.
    public static func renameInSettings(_ name: String, to other: String) -> PersonAction {
        .renameInSettings(.named(name), to: other)
    }

    /// The same for the accessory of this name; where several have it, for the first in the list.
    public static func forwardInSettings(_ name: String, _ choice: ForwardingChoice) -> PersonAction {
        .forwardInSettings(.named(name), choice)
    }

    /// The control that this action needs.
    public var control: Control {
        switch self {
        case .pick: .pick
        case .cancel: .cancel
        case .done: .done
        case .allow: .allow
        case .deny: .deny
        case .rename: .rename
        case .confirmPasskey: .confirmPasskey
        case .refusePasskey: .refusePasskey
        case .allowForwarding: .allowForwarding
        case .removeInSettings: .removeInSettings
        case .renameInSettings: .renameInSettings
        case .forwardInSettings: .forwardInSettings
        case .switchBluetoothOff: .switchBluetoothOff
        case .switchBluetoothOn: .switchBluetoothOn
        case .switchWiFiOff: .switchWiFiOff
        case .switchWiFiOn: .switchWiFiOn
        }
    }
}

/// What an action in JSON calls the values of its cases that have no label.
extension PersonAction {
    enum AccessoryKey: String, CodingKey { case _0 = "accessory" }
    enum RenameCodingKeys: String, CodingKey { case _0 = "name" }
    enum RenameInSettingsCodingKeys: String, CodingKey { case _0 = "accessory", to }
    enum AllowForwardingCodingKeys: String, CodingKey { case _0 = "choice" }
    enum ForwardInSettingsCodingKeys: String, CodingKey { case _0 = "accessory", _1 = "choice" }

    typealias PickCodingKeys = AccessoryKey
    typealias RemoveInSettingsCodingKeys = AccessoryKey
}

/// What a choice in JSON calls the values of its cases that have no label.
extension PersonAction.ForwardingChoice {
    enum OnlyCodingKeys: String, CodingKey { case _0 = "apps" }
}

extension PersonAction {
    /// The accessory that it is about, where the person chooses one.
    var accessory: AccessoryChoice? {
        switch self {
        case .pick(let choice), .removeInSettings(let choice), .renameInSettings(let choice, _),
            .forwardInSettings(let choice, _):
            choice
        default: nil
        }
    }

    /// The same for another accessory.
    func choosing(_ other: AccessoryChoice) -> PersonAction {
        switch self {
        case .pick: .pick(other)
        case .removeInSettings: .removeInSettings(other)
        case .renameInSettings(_, let name): .renameInSettings(other, to: name)
        case .forwardInSettings(_, let choice): .forwardInSettings(other, choice)
        default: self
        }
    }

    /// Whether the person leaves the app for it.
    var isInSettings: Bool {
        switch control {
        case .removeInSettings, .renameInSettings, .forwardInSettings: true
        default: isSwitch
        }
    }

    /// Whether it flips Bluetooth's switch or Wi-Fi's, which a person can do at any time.
    var isSwitch: Bool {
        switch self {
        case .switchBluetoothOff, .switchBluetoothOn, .switchWiFiOff, .switchWiFiOn: true
        default: false
        }
    }
}

extension PersonAction: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pick(let accessory): "pick \(accessory)"
        case .cancel: "cancel"
        case .done: "go on"
        case .allow: "allow"
        case .deny: "deny"
        case .rename(let name): "rename to “\(name)”"
        case .confirmPasskey: "confirm the number"
        case .refusePasskey: "refuse the number"
        case .removeInSettings(let accessory): "remove \(accessory) in Settings"
        case .renameInSettings(let accessory, let name): "rename \(accessory) to “\(name)” in Settings"
        case .allowForwarding(let choice): "allow \(choice)"
        case .forwardInSettings(let accessory, let choice): "allow \(accessory) \(choice) in Settings"
        case .switchBluetoothOff: "switch Bluetooth off"
        case .switchBluetoothOn: "switch Bluetooth on"
        case .switchWiFiOff: "switch Wi-Fi off"
        case .switchWiFiOn: "switch Wi-Fi on"
        }
    }
}

extension PersonAction.ForwardingChoice: CustomStringConvertible {
    public var description: String {
        switch self {
        case .all: "notifications of all apps"
        case .none: "notifications of no app"
        case .only(let apps): "notifications of \(apps.sorted().joined(separator: ", "))"
        }
    }
}
