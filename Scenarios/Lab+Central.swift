import CoreBluetooth
import Foundation
import HIL
import Timing

/// A central manager of the running app's, which tells what it hears: for what the dice app has no use for.
final class CentralProbe: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    /// What a central manager or a peripheral told.
    enum Told: Sendable, Equatable {
        case state(CBManagerState)
        case discovered(UUID)
    }

    let told = EventLog<Told>()
    private let queue = DispatchQueue(label: "central probe")

    /// Scans until an accessory is found, and gives its identifier.
    func scan() async throws -> UUID {
        let central = CBCentralManager(delegate: self, queue: queue)
        _ = try await told.first(within: .seconds(5), waitingFor: "Bluetooth to be on") { $0 == .state(.poweredOn) }
        central.scanForPeripherals(withServices: nil)
        let found = try await told.first(within: .seconds(5), waitingFor: "a peripheral") {
            if case .discovered = $0 { true } else { false }
        }
        central.stopScan()
        guard case .discovered(let identifier) = found.event else {
            preconditionFailure("the log gave an event that does not match")
        }
        return identifier
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { told.append(.state(central.state)) }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { told.append(.discovered(peripheral.identifier)) }
}
