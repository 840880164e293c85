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
    public var supportedOptions: SupportOptions = []

    public init() {}

    /// Whether any Bluetooth criterion is set.
    public var usesBluetooth: Bool {
        serviceUUID != nil || companyIdentifier != nil || nameSubstring != nil || manufacturerDataBlob != nil
            || manufacturerDataMask != nil || serviceDataBlob != nil || serviceDataMask != nil
    }

    /// Whether any Wi-Fi criterion is set.
    public var usesWiFi: Bool { ssid != nil || ssidPrefix != nil }
}
