/// Identifies a characteristic of a connected device for as long as the connection lasts.
public struct CharacteristicID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The attribute handle of the characteristic's value.
    public var handle: UInt16

    public init(handle: UInt16) { self.handle = handle }

    public var description: String { "the characteristic at handle \(handle)" }
}

/// Identifies a descriptor of a connected device for as long as the connection lasts.
public struct DescriptorID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The attribute handle of the descriptor.
    public var handle: UInt16

    public init(handle: UInt16) { self.handle = handle }

    public var description: String { "the descriptor at handle \(handle)" }
}

/// A descriptor of a characteristic, as discovered on a device.
public struct GATTDescriptor: Sendable, Hashable, Codable {
    public var uuid: BluetoothUUID
    public var id: DescriptorID

    public init(uuid: BluetoothUUID, id: DescriptorID) {
        self.uuid = uuid
        self.id = id
    }
}

/// A service, as discovered on a device.
public struct GATTService: Sendable, Hashable, Codable {
    public var uuid: BluetoothUUID
    /// The first handle of the service.
    public var handle: UInt16
    public var isPrimary: Bool
    public var characteristics: [GATTCharacteristic]
    /// The first handles of the included services.
    public var included: [UInt16]

    public init(
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

        public static let broadcast = Properties(rawValue: 0x01)
        public static let read = Properties(rawValue: 0x02)
        public static let writeWithoutResponse = Properties(rawValue: 0x04)
        public static let write = Properties(rawValue: 0x08)
        public static let notify = Properties(rawValue: 0x10)
        public static let indicate = Properties(rawValue: 0x20)
        public static let authenticatedSignedWrites = Properties(rawValue: 0x40)
        public static let extendedProperties = Properties(rawValue: 0x80)
    }

    public var uuid: BluetoothUUID
    public var id: CharacteristicID
    public var properties: Properties
    /// Sorted by handle.
    public var descriptors: [GATTDescriptor]

    public init(
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
    public var service: Int
    public var characteristic: Int
    /// Nil for the characteristic itself.
    public var descriptor: Int?

    public init(service: Int, characteristic: Int, descriptor: Int? = nil) {
        self.service = service
        self.characteristic = characteristic
        self.descriptor = descriptor
    }
}
