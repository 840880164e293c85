import FoundationEssentials
import HILDBus
import RadioModel

/// The content that a board advertises.
package struct AdvertisedContent: Sendable, Equatable {
    /// Sent in the scan response; cut to its 29 bytes.
    package var name: String
    /// Sent in the advertisement. One UUID of 128 bits fits beside the flags.
    package var serviceUUIDs: [BluetoothUUID]
    /// The bytes after the company identifier, by company identifier. Sent in the advertisement.
    package var manufacturerData: [UInt16: Data]
    /// Service data by service UUID. Sent in the advertisement.
    package var serviceData: [BluetoothUUID: Data]
    /// Sent in the advertisement; nil to leave it out.
    package var appearance: UInt16?
    /// Whether the advertisement contains the transmit power.
    package var includesTxPower: Bool
    /// The services that it looks for on a phone. Sent in the advertisement.
    package var solicitedUUIDs: [BluetoothUUID]

    package init(
        name: String, serviceUUIDs: [BluetoothUUID], manufacturerData: [UInt16: Data] = [:],
        serviceData: [BluetoothUUID: Data] = [:], appearance: UInt16? = nil, includesTxPower: Bool = false,
        solicitedUUIDs: [BluetoothUUID] = []
    ) {
        self.name = name
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.appearance = appearance
        self.includesTxPower = includesTxPower
        self.solicitedUUIDs = solicitedUUIDs
    }

    /// The longest name that fits into a scan response, in bytes of UTF-8.
    package static let longestName = 29
    /// The longest advertisement, in bytes.
    package static let longestAdvertisement = 31

    /// The name without the characters that do not fit. bluetoothd would only cut it for extended advertising, and then
    /// fail.
    package var fittingName: String {
        var name = name
        while name.utf8.count > Self.longestName { name.removeLast() }
        return name
    }

    /// The length of the advertisement in bytes: the flags, and a length and a type for each other field.
    package var advertisementLength: Int {
        let lists = [serviceUUIDs, solicitedUUIDs].map { Dictionary(grouping: $0) { $0.shortest.count } }
        return 3 + lists.joined().reduce(0) { $0 + 2 + $1.key * $1.value.count }
            + manufacturerData.reduce(0) { $0 + 4 + $1.value.count }
            + serviceData.reduce(0) { $0 + 2 + $1.key.shortest.count + $1.value.count }
            + (appearance == nil ? 0 : 4) + (includesTxPower ? 3 : 0)
    }

    /// The properties in the format of bluetoothd.
    ///
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if the content does not fit: bluetoothd only checks the limit of
    ///   an extended advertisement, and then the controller fails.
    func properties() throws(RadioError) -> [String: BusValue] {
        guard advertisementLength <= Self.longestAdvertisement else {
            throw .invalid(
                "an advertisement holds \(Self.longestAdvertisement) bytes, not \(advertisementLength): "
                    + "advertise fewer services or less data")
        }
        var properties: [String: BusValue] = [
            "Type": "peripheral", "LocalName": .string(fittingName), "Discoverable": true,
            "ServiceUUIDs": .strings(serviceUUIDs.map(\.description)), "MinInterval": .uint32(20),
            "MaxInterval": .uint32(40),
        ]
        if !manufacturerData.isEmpty {
            let entries = manufacturerData.sorted { $0.key < $1.key }
                .map { BusValue.Entry(.uint16($0.key), .variant(.bytes(Array($0.value)))) }
            properties["ManufacturerData"] = .dictionary(key: "q", value: "v", entries)
        }
        if !serviceData.isEmpty {
            let pairs = serviceData.map { ($0.key.description, BusValue.bytes(Array($0.value))) }
            properties["ServiceData"] = .properties(Dictionary(uniqueKeysWithValues: pairs))
        }
        if let appearance { properties["Appearance"] = .uint16(appearance) }
        if !solicitedUUIDs.isEmpty { properties["SolicitUUIDs"] = .strings(solicitedUUIDs.map(\.description)) }
        if includesTxPower { properties["Includes"] = .strings(["tx-power"]) }
        return properties
    }
}

/// Advertises through bluetoothd.
///
/// Source: BlueZ 5.82, `doc/org.bluez.LEAdvertisement.rst`.
package struct BoardAdvertiser: Sendable {
    private let adapter: Adapter
    private let path: String

    /// - Parameter name: One word, not used by another advertiser of this program.
    package init(_ adapter: Adapter, named name: String) {
        self.adapter = adapter
        path = "/hil/advertisement_\(name)"
    }

    /// Starts advertising every 20 to 40 ms. With BlueZ's default interval a phone needs more than a second to connect.
    ///
    /// - Throws: ``HILDBus/BusError``; ``RadioModel/RadioError/invalid(_:)`` if the content does not fit.
    package func start(_ content: AdvertisedContent, within limit: Duration) async throws {
        let properties = try content.properties()
        let interface = BusObject.Interface(properties: { properties }, methods: ["Release": { $0.reply() }])
        adapter.daemon.connection.export(BusObject([BlueZ.Interface.advertisement: interface]), at: path)
        try await adapter.call(
            "RegisterAdvertisement", of: BlueZ.Interface.advertisingManager, [.path(path), .properties([:])],
            within: limit)
    }

    /// Stops advertising. Does no harm if nothing is advertised.
    package func stop(within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await adapter.call(
                "UnregisterAdvertisement", of: BlueZ.Interface.advertisingManager, [.path(path)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
        adapter.daemon.connection.unexport(path)
    }
}
