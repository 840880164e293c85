import RadioModel

/// A service of the peer.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3.1.
package struct DiscoveredService: Sendable, Hashable, Codable {
    /// The handle of the declaration. It names the service.
    package var handle: UInt16
    /// The last handle of the service.
    package var last: UInt16
    package var uuid: BluetoothUUID
    package var isPrimary: Bool

    package init(_ range: HandleRange, _ uuid: BluetoothUUID, isPrimary: Bool = true) {
        handle = range.first
        last = range.last
        self.uuid = uuid
        self.isPrimary = isPrimary
    }

    package var range: HandleRange { HandleRange(handle, last) }
}

/// An include declaration of the peer.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3.2.
package struct IncludedService: Sendable, Hashable, Codable {
    /// The handle of the include declaration.
    package var declaration: UInt16
    /// The handle of the included service.
    package var handle: UInt16
    /// The last handle of the included service.
    package var last: UInt16
    package var uuid: BluetoothUUID

    package init(_ declaration: UInt16, _ range: HandleRange, _ uuid: BluetoothUUID) {
        self.declaration = declaration
        handle = range.first
        last = range.last
        self.uuid = uuid
    }

    package var range: HandleRange { HandleRange(handle, last) }
}

/// A characteristic of the peer.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3.3.
package struct DiscoveredCharacteristic: Sendable, Hashable, Codable {
    /// The handle of the declaration.
    package var declaration: UInt16
    /// The handle of the value. It names the characteristic.
    package var handle: UInt16
    /// The last handle that belongs to the characteristic.
    package var last: UInt16
    package var uuid: BluetoothUUID
    package var properties: GATTCharacteristic.Properties
    /// Sorted by handle; nil before their discovery.
    package var descriptors: [GATTDescriptor]?

    package init(
        _ declaration: UInt16, value handle: UInt16, last: UInt16, _ uuid: BluetoothUUID,
        _ properties: GATTCharacteristic.Properties, descriptors: [GATTDescriptor]? = nil
    ) {
        self.declaration = declaration
        self.handle = handle
        self.last = last
        self.uuid = uuid
        self.properties = properties
        self.descriptors = descriptors
    }

    package var range: HandleRange { HandleRange(declaration, last) }

    /// The handles after the value; nil if there are none.
    package var descriptorRange: HandleRange? { handle < last ? HandleRange(handle + 1, last) : nil }
}
