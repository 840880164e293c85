import CoreBluetooth
import DieProtocol

/// The connection of the app to one die, over Core Bluetooth.
@MainActor
final class DieLink: NSObject {
    private enum Step: Hashable {
        case powerOn, connect, services, characteristics
        case subscribe(CBUUID), write(CBUUID)
    }

    /// Called for each roll of the die.
    var onRoll: (Roll) -> Void = { _ in }
    /// Called when the connection has ended.
    var onEnd: () -> Void = {}
    private var central: CBCentralManager?
    private(set) var peripheral: CBPeripheral?
    var isConnected: Bool { peripheral?.state == .connected }
    private let steps = Answers<Step, Void>()
    private let reads = Answers<CBUUID, Data>()

    /// Connects to the die with this identifier, and discovers its characteristics.
    func connect(_ identifier: UUID) async throws -> CBPeripheral {
        if let peripheral, peripheral.identifier == identifier, peripheral.state == .connected,
            service?.characteristics != nil
        {
            return peripheral
        }
        let central = try await poweredOn()
        guard let found = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            throw DiceAppError.unknownDie
        }
        peripheral = found
        found.delegate = self
        // Bluetooth may be off again, and a link may have ended, since the last answer: then no answer comes.
        guard central.state == .poweredOn else { throw CBError(.notConnected) }
        try await steps.wait(for: .connect) { central.connect(found) }
        try requireLink(to: found)
        try await steps.wait(for: .services) { found.discoverServices([CBUUID(string: DieGATT.service)]) }
        try requireLink(to: found)
        guard let service else { throw DiceAppError.missing("the die's service") }
        try await steps.wait(for: .characteristics) { found.discoverCharacteristics(nil, for: service) }
        return found
    }

    func disconnect() {
        if let peripheral { central?.cancelPeripheralConnection(peripheral) }
    }

    func read(_ characteristic: DieGATT.Characteristic) async throws -> Data {
        let (peripheral, found) = try connected(characteristic)
        return try await reads.wait(for: found.uuid) { peripheral.readValue(for: found) }
    }

    func write(_ value: Data, to characteristic: DieGATT.Characteristic) async throws {
        let (peripheral, found) = try connected(characteristic)
        try await steps.wait(for: .write(found.uuid)) {
            peripheral.writeValue(value, for: found, type: .withResponse)
        }
    }

    func subscribe(to characteristic: DieGATT.Characteristic) async throws {
        let (peripheral, found) = try connected(characteristic)
        try await steps.wait(for: .subscribe(found.uuid)) { peripheral.setNotifyValue(true, for: found) }
    }

    /// The central manager when Bluetooth is on for this app. This needs an accessory that was set up.
    private func poweredOn() async throws -> CBCentralManager {
        let central = central ?? CBCentralManager(delegate: self, queue: nil)
        self.central = central
        if central.state != .poweredOn { try await steps.wait(for: .powerOn) }
        return central
    }

    private func requireLink(to peripheral: CBPeripheral) throws {
        guard peripheral.state == .connected else { throw CBError(.notConnected) }
    }

    private var service: CBService? {
        peripheral?.services?.first { $0.uuid == CBUUID(string: DieGATT.service) }
    }

    private func connected(_ characteristic: DieGATT.Characteristic) throws -> (CBPeripheral, CBCharacteristic) {
        guard let peripheral else { throw CBError(.notConnected) }
        try requireLink(to: peripheral)
        let uuid = CBUUID(string: characteristic.uuid)
        guard let found = service?.characteristics?.first(where: { $0.uuid == uuid }) else {
            throw DiceAppError.missing("the characteristic “\(characteristic.name)”")
        }
        return (peripheral, found)
    }
}

extension DieLink: @preconcurrency CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { steps.give(nil, for: .powerOn) } else { end(CBError(.notConnected)) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        steps.give(nil, for: .connect)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        steps.give(error ?? CBError(.connectionFailed), for: .connect)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        end(error ?? CBError(.notConnected))
    }

    /// The connection has ended: ends all waits with this error.
    private func end(_ error: any Error) {
        guard peripheral != nil else { return }
        steps.failAll(error)
        reads.failAll(error)
        onEnd()
    }
}

extension DieLink: @preconcurrency CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        steps.give(error, for: .services)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        steps.give(error, for: .characteristics)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        steps.give(error, for: .subscribe(characteristic.uuid))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = characteristic.value ?? Data()
        reads.give(error.map { .failure($0) } ?? .success(value), for: characteristic.uuid)
        guard error == nil, characteristic.uuid == CBUUID(string: DieGATT.roll.uuid) else { return }
        // A roll that cannot be parsed comes from a die that is newer than this app.
        if let roll = try? Roll(decoding: value) { onRoll(roll) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        steps.give(error, for: .write(characteristic.uuid))
    }
}
