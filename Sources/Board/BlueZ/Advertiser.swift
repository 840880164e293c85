import DBus
import RadioModel

/// What a board says of itself on the air.
public struct AdvertisedContent: Sendable, Equatable {
    /// Goes into the scan response; what does not fit its 29 bytes is cut.
    public var name: String
    /// Go into the advertisement: one of 128 bits fits beside the flags.
    public var serviceUUIDs: [BluetoothUUID]

    public init(name: String, serviceUUIDs: [BluetoothUUID]) {
        self.name = name
        self.serviceUUIDs = serviceUUIDs
    }

    /// The longest name that a scan response holds, bytes of UTF-8.
    public static let longestName = 29

    /// The name without the characters that do not fit. bluetoothd cuts to what extended advertising holds, and fails.
    public var fittingName: String {
        var name = name
        while name.utf8.count > Self.longestName { name.removeLast() }
        return name
    }
}

/// Advertises through bluetoothd.
///
/// Source: BlueZ 5.82, `doc/org.bluez.LEAdvertisement.rst`.
public struct Advertiser: Sendable {
    private static let path = "/hil/advertisement"
    private let adapter: Adapter

    public init(_ adapter: Adapter) { self.adapter = adapter }

    /// Goes on the air, every 20 to 40 ms: at BlueZ's own interval a phone needs more than a second to connect.
    public func start(_ content: AdvertisedContent, within limit: Duration) async throws(BusError) {
        let properties: [String: BusValue] = [
            "Type": "peripheral", "LocalName": .string(content.fittingName), "Discoverable": true,
            "ServiceUUIDs": .strings(content.serviceUUIDs.map(\.description)),
            "MinInterval": .uint32(20), "MaxInterval": .uint32(40),
        ]
        let interface = BusObject.Interface(properties: { properties }, methods: ["Release": { $0.reply() }])
        adapter.daemon.connection.export(BusObject([BlueZ.Interface.advertisement: interface]), at: Self.path)
        try await adapter.call(
            "RegisterAdvertisement", of: BlueZ.Interface.advertisingManager, [.path(Self.path), .properties([:])],
            within: limit)
    }

    /// Goes off the air; harmless when it is not on it.
    public func stop(within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await adapter.call(
                "UnregisterAdvertisement", of: BlueZ.Interface.advertisingManager, [.path(Self.path)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
        adapter.daemon.connection.unexport(Self.path)
    }
}
