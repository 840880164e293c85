import RadioModel

/// The phone's services for its own GATT server that belong to Bluetooth itself: Generic Access and Generic Attribute.
///
/// They are the first ones of the database. The phone's other services and those of apps come after them.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 12, and Part G, 7.
package struct PhoneServices: Sendable, Hashable {
    /// The person's name for the phone: `Kim's iPhone`.
    package var name: String
    /// The name for devices without a bond. An iPhone says so: h2zero/esp-nimble-cpp#171.
    package var plainName = "iPhone"
    /// Source: Assigned Numbers, 2.6: a phone. Assumed.
    package var appearance: UInt16 = 0x0040
    /// An iPhone has it: nrfconnect/sdk-nrf#4472.
    package var hasServiceChanged = true
    /// Whether there are Client Supported Features and a Database Hash. Nothing shows that an iPhone has them.
    package var hasRobustCaching = false

    package init(name: String) { self.name = name }

    /// The definitions for a new database. The handles are an iPhone's, 1 to 5 and 6 to 9: noble/noble#127.
    package var definitions: [ServiceDefinition] {
        let access = ServiceDefinition(
            BluetoothUUID(short: 0x1800), at: 1,
            [
                CharacteristicDefinition(PhoneServices.deviceName, .read),
                CharacteristicDefinition(
                    BluetoothUUID(short: 0x2A01), .read,
                    value: .stored([UInt8(appearance & 0xFF), UInt8(appearance >> 8)])),
            ])
        let changed = CharacteristicDefinition(AttributeType.serviceChanged, .indicate)
        let caching = [
            CharacteristicDefinition(GATTFeature.clientFeatures.uuid, [.read, .write], maximumLength: 512),
            CharacteristicDefinition(GATTFeature.databaseHash.uuid, .read),
        ]
        let attribute = ServiceDefinition(
            ServiceChangedSubscribing.service, at: 6,
            (hasServiceChanged ? [changed] : []) + (hasRobustCaching ? caching : []))
        return [access, attribute]
    }

    /// A database with these services only.
    package var database: AttributeDatabase {
        // Their handles are free, and their values are short.
        (try? AttributeDatabase(definitions)) ?? AttributeDatabase()
    }

    private static let deviceName = BluetoothUUID(short: 0x2A00)

    /// Answers a client's request for one of these values; nil for the value of another service.
    package func answer(
        _ request: AttributeServer.Request, by server: inout AttributeServer, in database: AttributeDatabase
    ) -> AttributeServer.Answer? {
        switch request {
        case .read(let handle, let offset):
            guard handle <= PhoneServices.lastHandle(in: database),
                let value = value(of: database.attribute(at: handle)?.type, for: server, in: database)
            else { return nil }
            return Int(offset) <= value.count ? .value(Array(value.dropFirst(Int(offset)))) : .refused(.invalidOffset)
        case .write(let writes):
            guard let write = writes.first, write.handle <= PhoneServices.lastHandle(in: database),
                database.attribute(at: write.handle)?.type == GATTFeature.clientFeatures.uuid
            else { return nil }
            return PhoneServices.write(clientFeatures: writes, to: &server)
        }
    }

    /// Indicates to a client that services came or went, if it has subscribed. It must be called for each change of
    /// the database.
    package static func servicesChanged(
        in range: HandleRange, of database: AttributeDatabase, for server: inout AttributeServer, at now: Duration
    ) -> [AttributeServer.Output] {
        server.databaseChanged(range, in: database)
        let own = HandleRange(1, lastHandle(in: database))
        guard let changed = database.attributes(in: own).first(where: { $0.type == AttributeType.serviceChanged })
        else { return [] }
        var value: [UInt8] = []
        value.append(uint16: range.first)
        value.append(uint16: range.last)
        return server.indicate(value, of: changed.handle, at: now, in: database)
    }

    /// Other services may have characteristics of the same types.
    private static func lastHandle(in database: AttributeDatabase) -> UInt16 {
        database.attribute(at: 6).map(database.groupEnd) ?? 5
    }

    private func value(
        of type: BluetoothUUID?, for server: AttributeServer, in database: AttributeDatabase
    ) -> [UInt8]? {
        switch type {
        case PhoneServices.deviceName: Array((server.isBonded ? name : plainName).utf8)
        case GATTFeature.clientFeatures.uuid: [server.usesRobustCaching ? 1 : 0]
        case GATTFeature.databaseHash.uuid: database.hash()
        default: nil
        }
    }

    /// A client may not take a feature back: Part G, 7.2. Unknown features are ignored.
    private static func write(
        clientFeatures writes: [AttributeWrite], to server: inout AttributeServer
    ) -> AttributeServer.Answer {
        guard writes.count == 1, let write = writes.first, write.offset == 0, let features = write.value.first else {
            return .refused(.invalidAttributeValueLength)
        }
        guard features & 1 == 1 || !server.usesRobustCaching else { return .refused(.valueNotAllowed) }
        server.usesRobustCaching = features & 1 == 1
        return .written
    }
}
