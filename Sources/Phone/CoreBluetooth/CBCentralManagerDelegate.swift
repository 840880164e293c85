import Foundation

/// Receives the events of a central manager and its connections, on the manager's queue.
///
/// All methods but ``centralManagerDidUpdateState(_:)`` are optional. Linux has no optional requirements, so the
/// optional methods have empty implementations here. If only a subclass of the conforming class adds a method, it is
/// not called.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// The manager's state has changed. Also called once, soon after the manager was made.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    /// A scan found a peripheral, or received something new from it. `RSSI` is in dBm; 127 means that it is not known.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)
    /// The peripheral is connected.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    /// The attempt to connect has failed.
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    /// The peripheral is disconnected; `error` is nil if the app asked for it.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
    /// Gives back the state of a manager with the same restore identifier when the system ended the app. Called before
    /// the first state.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
    /// A peripheral has connected or disconnected; see ``CBCentralManager/registerForConnectionEvents(options:)``.
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral)
    /// The person has changed whether a connected peripheral may have the phone's notifications by Apple Notification Center
    /// Service: ``CBPeripheral/ancsAuthorized``.
    ///
    /// Apple: “the authorization status changed for a ANCS-requiring connected peripheral”,
    /// <https://developer.apple.com/documentation/corebluetooth/cbcentralmanagerdelegate/centralmanager(_:didupdateancsauthorizationfor:)>.
    /// Here every connection of an app counts, as developers saw.
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
    /// The peripheral is disconnected. Where this method is implemented, the one without a timestamp is not called.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?)
}

extension CBCentralManagerDelegate {
    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}

    public func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) {}

    public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}

    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {}

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {
        centralManager(central, didDisconnectPeripheral: peripheral, error: error)
    }
}

/// Seconds since 1 January 2001, 00:00 UTC, as CoreFoundation counts.
public typealias CFAbsoluteTime = Double

/// The current time in seconds since 1 January 2001, 00:00 UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date().timeIntervalSinceReferenceDate
}
