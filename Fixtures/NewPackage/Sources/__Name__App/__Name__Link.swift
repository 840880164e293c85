import CoreBluetooth
import Foundation

/// Reads a characteristic of an accessory that was set up: powers on, connects, discovers, reads.
@MainActor
final class __Name__Link: NSObject {
    private struct Job {
        let characteristic: CBUUID
        let service: CBUUID
        let identifier: UUID
        let continuation: CheckedContinuation<Data, any Error>
    }

    private var central: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var job: Job?

    func read(_ characteristic: String, of service: String, from identifier: UUID) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            finish(.failure(__Name__Error.disconnected))
            job = Job(
                characteristic: CBUUID(string: characteristic), service: CBUUID(string: service),
                identifier: identifier, continuation: continuation)
            if let central { connect(central) } else { central = CBCentralManager(delegate: self, queue: nil) }
        }
    }

    private func connect(_ central: CBCentralManager) {
        guard central.state == .poweredOn, let job else { return }
        guard let found = central.retrievePeripherals(withIdentifiers: [job.identifier]).first else {
            return finish(.failure(__Name__Error.unknownAccessory))
        }
        peripheral = found
        found.delegate = self
        central.connect(found)
    }

    private func finish(_ result: Result<Data, any Error>) {
        job?.continuation.resume(with: result)
        job = nil
    }
}

extension __Name__Link: @preconcurrency CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) { connect(central) }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        if let job { peripheral.discoverServices([job.service]) }
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        finish(.failure(error ?? __Name__Error.disconnected))
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        finish(.failure(error ?? __Name__Error.disconnected))
    }
}

extension __Name__Link: @preconcurrency CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let job else { return }
        guard let service = peripheral.services?.first(where: { $0.uuid == job.service }) else {
            return finish(.failure(error ?? __Name__Error.noSuchCharacteristic))
        }
        peripheral.discoverCharacteristics([job.characteristic], for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard let job else { return }
        guard let found = service.characteristics?.first(where: { $0.uuid == job.characteristic }) else {
            return finish(.failure(error ?? __Name__Error.noSuchCharacteristic))
        }
        peripheral.readValue(for: found)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if let error { return finish(.failure(error)) }
        finish(.success(characteristic.value ?? Data()))
    }
}
