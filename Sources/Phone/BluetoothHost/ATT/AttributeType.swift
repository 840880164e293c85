import RadioModel

/// The attribute types of GATT itself.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3; Assigned Numbers, 3.
package enum AttributeType {
    package static let primaryService = BluetoothUUID(short: 0x2800)
    package static let secondaryService = BluetoothUUID(short: 0x2801)
    package static let include = BluetoothUUID(short: 0x2802)
    package static let characteristic = BluetoothUUID(short: 0x2803)
    package static let extendedProperties = BluetoothUUID(short: 0x2900)
    package static let userDescription = BluetoothUUID(short: 0x2901)
    package static let clientConfiguration = BluetoothUUID(short: 0x2902)
    package static let serverConfiguration = BluetoothUUID(short: 0x2903)
    package static let presentationFormat = BluetoothUUID(short: 0x2904)
    package static let aggregateFormat = BluetoothUUID(short: 0x2905)
    package static let serviceChanged = BluetoothUUID(short: 0x2A05)
    package static let databaseHash = BluetoothUUID(short: 0x2B2A)

    /// Whether it begins a service.
    package static func isService(_ type: BluetoothUUID) -> Bool { type == primaryService || type == secondaryService }
}

/// The value of a Client Characteristic Configuration.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3.3.3.3.
package struct ClientConfiguration: OptionSet, Sendable, Hashable, Codable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let notifies = ClientConfiguration(rawValue: 0x0001)
    package static let indicates = ClientConfiguration(rawValue: 0x0002)

    /// The attribute's value.
    package var bytes: [UInt8] { [UInt8(rawValue & 0xFF), UInt8(rawValue >> 8)] }
}
