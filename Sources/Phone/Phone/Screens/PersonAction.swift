import HILPOSIX

/// An action of the person on the phone.
public enum PersonAction: Sendable, Hashable, Codable {
    /// The apps whose notifications an accessory may receive.
    public enum ForwardingChoice: Sendable, Hashable, Codable {
        /// Those of all apps.
        case all
        /// Those of no app.
        case none
        /// The bundle identifiers of the apps.
        case only(Set<String>)
    }

    /// A control on a screen. An action is possible only if the screen has its control.
    package enum Control: String, Sendable, Hashable, Codable {
        case pick, cancel, done, allow, deny, rename, confirmPasskey, refusePasskey, enterPasskey, allowForwarding
        case removeInSettings, renameInSettings, forwardInSettings, shareInSettings
        case switchBluetoothOff, switchBluetoothOn, switchWiFiOff, switchWiFiOn
    }

    /// Picks an accessory. ``pick(_:)-(String)`` picks one by its name.
    case pick(AccessoryChoice)
    /// Closes a picker or a page, or goes back.
    case cancel
    /// Closes a page that asks nothing more.
    case done
    /// Agrees to a prompt.
    case allow
    /// Refuses a prompt.
    case deny
    /// Enters a name. To keep the proposed name, the person enters it again.
    case rename(String)
    /// Confirms that the phone and the accessory show the same number.
    case confirmPasskey
    /// Answers that the numbers differ.
    case refusePasskey
    /// Enters the number that the accessory shows, 0 to 999999. A wrong one makes pairing fail.
    case enterPasskey(UInt32)
    /// Answers the prompt about notifications.
    case allowForwarding(ForwardingChoice)

    /// Opens Settings and removes an accessory.
    case removeInSettings(AccessoryChoice)
    /// Opens Settings and renames an accessory.
    case renameInSettings(AccessoryChoice, to: String)
    /// Opens Settings and changes whose notifications an accessory receives.
    case forwardInSettings(AccessoryChoice, ForwardingChoice)
    /// Opens Settings and switches Share System Notifications on or off for an accessory that uses Apple Notification Center
    /// Service. The switch is there as soon as the accessory has asked for notifications.
    case shareInSettings(AccessoryChoice, Bool)
    /// Opens Settings, over any other screen, and switches Bluetooth off.
    case switchBluetoothOff
    /// Opens Settings, over any other screen, and switches Bluetooth on.
    case switchBluetoothOn
    /// Opens Settings, over any other screen, and switches Wi-Fi off.
    case switchWiFiOff
    /// Opens Settings, over any other screen, and switches Wi-Fi on.
    case switchWiFiOn

    /// Picks the accessory with this name: its name over the air, or else the name that the app gave it.
    public static func pick(_ name: String) -> PersonAction { .pick(.named(name)) }

    /// Opens Settings and removes the first accessory with this name.
    public static func removeInSettings(_ name: String) -> PersonAction { .removeInSettings(.named(name)) }

    /// Opens Settings and renames the first accessory with the name `name` to `other`.
    public static func renameInSettings(_ name: String, to other: String) -> PersonAction {
        .renameInSettings(.named(name), to: other)
    }

    /// Opens Settings and changes whose notifications the first accessory with this name receives.
    public static func forwardInSettings(_ name: String, _ choice: ForwardingChoice) -> PersonAction {
        .forwardInSettings(.named(name), choice)
    }

    /// Opens Settings and switches Share System Notifications on or off for the first accessory with this name.
    public static func shareInSettings(_ name: String, _ isOn: Bool) -> PersonAction {
        .shareInSettings(.named(name), isOn)
    }

    /// The control that this action needs.
    package var control: Control {
        switch self {
        case .pick: .pick
        case .cancel: .cancel
        case .done: .done
        case .allow: .allow
        case .deny: .deny
        case .rename: .rename
        case .confirmPasskey: .confirmPasskey
        case .refusePasskey: .refusePasskey
        case .enterPasskey: .enterPasskey
        case .allowForwarding: .allowForwarding
        case .removeInSettings: .removeInSettings
        case .renameInSettings: .renameInSettings
        case .forwardInSettings: .forwardInSettings
        case .shareInSettings: .shareInSettings
        case .switchBluetoothOff: .switchBluetoothOff
        case .switchBluetoothOn: .switchBluetoothOn
        case .switchWiFiOff: .switchWiFiOff
        case .switchWiFiOn: .switchWiFiOn
        }
    }
}

/// The names, in JSON, of associated values without a label.
extension PersonAction {
    enum AccessoryKey: String, CodingKey { case _0 = "accessory" }
    enum RenameCodingKeys: String, CodingKey { case _0 = "name" }
    enum EnterPasskeyCodingKeys: String, CodingKey { case _0 = "passkey" }
    enum RenameInSettingsCodingKeys: String, CodingKey { case _0 = "accessory", to }
    enum AllowForwardingCodingKeys: String, CodingKey { case _0 = "choice" }
    enum ForwardInSettingsCodingKeys: String, CodingKey { case _0 = "accessory", _1 = "choice" }
    enum ShareInSettingsCodingKeys: String, CodingKey { case _0 = "accessory", _1 = "isOn" }

    typealias PickCodingKeys = AccessoryKey
    typealias RemoveInSettingsCodingKeys = AccessoryKey
}

/// The name, in JSON, of the associated value without a label.
extension PersonAction.ForwardingChoice {
    enum OnlyCodingKeys: String, CodingKey { case _0 = "apps" }
}

extension PersonAction {
    /// The accessory that the person chooses; nil for an action without an accessory.
    var accessory: AccessoryChoice? {
        switch self {
        case .pick(let choice), .removeInSettings(let choice), .renameInSettings(let choice, _),
            .forwardInSettings(let choice, _), .shareInSettings(let choice, _):
            choice
        default: nil
        }
    }

    /// The same action for another accessory.
    func choosing(_ other: AccessoryChoice) -> PersonAction {
        switch self {
        case .pick: .pick(other)
        case .removeInSettings: .removeInSettings(other)
        case .renameInSettings(_, let name): .renameInSettings(other, to: name)
        case .forwardInSettings(_, let choice): .forwardInSettings(other, choice)
        case .shareInSettings(_, let isOn): .shareInSettings(other, isOn)
        default: self
        }
    }

    /// Whether the person does it in Settings.
    var isInSettings: Bool {
        switch control {
        case .removeInSettings, .renameInSettings, .forwardInSettings, .shareInSettings: true
        default: isSwitch
        }
    }

    /// Whether it switches Bluetooth or Wi-Fi on or off. The person can do this at any time.
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
        case .enterPasskey(let number): "enter the number \(number.padded(to: 6))"
        case .removeInSettings(let accessory): "remove \(accessory) in Settings"
        case .renameInSettings(let accessory, let name): "rename \(accessory) to “\(name)” in Settings"
        case .allowForwarding(let choice): "allow \(choice)"
        case .forwardInSettings(let accessory, let choice): "allow \(accessory) \(choice) in Settings"
        case .shareInSettings(let accessory, let isOn):
            "switch Share System Notifications \(isOn ? "on" : "off") for \(accessory) in Settings"
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
