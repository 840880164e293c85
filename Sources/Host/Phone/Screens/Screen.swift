import Foundation
import RadioModel

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

    /// An accessory that can be picked. What it is called does not tell it from another one; ``id`` does.
    public struct Entry: Sendable, Hashable, Codable {
        /// The name that the app gave its kind of accessory.
        public var title: String
        /// Its name over the air, or the network's.
        public var detail: String
        /// The path of the product picture.
        public var picture: String?
        /// The one device that it stands for, on this screen and on those in its place later; nil where there is nothing to pick.
        public var id: UUID?
        /// The address under which the device is heard, of Bluetooth or of Wi-Fi. It is not drawn.
        public var address: DeviceAddress?
        /// How strongly it was heard when the order of the signals last changed, dBm. It is not drawn.
        public var signal: Int?

        public init(
            title: String, detail: String, picture: String? = nil, id: UUID? = nil, address: DeviceAddress? = nil,
            signal: Int? = nil
        ) {
            self.title = title
            self.detail = detail
            self.picture = picture
            self.id = id
            self.address = address
            self.signal = signal
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
        return action.accessory.map { index(of: $0) != nil } ?? true
    }

    /// The screen as it is drawn: without what changes while nothing to be seen does.
    var drawn: Screen {
        var screen = self
        for index in screen.entries.indices { screen.entries[index].signal = nil }
        return screen
    }
}

extension Screen: CustomStringConvertible {
    /// One line: title, text, entries, controls. Entries that look the same have their addresses.
    public var description: String { text { entry in entries.count { $0.shown == entry.shown } > 1 } }

    /// The same, with the address and the signal of each entry that has them.
    var detailedDescription: String { text(withSignals: true) { _ in true } }

    private func text(withSignals: Bool = false, telling tellsAddress: (Entry) -> Bool) -> String {
        let shown = entries.map { entry in
            let address = tellsAddress(entry) ? entry.address.map { ", \($0)" } : nil
            let signal = withSignals ? entry.signal.map { ", \($0) dBm" } : nil
            return entry.shown + (address ?? "") + (signal ?? "")
        }
        let parts = [title] + lines + shown.map { "‹\($0)›" } + controls.map { "[\($0.rawValue)]" }
        return parts.joined(separator: " · ")
    }
}

extension Screen.Entry {
    /// What of it can be read on the screen.
    fileprivate var shown: String { detail.isEmpty ? title : "\(title) (\(detail))" }
}
