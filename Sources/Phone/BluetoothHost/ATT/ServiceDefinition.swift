import RadioModel

/// A service that the phone's GATT server offers, before it has handles.
package struct ServiceDefinition: Sendable, Hashable {
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// The included services, by their numbers in the order of ``AttributeDatabase/add(_:)``.
    package var included: [ServiceID]
    package var characteristics: [CharacteristicDefinition]
    /// The handle of the declaration; nil for the next free one.
    package var handle: UInt16?

    package init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, included: [ServiceID] = [], at handle: UInt16? = nil,
        _ characteristics: [CharacteristicDefinition]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.included = included
        self.characteristics = characteristics
        self.handle = handle
    }
}

/// The number of a service in a database. The first added service is 0. No number is used again.
package struct ServiceID: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package init(integerLiteral number: Int) { self.init(number) }

    package static func < (left: ServiceID, right: ServiceID) -> Bool { left.number < right.number }

    package var description: String { "service \(number)" }
}

/// Where the value of an attribute comes from.
package enum AttributeValue: Sendable, Hashable {
    /// The database keeps it.
    case stored([UInt8])
    /// The layer above gives and takes it.
    case dynamic
}

/// A characteristic of a ``ServiceDefinition``.
package struct CharacteristicDefinition: Sendable, Hashable {
    package var uuid: BluetoothUUID
    /// They decide what a client may do. `notify` and `indicate` add the descriptor 2902, unless the list has it.
    package var properties: GATTCharacteristic.Properties
    /// The protection that a link needs to read the value.
    package var reading: LinkProtection
    /// The protection that a link needs to write the value.
    package var writing: LinkProtection
    /// The protection that a link needs to subscribe.
    package var notifying: LinkProtection
    package var value: AttributeValue
    /// The longest value that a client may write, in bytes: 512 by Vol 3, Part F, 3.2.9.
    package var maximumLength: Int
    package var descriptors: [DescriptorDefinition]

    package init(
        _ uuid: BluetoothUUID, _ properties: GATTCharacteristic.Properties, reading: LinkProtection = .none,
        writing: LinkProtection = .none, notifying: LinkProtection = .none, value: AttributeValue = .dynamic,
        maximumLength: Int = 512, descriptors: [DescriptorDefinition] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        self.reading = reading
        self.writing = writing
        self.notifying = notifying
        self.value = value
        self.maximumLength = maximumLength
        self.descriptors = descriptors
    }
}

/// A descriptor of a ``CharacteristicDefinition``. For 2902, only the place in the list counts.
package struct DescriptorDefinition: Sendable, Hashable {
    package var uuid: BluetoothUUID
    /// The protection that a link needs to read the value; nil if nobody may.
    package var reading: LinkProtection?
    /// The protection that a link needs to write the value; nil if nobody may.
    package var writing: LinkProtection?
    package var value: AttributeValue
    /// The longest value that a client may write, in bytes.
    package var maximumLength: Int

    package init(
        _ uuid: BluetoothUUID, reading: LinkProtection? = LinkProtection.none, writing: LinkProtection? = nil,
        value: AttributeValue = .dynamic, maximumLength: Int = 512
    ) {
        self.uuid = uuid
        self.reading = reading
        self.writing = writing
        self.value = value
        self.maximumLength = maximumLength
    }

    /// The place of the Client Characteristic Configuration among the descriptors.
    package static let clientConfiguration = DescriptorDefinition(AttributeType.clientConfiguration)
}
