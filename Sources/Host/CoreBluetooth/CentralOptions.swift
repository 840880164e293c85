import Foundation
import Phone

/// Whether the person is told that Bluetooth is off when the manager is made; a Boolean. This phone notes it in its log.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// Under which name what the manager has outlives an app that the system ends; a `String`.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"

/// The peripherals of a restored manager that are connected or were to be; `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// What a restored manager was scanning for; `[CBUUID]`.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// How a restored manager was scanning; `[String: Any]`.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"

/// Whether the phone connects again by itself when the link is lost; a Boolean.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"
/// Whether the person is told of a connection while the app is suspended; a Boolean. No app of this phone is.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// Whether the person is told of a lost connection while the app is suspended; a Boolean. No app of this phone is.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// Whether the person is told of notified values while the app is suspended; a Boolean. No app of this phone is.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"

/// A peripheral connected to the phone, or left it. Raw values: CoreBluetooth, `CBCentralManager.h`.
public enum CBConnectionEvent: Int, Sendable {
    case peerDisconnected = 0
    case peerConnected = 1
}

/// Which peripherals ``CBCentralManager/registerForConnectionEvents(options:)`` is about.
public struct CBConnectionEventMatchingOption: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Those that offer one of these services; `[CBUUID]`.
    public static let serviceUUIDs = CBConnectionEventMatchingOption(
        rawValue: "CBConnectionEventMatchingOptionServiceUUIDs")
    /// Those with one of these identifiers; `[UUID]`.
    public static let peripheralUUIDs = CBConnectionEventMatchingOption(
        rawValue: "CBConnectionEventMatchingOptionPeripheralUUIDs")
}

/// Options of a manager or a connection, as this phone understands them. One that it does not know ends the app, so that none
/// is silently ignored.
struct CentralOptions {
    private let values: [String: Any]

    /// - Parameter known: The keys that make sense here.
    init(_ values: [String: Any]?, of what: String, known: Set<String>) {
        if let option = values?.keys.sorted().first(where: { !known.contains($0) }) {
            AppCrash.crash("hil", "\(what): the simulated phone does not know the option \(option)")
        }
        self.values = values ?? [:]
    }

    /// A Boolean, as Swift's or as Foundation's; false where it is missing.
    func flag(_ key: String) -> Bool { (values[key] as? Bool) ?? (values[key] as? NSNumber)?.boolValue ?? false }

    func text(_ key: String) -> String? { values[key] as? String }

    static let ofManager: Set<String> = [
        CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerOptionRestoreIdentifierKey,
    ]
    static let ofConnection: Set<String> = [
        CBConnectPeripheralOptionEnableAutoReconnect, CBConnectPeripheralOptionNotifyOnConnectionKey,
        CBConnectPeripheralOptionNotifyOnDisconnectionKey, CBConnectPeripheralOptionNotifyOnNotificationKey,
    ]
}
