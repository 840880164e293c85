import RadioModel

/// A random address that only a device with the right identity resolving key can recognise.
///
/// Source: Core Specification 6.0, Vol 6, Part B, 1.3.2.2 and 1.3.2.3.
package struct ResolvablePrivateAddress: Sendable, Hashable {
    package let address: DeviceAddress

    /// Nil for an address of another kind.
    package init?(_ peer: PeerAddress) {
        guard peer.isResolvablePrivate else { return nil }
        address = peer.address
    }

    /// Makes a new address.
    ///
    /// - Parameter key: The identity resolving key.
    package static func make(key: Value128, random: RandomBytes) -> PeerAddress {
        var part = UInt32(truncatingIfNeeded: UInt64(mostSignificantFirst: random(3))) & 0x3F_FFFF
        // A random part of equal bits is not allowed.
        if part == 0 { part = 1 }
        if part == 0x3F_FFFF { part = 0x3F_FFFE }
        let prand = 0x40_0000 | part
        let hash = SecurityToolbox.ah(key: key, prand: prand)
        let bytes = [prand, hash].flatMap { number in [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        guard let address = DeviceAddress(bytes: bytes) else { preconditionFailure("Six bytes are an address") }
        return PeerAddress(address, isRandom: true)
    }

    /// Whether the address was made with this identity resolving key. No address was made with a key of zeros, which
    /// stands for a device without private addresses.
    package func isMade(with key: Value128) -> Bool {
        let number = UInt64(mostSignificantFirst: address.bytes)
        let hash = SecurityToolbox.ah(key: key, prand: UInt32(truncatingIfNeeded: number >> 24))
        return (hash ^ UInt32(truncatingIfNeeded: number & 0xFF_FFFF)) == 0 && key != .zero
    }
}
