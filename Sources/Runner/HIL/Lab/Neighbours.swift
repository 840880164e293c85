import HILTiming
import RadioModel
import RigModel

// Other people's devices, for scenarios with a crowded air.

extension DeviceAddress {
    /// The Bluetooth address of a neighbour's device.
    ///
    /// - Parameter number: 0 to 255.
    public static func neighbour(_ number: Int) -> DeviceAddress {
        DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!
    }
}

extension AirAdvertiser {
    /// A neighbour that sends a malformed advertisement of `length` bytes, 0 to 31, five times a second.
    ///
    /// The length chooses one of seven ways in which its fields can be wrong.
    package static func malformed(_ length: Int) -> AirAdvertiser {
        let ways: [[UInt8]] = [
            // A field that is longer than the remaining bytes; a field without a type; a list without a whole UUID.
            [2, 0x01, 0x06, 0xFF, 0x09, 0x41], [0, 0, 1, 0x09, 1], [2, 0x02, 0x0F, 4, 0x06, 1, 2, 3],
            // A name that is not UTF-8; contradicting names and powers; data without a company or a service.
            [5, 0x09, 0xC3, 0x28, 0xFF, 0xFE], [3, 0x08, 0x41, 0x42, 3, 0x09, 0x43, 0x44, 3, 0x09, 0x45, 0x46],
            [2, 0x0A, 0x7F, 2, 0x0A, 0x80, 3, 0x0A, 1, 2], [2, 0xFF, 0x4C, 2, 0x16, 0x0F, 5, 0x21, 1, 2, 3, 4],
        ]
        let way = ways[length % ways.count]
        let bytes = (0..<length).map { way[$0 % way.count] }
        return AirAdvertiser(
            address: .neighbour(length), data: bytes, scanResponse: bytes.reversed(), interval: .milliseconds(200))
    }
}

extension AirAccessPoint {
    /// A neighbour's Wi-Fi network on channel 1.
    ///
    /// - Parameter number: 0 to 255; also its distance in metres.
    public static func neighbour(_ number: Int) -> AirAccessPoint {
        AirAccessPoint(
            ssid: "Home \(number)", bssid: DeviceAddress(bytes: [0x02, 0, 0, 0x0B, 0, UInt8(number)])!,
            channel: 1, security: [WiFiSecurity.open, .wpa2, .wpa3, .wpa2wpa3][number % 4], metres: Double(number))
    }
}

extension Lab {
    /// Runs a step in which the phone scans until it has received an advertisement of each of these.
    ///
    /// - Throws: ``StepOverran``, or `RadioError`.
    public func hear(_ advertisers: [AirAdvertiser], within limit: Duration) async throws {
        let mark = phone.log.mark
        try await step("hear them all", within: limit) {
            try await self.phone.radio.startDiscovery()
            for one in advertisers { try await self.phone.log.next(.advertisement(of: one.address), since: mark) }
            try await self.phone.radio.stopDiscovery()
        }
    }
}
