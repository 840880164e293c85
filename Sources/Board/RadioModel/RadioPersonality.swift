/// The view that accessories have of a phone's Bluetooth radio, besides its services.
package struct RadioPersonality: Sendable, Hashable, Codable {
    /// Whether its LE address is private: only paired accessories can resolve it. It takes another one every 15
    /// minutes, and when Bluetooth is switched on.
    package var hasPrivateAddress: Bool
    /// The longest packet of the attribute protocol (ATT MTU) that it offers, in bytes, 23 to 527; the link has the
    /// smaller of its own and the accessory's. BlueZ offers 517 at most.
    package var mtu: Int
    /// What it does otherwise. Its values come before those above.
    package var habits = BluetoothHabits()

    package init(hasPrivateAddress: Bool = true, mtu: Int = 527) {
        self.hasPrivateAddress = hasPrivateAddress
        self.mtu = mtu
    }
}
