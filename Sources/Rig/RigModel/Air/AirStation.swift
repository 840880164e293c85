import HILTiming
import RadioModel

/// A sender on the air without a board. Both boards hear it with a signal according to its distance.
public enum AirStation: Sendable, Hashable, Codable {
    /// A Bluetooth LE device that only advertises.
    case advertiser(AirAdvertiser)
    /// A Wi-Fi access point that only sends beacons.
    case accessPoint(AirAccessPoint)

    /// The address that identifies it.
    package var address: DeviceAddress {
        switch self {
        case .advertiser(let advertiser): advertiser.address
        case .accessPoint(let accessPoint): accessPoint.bssid
        }
    }
}

/// A Bluetooth LE device that only advertises and answers scan requests. It does not answer connection requests.
public struct AirAdvertiser: Sendable, Hashable, Codable {
    /// The address that it advertises with.
    public var address: DeviceAddress
    /// Whether the address is random instead of public.
    public var isRandom: Bool
    /// Advertising data, at most 31 bytes (Core Specification, volume 3, part C, 11).
    public var data: [UInt8]
    /// The answer to a scan request, at most 31 bytes.
    public var scanResponse: [UInt8]
    /// The time between two advertisements, 20 ms to 10.24 s.
    public var interval: Duration
    /// From either board.
    public var metres: Double

    /// Makes an advertiser; the properties say what each value means.
    public init(
        address: DeviceAddress, isRandom: Bool = false, data: [UInt8], scanResponse: [UInt8] = [],
        interval: Duration = .milliseconds(100), metres: Double = 2
    ) {
        self.address = address
        self.isRandom = isRandom
        self.data = data
        self.scanResponse = scanResponse
        self.interval = interval
        self.metres = metres
    }

    /// An advertiser like a typical accessory: flags and services in the advertisement, the name in the scan response.
    ///
    /// - Parameters:
    ///   - name: Cut off after 29 bytes in UTF-8.
    ///   - services: At most 28 bytes of them, for example one of 128 bits.
    public init(
        named name: String, address: DeviceAddress, services: [BluetoothUUID] = [],
        interval: Duration = .milliseconds(100), metres: Double = 2
    ) {
        var data: [UInt8] = [2, 0x01, 0x06]
        for (size, type) in [(2, 0x03), (16, 0x07)] {
            let fitting = services.map { Array($0.shortest.reversed()) }.filter { $0.count == size }
            if !fitting.isEmpty { data += [UInt8(1 + size * fitting.count), UInt8(type)] + fitting.flatMap(\.self) }
        }
        let text = Array(name.utf8.prefix(29))
        self.init(
            address: address, data: data, scanResponse: [UInt8(1 + text.count), 0x09] + text, interval: interval,
            metres: metres)
    }
}

/// A Wi-Fi access point that only sends beacons and answers probe requests. It does not answer attempts to join.
public struct AirAccessPoint: Sendable, Hashable, Codable {
    /// At most 32 bytes in UTF-8.
    public var ssid: String
    /// The address of the access point.
    public var bssid: DeviceAddress
    /// 1 to 13 at 2.4 GHz; 36, 40, 44, 48, 149, 153, 157, 161 or 165 at 5 GHz. The air refuses any other: see
    /// ``RadioModel/WiFiChannel``.
    public var channel: Int
    /// The security that its beacons announce.
    public var security: WiFiSecurity
    /// From either board.
    public var metres: Double

    /// Makes an access point; the properties say what each value means.
    public init(
        ssid: String, bssid: DeviceAddress, channel: Int = 1, security: WiFiSecurity = .wpa2, metres: Double = 5
    ) {
        self.ssid = ssid
        self.bssid = bssid
        self.channel = channel
        self.security = security
        self.metres = metres
    }
}
