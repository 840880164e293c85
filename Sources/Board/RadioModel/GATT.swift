/// Identifies a characteristic of a connected device for as long as the connection lasts.
public struct CharacteristicID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The attribute handle of the characteristic's value.
    package var handle: UInt16

    package init(handle: UInt16) { self.handle = handle }

    public var description: String { "the characteristic at handle \(handle)" }
}

/// Identifies a descriptor of a connected device for as long as the connection lasts.
package struct DescriptorID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The attribute handle of the descriptor.
    package var handle: UInt16

    package init(handle: UInt16) { self.handle = handle }

    package var description: String { "the descriptor at handle \(handle)" }
}

/// A descriptor of a characteristic, as discovered on a device.
package struct GATTDescriptor: Sendable, Hashable, Codable {
    package var uuid: BluetoothUUID
    package var id: DescriptorID

    package init(uuid: BluetoothUUID, id: DescriptorID) {
        self.uuid = uuid
        self.id = id
    }
}

/// A service, as discovered on a device.
package struct GATTService: Sendable, Hashable, Codable {
    package var uuid: BluetoothUUID
    /// The first handle of the service.
    package var handle: UInt16
    package var isPrimary: Bool
    package var characteristics: [GATTCharacteristic]
    /// The first handles of the included services.
    package var included: [UInt16]

    package init(
        uuid: BluetoothUUID, handle: UInt16, isPrimary: Bool, characteristics: [GATTCharacteristic],
        included: [UInt16] = []
    ) {
        self.uuid = uuid
        self.handle = handle
        self.isPrimary = isPrimary
        self.characteristics = characteristics
        self.included = included
    }
}

/// A characteristic, as discovered on a device.
public struct GATTCharacteristic: Sendable, Hashable, Codable {
    /// The properties of a characteristic. The bits are those of the Core Specification 6.0, Vol 3, Part G, 3.3.1.1.
    public struct Properties: OptionSet, Sendable, Hashable, Codable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Its value may be in advertisements.
        public static let broadcast = Properties(rawValue: 0x01)
        /// Can be read.
        public static let read = Properties(rawValue: 0x02)
        /// Can be written without an answer.
        public static let writeWithoutResponse = Properties(rawValue: 0x04)
        /// Can be written, with an answer.
        public static let write = Properties(rawValue: 0x08)
        /// Sends its value without a confirmation.
        public static let notify = Properties(rawValue: 0x10)
        /// Sends its value, and the other end confirms it.
        public static let indicate = Properties(rawValue: 0x20)
        /// Can be written with a signature, without an answer.
        public static let authenticatedSignedWrites = Properties(rawValue: 0x40)
        /// Has more properties in a descriptor, 2900.
        public static let extendedProperties = Properties(rawValue: 0x80)
    }

    package var uuid: BluetoothUUID
    package var id: CharacteristicID
    package var properties: Properties
    /// Sorted by handle.
    package var descriptors: [GATTDescriptor]

    package init(
        uuid: BluetoothUUID, id: CharacteristicID, properties: Properties, descriptors: [GATTDescriptor] = []
    ) {
        self.uuid = uuid
        self.id = id
        self.properties = properties
        self.descriptors = descriptors
    }
}

/// The place of an attribute in a GATT server, counted from 0.
public struct AttributePlace: Sendable, Hashable, Codable {
    /// The place of its service among all services.
    public var service: Int
    /// The place of its characteristic in the service.
    public var characteristic: Int
    /// Nil for the characteristic itself.
    public var descriptor: Int?

    package init(service: Int, characteristic: Int, descriptor: Int? = nil) {
        self.service = service
        self.characteristic = characteristic
        self.descriptor = descriptor
    }
}
