import HILBluetoothHost

/// A device on the desk that is attacked as it is, without a scenario.
package struct AuditedDevice: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name that it advertises; nil if it advertises none.
    package var name: String?
    /// The only address that strangers connect to.
    package var address: PeerAddress

    package init(name: String?, address: PeerAddress) { (self.name, self.address) = (name, address) }

    /// `Latch 2 at 02:00:00:00:02:B0`.
    package var description: String { "\(name ?? "a device without a name") at \(address.address)" }
}
