import Phone
import Timing

extension Phone {
    /// The numbers that its radio gave it to show for comparison, in order.
    public var shownNumbers: [UInt32] { log.all(.passkey) }

    /// The pickers that were shown, in order.
    public var shownPickers: [Screen] { shownScreens.filter { $0.kind == .picker } }

    /// What was offered when a picker was shown last.
    public var offered: [Screen.Entry] { shownPickers.last?.entries ?? [] }

    /// Whether the person was ever asked about a network.
    public var askedForNetwork: Bool { shownScreens.contains { $0.kind == .joinNetwork } }
}
