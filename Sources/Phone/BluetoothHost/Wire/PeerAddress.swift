import RadioModel

/// The address of an LE device with its kind.
///
/// Source: Core Specification 6.0, Vol 6, Part B, 1.3.
package struct PeerAddress: Sendable, Hashable, Codable, CustomStringConvertible {
    package var address: DeviceAddress
    /// Whether it is random (static or private), not public.
    package var isRandom: Bool

    package init(_ address: DeviceAddress, isRandom: Bool) {
        self.address = address
        self.isRandom = isRandom
    }

    /// Whether only a device with the right identity resolving key knows whose address this is.
    package var isResolvablePrivate: Bool { isRandom && address.bytes[0] & 0xC0 == 0x40 }

    package var description: String { "\(address) (\(isRandom ? "random" : "public"))" }
}
