#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An advertisement as a radio received it, together with the scan response if there was one.
public struct Advertisement: Sendable, Hashable, Codable {
    /// The address of the advertiser. It may change while the device is not bonded.
    public var address: DeviceAddress
    /// The local name, complete or shortened.
    public var name: String?
    /// The service UUIDs in the advertisement.
    package var serviceUUIDs: [BluetoothUUID] = []
    /// The bytes after the company identifier, by company identifier.
    package var manufacturerData: [UInt16: Data] = [:]
    /// The service data, by service UUID.
    package var serviceData: [BluetoothUUID: Data] = [:]
    /// The services that the advertiser looks for.
    package var solicitedUUIDs: [BluetoothUUID] = []
    /// Received signal strength, dBm; nil if this report had none.
    package var rssi: Int?
    /// Transmit power as advertised, dBm.
    package var txPower: Int?
    /// Whether it may have classic Bluetooth, because its flag “BR/EDR Not Supported” is not set; nil without flags
    /// (Core Specification Supplement 12, Part A, 1.3).
    package var mayHaveClassic: Bool?
    /// Whether the advertiser accepts connections, by the kind of its advertisement; nil if the radio does not say.
    package var isConnectable: Bool?
    /// Its appearance, the kind of device (Bluetooth SIG Assigned Numbers, 2.6); nil if it is not advertised.
    package var appearance: UInt16?

    package init(address: DeviceAddress, name: String? = nil, serviceUUIDs: [BluetoothUUID] = [], rssi: Int? = nil) {
        self.address = address
        self.name = name
        self.serviceUUIDs = serviceUUIDs
        self.rssi = rssi
    }
}

/// How strong the key of a bond is.
public struct Bond: Sendable, Hashable, Codable, CustomStringConvertible {
    /// True if pairing used LE Secure Connections (P-256), false for legacy pairing.
    public var isSecureConnections: Bool
    /// True if the key is protected against a man in the middle: people compared a number on both devices.
    public var isAuthenticated: Bool

    package init(isSecureConnections: Bool, isAuthenticated: Bool) {
        self.isSecureConnections = isSecureConnections
        self.isAuthenticated = isAuthenticated
    }

    public var description: String {
        (isSecureConnections ? "LE Secure Connections" : "legacy pairing")
            + (isAuthenticated ? ", authenticated" : ", not authenticated")
    }
}
