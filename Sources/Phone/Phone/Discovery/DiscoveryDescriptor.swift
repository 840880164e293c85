import Foundation
import RadioModel

/// The criteria that find an accessory; the phone's side of `ASDiscoveryDescriptor`.
package struct DiscoveryDescriptor: Sendable, Hashable {
    /// How near the accessory must be. The raw values are those of `ASDiscoveryDescriptor.Range`.
    package enum Range: Int, Sendable, Hashable {
        case `default` = 0
        case immediate = 10
    }

    /// The accessory's abilities. The raw values are those of `ASAccessory.SupportOptions`.
    package struct SupportOptions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt
        package init(rawValue: UInt) { self.rawValue = rawValue }

        /// The accessory can be paired by Bluetooth LE (K12).
        package static let bluetoothPairingLE = SupportOptions(rawValue: 1 << 1)
        /// The accessory can be bridged to classic Bluetooth (K12).
        package static let bluetoothTransportBridging = SupportOptions(rawValue: 1 << 2)
        /// The accessory is an input device, with the HID service.
        package static let bluetoothHID = SupportOptions(rawValue: 1 << 3)

        /// Whether the picker pairs the accessory.
        ///
        /// It does if pairing is asked for, for bridging, which derives its key from the bond, and for input devices,
        /// whose link must be encrypted (HID over GATT Profile 1.0, 5.1).
        package var needPairing: Bool {
            !isDisjoint(with: [.bluetoothPairingLE, .bluetoothTransportBridging, .bluetoothHID])
        }
    }

    /// A role in a Wi-Fi Aware service. The raw values are those of `ASDiscoveryDescriptor.WiFiAwareServiceRole`.
    package enum WiFiAwareRole: Int, Sendable, Hashable {
        case subscriber = 10
        case publisher = 20
    }

    /// A text that a property must contain, and how to compare it; the phone's side of `ASPropertyCompareString`.
    package struct TextMatch: Sendable, Hashable {
        package var text: String
        /// The raw value of an `NSString.CompareOptions`, which is not `Sendable`.
        package var options: UInt

        package init(_ text: String, options: UInt = 0) {
            self.text = text
            self.options = options
        }
    }

    /// A service that the accessory lists or has data for (D5).
    package var serviceUUID: BluetoothUUID?
    /// The company of the manufacturer data, as assigned by the Bluetooth SIG.
    package var companyIdentifier: UInt16?
    /// A part of the advertised name.
    package var nameSubstring: String?
    /// The raw value of an `NSString.CompareOptions`, which is not `Sendable`.
    package var nameCompareOptions: UInt = 0
    /// Compared with the manufacturer data after the company identifier, under the mask (D6).
    package var manufacturerDataBlob: Data?
    /// As long as the blob.
    package var manufacturerDataMask: Data?
    /// Compared with the data of the service, under the mask (D6).
    package var serviceDataBlob: Data?
    /// As long as the blob.
    package var serviceDataMask: Data?
    package var range: Range = .default
    /// The network's whole SSID, 1 to 32 bytes. Not together with ``ssidPrefix`` (D3).
    package var ssid: String?
    /// The beginning of the network's SSID. Not together with ``ssid`` (D3).
    package var ssidPrefix: String?
    /// The name of a Wi-Fi Aware service, such as `_die._tcp`; compared without case (D10).
    package var wifiAwareServiceName: String?
    package var wifiAwareRole: WiFiAwareRole = .subscriber
    package var wifiAwareModel: TextMatch?
    package var wifiAwareVendor: TextMatch?
    package var supportedOptions: SupportOptions = []

    package init() {}

    /// Whether any Bluetooth criterion is set.
    package var usesBluetooth: Bool {
        serviceUUID != nil || companyIdentifier != nil || nameSubstring != nil || manufacturerDataBlob != nil
            || manufacturerDataMask != nil || serviceDataBlob != nil || serviceDataMask != nil
    }

    /// Whether any criterion of a Wi-Fi network is set.
    package var usesWiFi: Bool { ssid != nil || ssidPrefix != nil }

    /// Whether any Wi-Fi Aware criterion is set.
    package var usesWiFiAware: Bool { wifiAwareServiceName != nil || wifiAwareModel != nil || wifiAwareVendor != nil }
}
