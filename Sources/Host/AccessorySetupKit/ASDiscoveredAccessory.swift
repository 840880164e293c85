import CoreBluetooth
import Foundation
import Phone

/// A discovered accessory, for use in creating a customized picker display item.
///
/// Not authorized: it has no identifier yet by which CoreBluetooth could reach it.
open class ASDiscoveredAccessory: ASAccessory, @unchecked Sendable {
    private let discovery: SetupEvent.Discovery

    init(_ record: AccessoryRecord, _ discovery: SetupEvent.Discovery) {
        self.discovery = discovery
        super.init(record)
    }

    /// What the accessory advertised, under CoreBluetooth's keys (`CBAdvertisementDataLocalNameKey` and the others); nil for
    /// one found by Wi-Fi.
    public var bluetoothAdvertisementData: [AnyHashable: Any]? { discovery.advertisement?.dictionary }

    /// The signal strength in dBm when the session discovered the accessory; nil for one found by Wi-Fi.
    public var bluetoothRSSI: Int? { discovery.advertisement?.rssi }
}
