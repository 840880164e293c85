import RadioModel

/// Lays the attributes of one service out.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3.
struct ServiceBuilder {
    private(set) var attributes: [Attribute] = []
    /// The service as a client discovers it.
    private(set) var layout: GATTService
    private var next: Int

    init(_ definition: ServiceDefinition, at range: HandleRange) {
        layout = GATTService(
            uuid: definition.uuid, handle: range.first, isPrimary: definition.isPrimary, characteristics: [])
        next = Int(range.first)
        declare(
            definition.isPrimary ? AttributeType.primaryService : AttributeType.secondaryService,
            ServiceBuilder.bytes(of: definition.uuid))
    }

    /// Include declarations have the UUID only in its short form: Part G, 3.2.
    mutating func append(included services: [(range: HandleRange, uuid: BluetoothUUID)]) {
        for (range, uuid) in services {
            var value: [UInt8] = []
            value.append(uint16: range.first)
            value.append(uint16: range.last)
            if uuid.hasShortForm { value.append(uuid: uuid) }
            declare(AttributeType.include, value)
            layout.included.append(range.first)
        }
    }

    mutating func append(_ definition: CharacteristicDefinition) {
        let properties = definition.properties
        var value = [properties.rawValue]
        value.append(uint16: UInt16(truncatingIfNeeded: next + 1))
        value.append(uuid: definition.uuid)
        declare(AttributeType.characteristic, value)
        let writes = !properties.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites])
        let handle = append(
            definition.uuid, definition.value, reading: properties.contains(.read) ? definition.reading : nil,
            writing: writes ? definition.writing : nil, maximumLength: definition.maximumLength)
        attributes[attributes.count - 1].takesRequests = properties.contains(.write)
        attributes[attributes.count - 1].takesCommands = properties.contains(.writeWithoutResponse)
        var characteristic = GATTCharacteristic(
            uuid: definition.uuid, id: CharacteristicID(handle: handle), properties: properties)
        for descriptor in definition.allDescriptors {
            let id = DescriptorID(handle: append(descriptor, of: definition, at: handle))
            characteristic.descriptors.append(GATTDescriptor(uuid: descriptor.uuid, id: id))
        }
        layout.characteristics.append(characteristic)
    }

    /// - Parameter value: The handle of the characteristic's value.
    private mutating func append(
        _ descriptor: DescriptorDefinition, of definition: CharacteristicDefinition, at value: UInt16
    ) -> UInt16 {
        guard descriptor.uuid == AttributeType.clientConfiguration else {
            return append(
                descriptor.uuid, descriptor.value, reading: descriptor.reading, writing: descriptor.writing,
                maximumLength: descriptor.maximumLength)
        }
        // Everybody may read it: Part G, 3.3.3.3.
        let handle = append(
            descriptor.uuid, .dynamic, reading: LinkProtection.none, writing: definition.notifying, maximumLength: 2)
        var supported: ClientConfiguration = []
        if definition.properties.contains(.notify) { supported.insert(.notifies) }
        if definition.properties.contains(.indicate) { supported.insert(.indicates) }
        attributes[attributes.count - 1].content = .configuration(ofValue: value, supported: supported)
        return handle
    }

    private mutating func declare(_ type: BluetoothUUID, _ value: [UInt8]) {
        _ = append(type, .stored(value), reading: LinkProtection.none, writing: nil, maximumLength: 0)
    }

    private mutating func append(
        _ type: BluetoothUUID, _ value: AttributeValue, reading: LinkProtection?, writing: LinkProtection?,
        maximumLength: Int
    ) -> UInt16 {
        let handle = UInt16(truncatingIfNeeded: next)
        let content: Attribute.Content =
            switch value {
            case .stored(let bytes): .stored(bytes)
            case .dynamic: .dynamic
            }
        attributes.append(
            Attribute(
                handle: handle, type: type, content: content, reading: reading, writing: writing,
                maximumLength: maximumLength))
        next += 1
        return handle
    }

    private static func bytes(of uuid: BluetoothUUID) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(uuid: uuid)
        return bytes
    }
}
