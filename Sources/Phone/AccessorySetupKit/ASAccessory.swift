import Foundation
import HILPhone

/// An accessory that the session discovered, in the state that it had when the session gave it to the app.
open class ASAccessory: NSObject, NSCopying, @unchecked Sendable {  // Immutable, and so are its subclasses here.
    /// The type used for an accessory's Wi-Fi Aware pairing identifier.
    public typealias WiFiAwarePairedDeviceID = UInt64

    /// Possible authorization states of an accessory.
    public enum AccessoryState: Int, Sendable, Hashable {
        /// The accessory is invalid or unauthorized.
        case unauthorized = 0
        /// The accessory is selected, but full authorization is still pending.
        case awaitingAuthorization = 10
        /// The accessory is authorized and available.
        case authorized = 20
    }

    /// Options that affect the behavior of an accessory renaming operation.
    public struct RenameOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Changes the accessory's SSID along with its display name.
        public static let ssid = RenameOptions(rawValue: 1 << 0)
    }

    /// Options of discoverable accessories.
    public struct SupportOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The accessory supports Bluetooth Low Energy pairing.
        public static let bluetoothPairingLE = SupportOptions(rawValue: 1 << 1)
        /// The accessory supports bridging to Bluetooth classic transport.
        public static let bluetoothTransportBridging = SupportOptions(rawValue: 1 << 2)
        /// The accessory supports Bluetooth Low Energy HID service.
        public static let bluetoothHID = SupportOptions(rawValue: 1 << 3)
    }

    let record: AccessoryRecord

    package init(_ record: AccessoryRecord) { self.record = record }

    /// The current authorization state of the accessory.
    public var state: AccessoryState { AccessoryState(rawValue: record.state.rawValue) ?? .unauthorized }
    /// The accessory's unique Bluetooth identifier, if any: the `identifier` of its `CBPeripheral`.
    public var bluetoothIdentifier: UUID? { record.bluetoothIdentifier }
    /// The accessory's Bluetooth identifier for bridging classic transport profiles, 6 bytes, if any.
    public var bluetoothTransportBridgingIdentifier: Data? { record.bridgingIdentifier }
    /// The accessory's name, suitable for displaying to someone using the app.
    public var displayName: String { record.displayName }
    /// The accessory's Wi-Fi SSID, if any.
    public var ssid: String? { record.ssid }
    /// Identifies the accessory for the Wi-Fi Aware framework; 0 if it was not set up with Wi-Fi Aware.
    public var wifiAwarePairedDeviceID: WiFiAwarePairedDeviceID { record.wifiAwareDevice }
    /// The descriptor used to discover the accessory.
    public var descriptor: ASDiscoveryDescriptor { ASDiscoveryDescriptor(record.descriptor) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Two objects are equal if they are about the same authorization, even in different states.
    public override func isEqual(_ object: Any?) -> Bool { (object as? ASAccessory)?.record.id == record.id }
    public override var hash: Int { record.id.hashValue }
    public override var description: String { "ASAccessory “\(displayName)” \(state)" }
}
