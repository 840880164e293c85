import Foundation
import RadioModel

/// A page or prompt that the person sees, with its contents and controls.
public struct Screen: Sendable, Hashable, Codable {
    /// The purpose of the screen. Its picture in the evidence has this name.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The accessories that an app's picker has found.
        case picker
        /// Says that the picked accessory is being set up.
        case settingUp
        /// Asks for the accessory's name.
        case rename
        /// Says that the accessory is set up.
        case setupComplete
        /// Says that the accessory was not set up.
        case setupFailed
        /// Says that the picker found nothing in its time.
        case discoveryTimeout
        /// Lists the accessories that a migration moves.
        case migration
        /// Asks whether an app may use an accessory by one more technology.
        case upgrade
        /// Asks whether an app without AccessorySetupKit may use all of Bluetooth.
        case bluetoothPermission
        /// Asks whether an app may use the local network.
        case localNetworkPermission
        /// Asks whether an accessory may have the phone's notifications by Apple Notification Center Service.
        case notificationSharing
        /// Asks whether to pair with an accessory, if there is no number to compare.
        case pairing
        /// Shows a number, which the person compares with that of the accessory.
        case passkey
        /// Asks whether an app may remove an accessory.
        case removeAccessory
        /// Asks whether an app may join a network.
        case joinNetwork
        /// Asks which apps' notifications an accessory may receive.
        case forwarding
        /// Says that a network that an app asked for was not joined.
        case joinFailed
        /// Asks for the number that an accessory shows.
        case passkeyEntry
        /// Shows a number, which the person enters on the accessory.
        case passkeyDisplay
        /// The list of accessories in Settings.
        case settings
        /// The switches of Bluetooth and Wi-Fi in Settings.
        case switches
        /// The accessories in Settings that have asked for the phone's notifications by Apple Notification Center Service,
        /// each with its switch Share System Notifications.
        case sharing
        /// Says that Bluetooth is off and the app that was launched needs it.
        case bluetoothIsOff
    }

    /// A line of a list: usually an accessory that can be chosen. Names may repeat; ``id`` identifies the accessory.
    public struct Entry: Sendable, Hashable, Codable {
        /// The name that the app gave its kind of accessory.
        public var title: String
        /// The accessory's name over the air, or its network's name.
        public var detail: String
        /// The path of the product picture.
        public var picture: String?
        /// Identifies the device, on this screen and on those that replace it; nil if the entry cannot be chosen.
        public var id: UUID?
        /// The address that the device uses on the air, of Bluetooth or of Wi-Fi. Not drawn.
        public var address: DeviceAddress?
        /// The signal strength in dBm, from when the order of the signals last changed. Not drawn.
        public var signal: Int?

        package init(
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

    /// The purpose of the screen.
    public var kind: Kind
    /// The line at the top.
    public var title: String
    /// The lines of text below the title.
    public var lines: [String]
    /// The list, in its order on the screen.
    public var entries: [Entry]
    /// The controls that the person can use.
    package var controls: [PersonAction.Control]
    /// The action of a willing person without instructions; nil to wait.
    package var willing: PersonAction?

    package init(
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

    /// Whether the action is possible on this screen now.
    package func allows(_ action: PersonAction) -> Bool {
        guard controls.contains(action.control) else { return false }
        return action.accessory.map { index(of: $0) != nil } ?? true
    }

    /// The screen without the values that are not drawn, to check whether its picture has changed.
    var drawn: Screen {
        var screen = self
        for index in screen.entries.indices { screen.entries[index].signal = nil }
        return screen
    }
}

extension Screen.Kind {
    /// Whether a person who acts by hand can open it as a page of Settings.
    package var isPageOfSettings: Bool { self == .settings || self == .switches || self == .sharing }
}

extension Screen: CustomStringConvertible {
    /// One line with title, text, entries and controls. Entries that look the same also show their addresses.
    public var description: String { text { entry in entries.count { $0.shown == entry.shown } > 1 } }

    /// One line with title, text, entries and controls, and the address and signal of every entry.
    var detailedDescription: String { text(withSignals: true) { _ in true } }

    private func text(withSignals: Bool = false, withAddress: (Entry) -> Bool) -> String {
        let shown = entries.map { entry in
            let address = withAddress(entry) ? entry.address.map { ", \($0)" } : nil
            let signal = withSignals ? entry.signal.map { ", \($0) dBm" } : nil
            return entry.shown + (address ?? "") + (signal ?? "")
        }
        let parts = [title] + lines + shown.map { "‹\($0)›" } + controls.map { "[\($0.rawValue)]" }
        return parts.joined(separator: " · ")
    }
}

extension Screen.Entry {
    /// The text of the entry on the screen.
    fileprivate var shown: String { detail.isEmpty ? title : "\(title) (\(detail))" }
}
