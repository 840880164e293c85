import Foundation
import RadioModel

/// The criteria that find an accessory; the phone's side of `ASDiscoveryDescriptor`.
public struct DiscoveryDescriptor: Sendable, Hashable {
    /// How near the accessory must be. The raw values are those of `ASDiscoveryDescriptor.Range`.
    public enum Range: Int, Sendable, Hashable {
        case `default` = 0
        case immediate = 10
    }

    /// The accessory's abilities. The raw values are those of `ASAccessory.SupportOptions`.
    public struct SupportOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The accessory can be paired by Bluetooth LE (K12).
        public static let bluetoothPairingLE = SupportOptions(rawValue: 1 << 1)
        /// The accessory can be bridged to classic Bluetooth (K12).
        public static let bluetoothTransportBridging = SupportOptions(rawValue: 1 << 2)
        /// The accessory is an input device, with the HID service.
        public static let bluetoothHID = SupportOptions(rawValue: 1 << 3)

        /// Whether the picker pairs the accessory.
        ///
        /// It does if pairing is asked for, for bridging, which derives its key from the bond, and for input devices,
        /// whose link must be encrypted (HID over GATT Profile 1.0, 5.1).
        public var needPairing: Bool {
            !isDisjoint(with: [.bluetoothPairingLE, .bluetoothTransportBridging, .bluetoothHID])
        }
    }

    /// A role in a Wi-Fi Aware service. The raw values are those of `ASDiscoveryDescriptor.WiFiAwareServiceRole`.
    public enum WiFiAwareRole: Int, Sendable, Hashable {
        case subscriber = 10
        case publisher = 20
    }

    /// A text that a property must contain, and how to compare it; the phone's side of `ASPropertyCompareString`.
    public struct TextMatch: Sendable, Hashable {
        public var text: String
        /// The raw value of an `NSString.CompareOptions`, which is not `Sendable`.
        public var options: UInt

        public init(_ text: String, options: UInt = 0) {
            self.text = text
            self.options = options
        }
    }

    /// A service that the accessory lists or has data for (D5).
    public var serviceUUID: BluetoothUUID?
    /// The company of the manufacturer data, as assigned by the Bluetooth SIG.
    public var companyIdentifier: UInt16?
    /// A part of the advertised name.
    public var nameSubstring: String?
    /// The raw value of an `NSString.CompareOptions`, which is not `Sendable`.
    public var nameCompareOptions: UInt = 0
    /// Compared with the manufacturer data after the company identifier, under the mask (D6).
    public var manufacturerDataBlob: Data?
    /// As long as the blob.
    public var manufacturerDataMask: Data?
    /// Compared with the data of the service, under the mask (D6).
    public var serviceDataBlob: Data?
    /// As long as the blob.
    public var serviceDataMask: Data?
    public var range: Range = .default
    /// The network's whole SSID, 1 to 32 bytes. Not together with ``ssidPrefix`` (D3).
    public var ssid: String?
    /// The beginning of the network's SSID. Not together with ``ssid`` (D3).
    public var ssidPrefix: String?
    /// The name of a Wi-Fi Aware service, such as `_die._tcp`; compared without case (D10).
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
