import BoardProtocol
import RadioModel

/// What the phone's host remarks about devices, within bounds: a device can be odd without end.
struct Remarks {
    /// The most remarks about one device on one link.
    static let most = 50
    /// The most devices that are counted.
    private static let mostDevices = 64

    var deviceCount: Int { counts.count }
    private var counts: [DeviceAddress?: Int] = [:]

    /// - Returns: The event for a remark; nil for one too many.
    mutating func take(_ text: String, about device: DeviceAddress?) -> RadioEvent? {
        if counts[device] == nil, counts.count >= Remarks.mostDevices { counts = [:] }
        counts[device, default: 0] += 1
        let count = counts[device] ?? 0
        guard count <= Remarks.most else { return nil }
        return .noticed(device, count == Remarks.most ? "\(text) (further remarks are left out)" : text)
    }

    /// A new link of a device begins.
    mutating func begin(_ device: DeviceAddress) { counts[device] = nil }
}
