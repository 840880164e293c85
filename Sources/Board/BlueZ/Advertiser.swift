import DBus
import FoundationEssentials
import RadioModel

/// What a board says of itself on the air.
public struct AdvertisedContent: Sendable, Equatable {
    /// Goes into the scan response; what does not fit its 29 bytes is cut.
    public var name: String
    /// Go into the advertisement: one of 128 bits fits beside the flags.
    public var serviceUUIDs: [BluetoothUUID]
    /// Company identifier to the bytes after it; in the advertisement.
    public var manufacturerData: [UInt16: Data]
    /// Service data by service UUID; in the advertisement.
    public var serviceData: [BluetoothUUID: Data]
    /// In the advertisement; nil tells none.
    public var appearance: UInt16?
    /// Whether the advertisement tells the transmit power.
    public var tellsTxPower: Bool

    public init(
        name: String, serviceUUIDs: [BluetoothUUID], manufacturerData: [UInt16: Data] = [:],
        serviceData: [BluetoothUUID: Data] = [:], appearance: UInt16? = nil, tellsTxPower: Bool = false
    ) {
        self.name = name
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.appearance = appearance
        self.tellsTxPower = tellsTxPower
    }

    /// The longest name that a scan response holds, bytes of UTF-8.
    public static let longestName = 29
    /// The longest advertisement, bytes.
    public static let longestAdvertisement = 31

    /// The name without the characters that do not fit. bluetoothd cuts to what extended advertising holds, and fails.
    public var fittingName: String {
        var name = name
        while name.utf8.count > Self.longestName { name.removeLast() }
        return name
    }

    /// How many bytes the advertisement has: the flags, and a field with a length and a type for all else.
    public var advertisementLength: Int {
        let lists = Dictionary(grouping: serviceUUIDs) { $0.shortest.count }
        return 3 + lists.reduce(0) { $0 + 2 + $1.key * $1.value.count }
            + manufacturerData.reduce(0) { $0 + 4 + $1.value.count }
            + serviceData.reduce(0) { $0 + 2 + $1.key.shortest.count + $1.value.count }
            + (appearance == nil ? 0 : 4) + (tellsTxPower ? 3 : 0)
    }

    /// In bluetoothd's words.
    ///
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for more than an advertisement holds: bluetoothd counts to what an
    ///   extended one holds, and the controller fails.
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
        if tellsTxPower { properties["Includes"] = .strings(["tx-power"]) }
        return properties
    }
}

/// Advertises through bluetoothd.
///
/// Source: BlueZ 5.82, `doc/org.bluez.LEAdvertisement.rst`.
package struct Advertiser: Sendable {
    private let adapter: Adapter
    private let path: String

    /// - Parameter name: Unlike that of any other advertiser of this program; a word.
    package init(_ adapter: Adapter, named name: String) {
        self.adapter = adapter
        path = "/hil/advertisement_\(name)"
    }

    /// Goes on the air, every 20 to 40 ms: at BlueZ's own interval a phone needs more than a second to connect.
    ///
    /// - Throws: ``DBus/BusError``, or ``RadioModel/RadioError/invalid(_:)`` for more than an advertisement holds.
    package func start(_ content: AdvertisedContent, within limit: Duration) async throws {
        let properties = try content.properties()
        let interface = BusObject.Interface(properties: { properties }, methods: ["Release": { $0.reply() }])
        adapter.daemon.connection.export(BusObject([BlueZ.Interface.advertisement: interface]), at: path)
        try await adapter.call(
            "RegisterAdvertisement", of: BlueZ.Interface.advertisingManager, [.path(path), .properties([:])],
            within: limit)
    }

    /// Goes off the air; harmless when it is not on it.
    package func stop(within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await adapter.call(
                "UnregisterAdvertisement", of: BlueZ.Interface.advertisingManager, [.path(path)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
        adapter.daemon.connection.unexport(path)
    }
}
