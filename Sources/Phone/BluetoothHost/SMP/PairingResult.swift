import RadioModel

/// A key for the encryption of LE links, with the numbers by which a central names it.
package struct LongTermKey: Sendable, Hashable, Codable {
    /// The key, shortened to its size: the most significant bytes are zero.
    package var value: Value128
    /// Zero with Secure Connections, and for the key that encrypts the link during a pairing.
    package var ediv: UInt16
    /// Zero with Secure Connections, and for the key that encrypts the link during a pairing.
    package var rand: UInt64
    /// In bytes, 7 to 16.
    package var size: Int

    package init(value: Value128, ediv: UInt16 = 0, rand: UInt64 = 0, size: Int) {
        self.value = value
        self.ediv = ediv
        self.rand = rand
        self.size = size
    }
}

/// Who a device is, behind its private addresses.
package struct DeviceIdentity: Sendable, Hashable, Codable {
    /// The identity resolving key; zero for a device without private addresses.
    package var resolvingKey: Value128
    /// Public, or random and static.
    package var address: PeerAddress

    package init(resolvingKey: Value128, address: PeerAddress) {
        self.resolvingKey = resolvingKey
        self.address = address
    }
}

/// The keys of a pairing.
package struct KeySet: Sendable, Hashable, Codable {
    /// Encrypts links on which this device is the peripheral.
    package var localKey: LongTermKey?
    /// Encrypts links on which this device is the central. With Secure Connections it is the same key.
    package var peerKey: LongTermKey?
    package var peerIdentity: DeviceIdentity?
    /// Signs what this device sends.
    package var localSigningKey: Value128?
    /// Signs what the peer sends.
    package var peerSigningKey: Value128?
    /// The BR/EDR link key, derived from the long-term key.
    package var linkKey: Value128?

    package init() {}

    /// The key for a link on which this device has the role.
    package func key(for role: PairingRole) -> LongTermKey? { role == .initiator ? peerKey : localKey }
}

/// The keys of a bond and their strength, as a phone keeps them.
package struct StoredBond: Sendable, Hashable, Codable {
    package var keys: KeySet
    package var strength: Bond

    package init(keys: KeySet, strength: Bond) {
        self.keys = keys
        self.strength = strength
    }
}

/// What a pairing came to.
package struct PairingResult: Sendable, Hashable {
    package var keys: KeySet
    package var strength: Bond
    /// Whether both ends asked for bonding. If not, the keys are for this link only.
    package var isBonded: Bool
    package var method: PairingMethod
    /// In bytes, 7 to 16.
    package var keySize: Int
    /// Whether one end used the key pair of the debug mode, so that everybody can read the link.
    package var usedDebugKey: Bool

    /// What to keep; nil without a bond.
    package var bond: StoredBond? { isBonded ? StoredBond(keys: keys, strength: strength) : nil }
}
