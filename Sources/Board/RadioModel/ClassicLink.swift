/// The classic (BR/EDR) link to a device that was paired by LE, just after connecting.
public struct ClassicLink: Sendable, Hashable, Codable {
    /// The peer's classic address.
    package var address: DeviceAddress
    /// How strong the key of the link is. It is derived from the key of the LE bond and is as strong.
    public var key: Bond
    /// The size in bytes of the key that encrypts the link; 0 without encryption.
    package var keySize: Int

    package init(address: DeviceAddress, key: Bond, keySize: Int) {
        self.address = address
        self.key = key
        self.keySize = keySize
    }

    /// Whether the link is encrypted.
    public var isEncrypted: Bool { keySize > 0 }
}
