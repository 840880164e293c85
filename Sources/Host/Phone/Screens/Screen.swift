/// What the person sees: a page or a prompt, with what can be done on it.
public struct Screen: Sendable, Hashable, Codable {
    /// What the screen is for; also names its picture among the evidence.
    public enum Kind: String, Sendable, Hashable, Codable {
        case picker, settingUp, rename, setupComplete, setupFailed, discoveryTimeout
        /// What a migration moves.
        case migration
        /// An accessory is to be used by one more technology.
        case upgrade
        /// An app without AccessorySetupKit wants all of Bluetooth.
        case bluetoothPermission
        case passkey, removeAccessory, joinNetwork, forwarding
        /// The accessories, as Settings lists them.
        case settings
        /// The switches of Bluetooth and Wi-Fi, in Settings.
        case switches
        /// An app that wants Bluetooth was launched while it is off.
        case bluetoothIsOff
    }

    /// An accessory that can be picked.
    public struct Entry: Sendable, Hashable, Codable {
        /// The name that the app gave its kind of accessory.
        public var title: String
        /// Its name over the air, or the network's.
        public var detail: String
        /// The path of the product picture.
        public var picture: String?

        public init(title: String, detail: String, picture: String? = nil) {
            self.title = title
            self.detail = detail
            self.picture = picture
        }
    }

    public var kind: Kind
    public var title: String
    /// The text below the title, a line each.
    public var lines: [String]
    public var entries: [Entry]
    /// What can be touched.
    public var controls: [PersonAction.Control]
    /// What a willing person does here without having been told; nil while there is nothing to do but wait.
    public var willing: PersonAction?

    public init(
        _ kind: Kind, title: String, lines: [String] = [], entries: [Entry] = [], controls: [PersonAction.Control] = [],
        willing: PersonAction? = nil
    ) {
        self.kind = kind
        self.title = title
        self.lines = lines
        self.entries = entries
        self.controls = controls
        self.willing = willing
    }

    /// Whether the person can do that here and now.
    public func allows(_ action: PersonAction) -> Bool {
        guard controls.contains(action.control) else { return false }
        switch action {
        case .pick(let name), .removeInSettings(let name), .renameInSettings(let name, _),
            .forwardInSettings(let name, _):
            return index(of: name) != nil
        default: return true
        }
    }

    /// The entry that a person means by a name: over the air first, because that is the more exact one.
    public func index(of name: String) -> Int? {
        entries.firstIndex { $0.detail == name } ?? entries.firstIndex { $0.title == name }
    }
}

extension Screen: CustomStringConvertible {
    /// One line: title, text, entries, controls.
    public var description: String {
        let shown = entries.map { $0.detail.isEmpty ? $0.title : "\($0.title) (\($0.detail))" }
        let parts = [title] + lines + shown.map { "‹\($0)›" } + controls.map { "[\($0.rawValue)]" }
        return parts.joined(separator: " · ")
    }
}
