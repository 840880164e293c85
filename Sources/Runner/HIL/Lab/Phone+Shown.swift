import HILPhone
import HILTiming

extension Phone {
    /// The numbers for numeric comparison that the phone was given, oldest first.
    public var shownNumbers: [UInt32] { log.all(.passkey) }

    /// The pickers that the phone has shown, oldest first.
    public var shownPickers: [Screen] { shownScreens.filter { $0.kind == .picker } }

    /// The accessories in the latest picker; empty if the phone has shown no picker.
    public var offered: [Screen.Entry] { shownPickers.last?.entries ?? [] }

    /// Whether the phone has ever asked the person whether to join a network.
    public var askedForNetwork: Bool { shownScreens.contains { $0.kind == .joinNetwork } }
}
