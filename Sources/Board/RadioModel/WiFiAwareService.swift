/// A Wi-Fi Aware service as heard on the air: a device that publishes it, or that looks for somebody who does.
///
/// Source: Wi-Fi Aware Specification 4.0, 4.2 (discovery) and 7.6.6.1 (pairing: the names that people see).
public struct WiFiAwareService: Sendable, Hashable, Codable {
    /// Which end of the service the device is.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case publisher, subscriber
    }

    /// The device's NAN management interface address.
    public var address: DeviceAddress
    /// The name of the service: `_lamp._tcp`.
    public var name: String
    public var role: Role
    /// What the device says of its maker and itself, if it does.
    public var vendorName: String?
    public var modelName: String?

    public init(
        address: DeviceAddress, name: String, role: Role = .publisher, vendorName: String? = nil,
        modelName: String? = nil
    ) {
        self.address = address
        self.name = name
        self.role = role
        self.vendorName = vendorName
        self.modelName = modelName
    }
}
