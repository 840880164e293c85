import Foundation
import RadioModel

/// The traits by which an accessory is found; behind `ASDiscoveryDescriptor`.
public struct DiscoveryDescriptor: Sendable, Hashable {
    /// Raw values as `ASDiscoveryDescriptor.Range`.
    public enum Range: Int, Sendable, Hashable {
        case `default` = 0
        case immediate = 10
    }

    /// What the accessory can do; raw values as `ASAccessory.SupportOptions`.
    public struct SupportOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let bluetoothPairingLE = SupportOptions(rawValue: 1 << 1)
        public static let bluetoothTransportBridging = SupportOptions(rawValue: 1 << 2)
        public static let bluetoothHID = SupportOptions(rawValue: 1 << 3)

        /// Whether the picker pairs: for its own sake, or because bridging derives its key from the bond, or because input
        /// devices must be encrypted (HID over GATT Profile 1.0, 5.1).
        public var needPairing: Bool {
            !isDisjoint(with: [.bluetoothPairingLE, .bluetoothTransportBridging, .bluetoothHID])
        }
    }

    /// Which end of a Wi-Fi Aware service; raw values as `ASDiscoveryDescriptor.WiFiAwareServiceRole`.
    public enum WiFiAwareRole: Int, Sendable, Hashable {
        case subscriber = 10
        case publisher = 20
    }

    /// A text that a property has to contain, and how it is compared; behind `ASPropertyCompareString`.
    public struct TextMatch: Sendable, Hashable {
        public var text: String
        /// Raw value of `NSString.CompareOptions`, which is not `Sendable`.
        public var options: UInt

        public init(_ text: String, options: UInt = 0) {
            self.text = text
            self.options = options
        }
    }

    public var serviceUUID: BluetoothUUID?
    public var companyIdentifier: UInt16?
    public var nameSubstring: String?
    /// Raw value of `NSString.CompareOptions`, which is not `Sendable`.
    public var nameCompareOptions: UInt = 0
    public var manufacturerDataBlob: Data?
    public var manufacturerDataMask: Data?
    public var serviceDataBlob: Data?
    public var serviceDataMask: Data?
    public var range: Range = .default
    public var ssid: String?
    public var ssidPrefix: String?
    public var wifiAwareServiceName: String?
    public var wifiAwareRole: WiFiAwareRole = .subscriber
    public var wifiAwareModel: TextMatch?
    public var wifiAwareVendor: TextMatch?
    public var supportedOptions: SupportOptions = []

    public init() {}

    /// Whether any Bluetooth criterion is set.
    public var usesBluetooth: Bool {
        serviceUUID != nil || companyIdentifier != nil || nameSubstring != nil || manufacturerDataBlob != nil
            || manufacturerDataMask != nil || serviceDataBlob != nil || serviceDataMask != nil
    }

    /// Whether any criterion of a Wi-Fi network is set.
    public var usesWiFi: Bool { ssid != nil || ssidPrefix != nil }

    /// Whether any Wi-Fi Aware criterion is set.
    public var usesWiFiAware: Bool { wifiAwareServiceName != nil || wifiAwareModel != nil || wifiAwareVendor != nil }
}
