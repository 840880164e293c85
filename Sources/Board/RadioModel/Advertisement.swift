#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a device said of itself over the air, as far as it was heard: advertisement and scan response together.
public struct Advertisement: Sendable, Hashable, Codable {
    /// Who advertised; an address that may change while the device is not bonded.
    public var address: DeviceAddress
    /// The local name, complete or shortened.
    public var name: String?
    /// Listed service UUIDs.
    public var serviceUUIDs: [BluetoothUUID] = []
    /// Company identifier to the bytes after it.
    public var manufacturerData: [UInt16: Data] = [:]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Data] = [:]
    /// Received signal strength, dBm; nil if this report had none.
    public var rssi: Int?
    /// Transmit power as advertised, dBm.
    public var txPower: Int?

    public init(address: DeviceAddress, name: String? = nil, serviceUUIDs: [BluetoothUUID] = [], rssi: Int? = nil) {
        self.address = address
        self.name = name
        self.serviceUUIDs = serviceUUIDs
        self.rssi = rssi
    }
}

/// How strong the key of a bond is.
public struct Bond: Sendable, Hashable, Codable {
    /// Made by LE Secure Connections (P-256), not by legacy pairing.
    public var isSecureConnections: Bool
    /// Protected against a man in the middle: the two persons compared a number.
    public var isAuthenticated: Bool

    public init(isSecureConnections: Bool, isAuthenticated: Bool) {
        self.isSecureConnections = isSecureConnections
        self.isAuthenticated = isAuthenticated
    }
}
