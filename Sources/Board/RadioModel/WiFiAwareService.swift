/// A Wi-Fi Aware service that was heard: the device publishes it, or looks for a publisher.
///
/// Source: Wi-Fi Aware Specification 4.0, 4.2 (discovery) and 7.6.6.1 (pairing: the names that people see).
public struct WiFiAwareService: Sendable, Hashable, Codable {
    /// The device's role in the service.
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case publisher, subscriber
    }

    /// The device's NAN management interface address.
    package var address: DeviceAddress
    /// The name of the service: `_lamp._tcp`.
    package var name: String
    package var role: Role
    /// The names of the maker and the model that the device sends; nil if it sends none.
    package var vendorName: String?
    package var modelName: String?

    package init(
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
