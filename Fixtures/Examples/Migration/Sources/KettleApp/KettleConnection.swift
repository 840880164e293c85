import CoreBluetooth
import Foundation

/// Receives the events of kettles.
@MainActor
public protocol KettleConnectionDelegate: AnyObject {
    /// Bluetooth can be used.
    func connectionIsReady(_ connection: KettleConnection)
    /// A scan found a kettle.
    func connection(_ connection: KettleConnection, didFind identifier: UUID)
    /// A kettle sent its temperature in °C.
    func connection(_ connection: KettleConnection, didRead temperature: Int, of identifier: UUID)
    /// Something failed.
    func connection(_ connection: KettleConnection, didFailWith error: any Error)
}

/// Finds kettles, connects to them and reads their temperature, over Core Bluetooth.
@MainActor
public final class KettleConnection: NSObject {
    public weak var delegate: (any KettleConnectionDelegate)?

    private var central: CBCentralManager?
    /// Kept, because a connection ends with the last reference to its peripheral.
    private var peripherals: [UUID: CBPeripheral] = [:]

    /// Begins to use Core Bluetooth. An app that migrates accessories calls it after the migration.
    public func open() { central = CBCentralManager(delegate: self, queue: nil) }

    /// Looks for kettles.
    public func scan() { central?.scanForPeripherals(withServices: [CBUUID(string: Kettle.service)]) }

    /// Connects to a kettle, and reads its temperature now and after each change.
    public func connect(to identifier: UUID) {
        guard let central, let found = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            delegate?.connection(self, didFailWith: CBError(.unknownDevice))
            return
        }
        peripherals[identifier] = found
        found.delegate = self
        if found.state == .disconnected { central.connect(found) }
    }

    private func check(_ error: (any Error)?) -> Bool {
        guard let error else { return true }
        delegate?.connection(self, didFailWith: error)
        return false
    }
}

extension KettleConnection: @preconcurrency CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { delegate?.connectionIsReady(self) }
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        central.stopScan()
        delegate?.connection(self, didFind: peripheral.identifier)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: Kettle.service)])
    }

    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        _ = check(error ?? CBError(.connectionFailed))
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        // This waits without a limit until the kettle is back.
        central.connect(peripheral)
    }
}

extension KettleConnection: @preconcurrency CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard check(error), let service = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics([CBUUID(string: Kettle.temperature)], for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard check(error), let temperature = service.characteristics?.first else { return }
        peripheral.setNotifyValue(true, for: temperature)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        // The first read makes the system pair, if it has not done so before.
        if check(error) { peripheral.readValue(for: characteristic) }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard check(error), let degrees = characteristic.value?.first else { return }
        delegate?.connection(self, didRead: Int(degrees), of: peripheral.identifier)
    }
}
