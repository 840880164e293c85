import HILTiming
import RadioModel
import RigModel

extension AirStation {
    /// Why this station cannot be put on the air; nil if it can.
    var problem: String? {
        switch self {
        case .advertiser(let advertiser): advertiser.problem
        case .accessPoint(let accessPoint): accessPoint.problem
        }
    }
}

extension AirAdvertiser {
    fileprivate var problem: String? {
        if data.count > 31 || scanResponse.count > 31 {
            return
                "advertising data and scan response have at most 31 bytes each, not \(data.count) "
                + "and \(scanResponse.count)"
        }
        if interval < .milliseconds(20) || interval > .milliseconds(10_240) {
            return "an advertising interval is 20 ms to 10.24 s, not \(interval.short)"
        }
        return metres >= 0 ? nil : "a distance must not be negative: \(metres)"
    }
}

extension AirAccessPoint {
    /// The time between two beacons: 100 time units of 1024 µs.
    static let beaconInterval = Duration.microseconds(102_400)

    /// The centre of the channel, in MHz.
    var frequency: UInt16 { (try? WiFiChannel(channel)).map { UInt16($0.frequency) } ?? 0 }

    fileprivate var problem: String? {
        if ssid.utf8.count > 32 { return "an SSID has at most 32 bytes, not \(ssid.utf8.count)" }
        do { _ = try WiFiChannel(channel) } catch { return "\(error)" }
        return metres >= 0 ? nil : "a distance must not be negative: \(metres)"
    }
}
