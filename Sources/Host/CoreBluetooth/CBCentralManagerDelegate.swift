import Foundation

/// Hears what happens to a central manager and its connections, on the manager's queue.
///
/// All but ``centralManagerDidUpdateState(_:)`` are optional; Linux has no optional requirements, so that they have
/// implementations here that do nothing. A method added only in a subclass of the conforming class is therefore not called.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// The manager's state changed; also called once soon after the manager was made.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    /// A scan found a peripheral, or heard something new of it. `RSSI` is in dBm; 127 is not available.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)
    /// The connection is up.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    /// The connection could not be made.
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    /// The connection ended; `error` is nil when the app asked for it.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
    /// The manager takes over what one with its restore identifier had when the system ended the app; before its state.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
    /// A peripheral connected to the phone or left it; see ``CBCentralManager/registerForConnectionEvents(options:)``.
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral)
    /// Whether the peripheral may show notifications has changed; on this phone it never does.
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
    /// As the one above, which is not called where this one is implemented.
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

/// Seconds since the first instant of 2001, as CoreFoundation counts.
public typealias CFAbsoluteTime = Double

/// Seconds since the first instant of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date().timeIntervalSinceReferenceDate
}
