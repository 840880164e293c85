import Foundation
import HILPhone

/// Whether the person is warned if Bluetooth is off when the manager is made; a Boolean. This phone writes it to its
/// log.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The name under which the system keeps the manager's connections and scan when it ends the app; a `String`.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// Whether the manager is for accessories that the app has set up with AccessorySetupKit; a Boolean. Extensions of an
/// app use it. No effect: on this phone every manager of an app with AccessorySetupKit reaches just those accessories.
public let CBCentralManagerOptionDeviceAccessForMedia = "kCBInitOptionDeviceAccessForMedia"

/// The peripherals of a restored manager that are connected or connecting; `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// The services that a restored manager was scanning for; `[CBUUID]`.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// The scan options of a restored manager; `[String: Any]`.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"

/// Whether the phone reconnects automatically when the link is lost; a Boolean.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"
/// Whether the person is told of a connection while the app is suspended; a Boolean. No effect: this phone
/// shows no alerts of connections.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// Whether the person is told of a lost connection while the app is suspended; a Boolean. No effect: this phone
/// shows no alerts of connections.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// Whether the person is told of notified values while the app is suspended; a Boolean. No effect: this phone
/// shows no alerts of connections.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"

/// How many seconds the phone waits before it connects; an `NSNumber`.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// Whether classic Bluetooth is connected as well, with the key of the LE bond; a Boolean. No effect: AccessorySetupKit
/// bridges while it sets an accessory up.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// Whether the peripheral must be allowed to show the phone's notifications (Apple Notification Center Service); a
/// Boolean. The phone pairs with the peripheral and asks the person. Until she allows it, the peripheral is connecting,
/// which does not time out; `HostPolicy.ancsConnection` is the other choice. On a phone without a personality, which does
/// not have that service, the connection fails with `operationNotSupported`.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
/// Services that a peripheral looks for on the phone; `[CBUUID]`. A scan with this option reports only peripherals that
/// advertise one of them.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

/// A change of a peripheral's connection to the phone. Raw values: CoreBluetooth, `CBCentralManager.h`.
public enum CBConnectionEvent: Int, Sendable {
    case peerDisconnected = 0
    case peerConnected = 1
}

/// Keys for the options of ``CBCentralManager/registerForConnectionEvents(options:)``: which peripherals to report.
public struct CBConnectionEventMatchingOption: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Peripherals that offer one of these services; `[CBUUID]`.
    public static let serviceUUIDs = CBConnectionEventMatchingOption(
        rawValue: "CBConnectionEventMatchingOptionServiceUUIDs")
    /// Peripherals with one of these identifiers; `[UUID]`.
    public static let peripheralUUIDs = CBConnectionEventMatchingOption(
        rawValue: "CBConnectionEventMatchingOptionPeripheralUUIDs")
}

/// The options of a manager or a connection. An unknown option ends the app, so that no option is ignored without
/// notice.
struct CentralOptions {
    private let values: [String: Any]

    /// - Parameters:
    ///   - owner: The type or method that takes the options, for the error message.
    ///   - known: The keys that it understands.
    init(_ values: [String: Any]?, of owner: String, known: Set<String>) {
        if let option = values?.keys.sorted().first(where: { !known.contains($0) }) {
            AppCrash.crash("hil", "\(owner): the simulated phone does not know the option \(option)")
        }
        self.values = values ?? [:]
    }

    /// The value of a Boolean option, given as `Bool` or as `NSNumber`; false if it is missing.
    func flag(_ key: String) -> Bool { (values[key] as? Bool) ?? (values[key] as? NSNumber)?.boolValue ?? false }

    func number(_ key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue ?? values[key] as? Double }

    func text(_ key: String) -> String? { values[key] as? String }

    static let ofManager: Set<String> = [
        CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerOptionRestoreIdentifierKey,
        CBCentralManagerOptionDeviceAccessForMedia,
    ]
    static let ofPeripheralManager: Set<String> = [
        CBPeripheralManagerOptionShowPowerAlertKey, CBPeripheralManagerOptionRestoreIdentifierKey,
    ]
    static let ofConnection: Set<String> = [
        CBConnectPeripheralOptionEnableAutoReconnect, CBConnectPeripheralOptionNotifyOnConnectionKey,
        CBConnectPeripheralOptionNotifyOnDisconnectionKey, CBConnectPeripheralOptionNotifyOnNotificationKey,
        CBConnectPeripheralOptionStartDelayKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
        CBConnectPeripheralOptionRequiresANCS,
    ]
}
