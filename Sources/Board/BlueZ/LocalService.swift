import RadioModel

/// A GATT service that a board offers.
package struct LocalService: Sendable {
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// The places of the included services in the server's list.
    package var included: [Int]
    package var characteristics: [LocalCharacteristic]

    package init(
        uuid: BluetoothUUID, isPrimary: Bool = true, included: [Int] = [], characteristics: [LocalCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.included = included
        self.characteristics = characteristics
    }
}

/// A GATT characteristic that a board offers.
package struct LocalCharacteristic: Sendable {
    package var uuid: BluetoothUUID
    package var properties: GATTCharacteristic.Properties
    /// What a peer's link needs to read, to write and to subscribe.
    package var reading: LinkProtection
    package var writing: LinkProtection
    package var notifying: LinkProtection
    /// Whether it is notified often. Its values then take a faster path to bluetoothd.
    package var isNotifiedOften: Bool
    /// The descriptors in addition to those of bluetoothd itself (2900, 2902).
    package var descriptors: [LocalDescriptor]

    package init(
        uuid: BluetoothUUID, properties: GATTCharacteristic.Properties, reading: LinkProtection = .none,
        writing: LinkProtection = .none, notifying: LinkProtection = .none, isNotifiedOften: Bool = false,
        descriptors: [LocalDescriptor] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        self.reading = reading
        self.writing = writing
        self.notifying = notifying
        self.isNotifiedOften = isNotifiedOften
        self.descriptors = descriptors
    }

    /// - Parameters:
    ///   - needsSecureConnections: Whether access and subscription need a link with an authenticated LE Secure
    ///     Connections key.
    ///   - description: The text of the user description descriptor, for people; nil for no descriptor.
    package init(
        uuid: BluetoothUUID, properties: GATTCharacteristic.Properties, needsSecureConnections: Bool,
        isNotifiedOften: Bool = false, description: String? = nil
    ) {
        let protection: LinkProtection = needsSecureConnections ? .secureConnections : .none
        self.init(
            uuid: uuid, properties: properties, reading: protection, writing: protection, notifying: protection,
            isNotifiedOften: isNotifiedOften, descriptors: description.map { [.userDescription($0)] } ?? [])
    }

    /// The flags of BlueZ. Protection must come together with the plain flag: alone it would not permit access.
    var flags: [String] {
        var flags: [String] = []
        if properties.contains(.broadcast) { flags.append("broadcast") }
        if properties.contains(.read) { flags += reading.flags("read") }
        if properties.contains(.write) { flags += writing.flags("write") }
        if properties.contains(.writeWithoutResponse) {
            // BlueZ has no flag for a protected write without response alone; the protected request comes with it.
            flags += ["write-without-response"] + writing.flags("write").dropFirst()
        }
        if properties.contains(.authenticatedSignedWrites) { flags.append("authenticated-signed-writes") }
        if properties.contains(.notify) { flags += notifying.flags("notify") }
        if properties.contains(.indicate) { flags += notifying.flags("indicate") }
        return flags
    }
}

/// A descriptor of a characteristic that a board offers.
package struct LocalDescriptor: Sendable {
    package var uuid: BluetoothUUID
    package var isReadable: Bool
    package var isWritable: Bool
    package var protection: LinkProtection
    /// The value, if it is constant; nil to ask the server's handler.
    package var fixedValue: [UInt8]?

    package init(
        uuid: BluetoothUUID, isReadable: Bool = true, isWritable: Bool = false, protection: LinkProtection = .none,
        fixedValue: [UInt8]? = nil
    ) {
        self.uuid = uuid
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.protection = protection
        self.fixedValue = fixedValue
    }

    /// The user description, UUID 2901.
    static func userDescription(_ text: String) -> LocalDescriptor {
        LocalDescriptor(uuid: BluetoothUUID(short: 0x2901), fixedValue: Array(text.utf8))
    }

    var flags: [String] {
        (isReadable ? protection.flags("read") : []) + (isWritable ? protection.flags("write") : [])
    }
}

extension LinkProtection {
    /// The flags of BlueZ for a kind of access: the plain one, and the protected one.
    fileprivate func flags(_ access: String) -> [String] {
        switch self {
        case .none: [access]
        case .encrypted: [access, "encrypt-\(access)"]
        case .authenticated: [access, "encrypt-authenticated-\(access)"]
        case .secureConnections: [access, "secure-\(access)"]
        }
    }
}

/// An attribute of a GATT server.
package struct LocalAttribute: Sendable, Hashable {
    package let uuid: BluetoothUUID
    package let place: AttributePlace

    package init(uuid: BluetoothUUID, place: AttributePlace) {
        self.uuid = uuid
        self.place = place
    }
}
