import RadioModel
import Timing

/// Something that is on the air without a board behind it. Both boards hear it with the signal of its distance.
public enum AirStation: Sendable, Hashable, Codable {
    case advertiser(AirAdvertiser)
    case accessPoint(AirAccessPoint)

    /// What it is known by.
    public var address: DeviceAddress {
        switch self {
        case .advertiser(let advertiser): advertiser.address
        case .accessPoint(let accessPoint): accessPoint.bssid
        }
    }
}

/// A Bluetooth LE device that advertises and answers scan requests, and nothing else: who tries to connect hears nothing.
public struct AirAdvertiser: Sendable, Hashable, Codable {
    public var address: DeviceAddress
    /// Whether the address is a random one, rather than a public one.
    public var isRandom: Bool
    /// Advertising data, at most 31 bytes (Core Specification, volume 3, part C, 11).
    public var data: [UInt8]
    /// What it answers a scan request with, at most 31 bytes.
    public var scanResponse: [UInt8]
    /// Between two advertisements, 20 ms to 10.24 s.
    public var interval: Duration
    /// From either board.
    public var metres: Double

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

    /// An advertiser as accessories are: flags and services in the advertisement, the name in the scan response.
    ///
    /// - Parameter services: As many as 28 bytes hold: one of 128 bits.
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

/// A Wi-Fi access point that beacons and answers probe requests, and nothing else: who tries to join hears nothing.
public struct AirAccessPoint: Sendable, Hashable, Codable {
    /// At most 32 bytes in UTF-8.
    public var ssid: String
    public var bssid: DeviceAddress
    /// 1 to 13 of 2.4 GHz; 36, 40, 44, 48, 149, 153, 157, 161 or 165 of 5 GHz. The air refuses any other: see
    /// ``RadioModel/WiFiChannel``.
    public var channel: Int
    /// What its beacons say of security.
    public var security: WiFiSecurity
    /// From either board.
    public var metres: Double

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
