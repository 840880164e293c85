import CoreBluetooth
import Foundation
import HILPhone

/// A discovered accessory, for use in creating a customized picker display item.
///
/// It is not authorized, so it has no identifier yet that CoreBluetooth could use.
open class ASDiscoveredAccessory: ASAccessory, @unchecked Sendable {
    private let discovery: SetupEvent.Discovery

    init(_ record: AccessoryRecord, _ discovery: SetupEvent.Discovery) {
        self.discovery = discovery
        super.init(record)
    }

    /// The accessory's advertisement, with CoreBluetooth's keys such as `CBAdvertisementDataLocalNameKey`; nil if it
    /// was found by Wi-Fi.
    public var bluetoothAdvertisementData: [AnyHashable: Any]? { discovery.advertisement?.dictionary }

    /// The signal strength in dBm when the session discovered the accessory; nil if it was found by Wi-Fi.
    public var bluetoothRSSI: Int? { discovery.advertisement?.rssi }
}
