import CoreBluetooth
import DieProtocol
import Foundation
import HIL
import Synchronization
import Timing

/// A central manager of the running app's, which tells what it hears: for what the dice app has no use for.
final class CentralProbe: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    /// What a central manager or a peripheral told; errors by their codes.
    enum Told: Sendable, Equatable {
        case restored([UUID])
        case state(CBManagerState)
        case discovered(UUID)
        case connected(UUID)
        case disconnected(UUID, Int?, isReconnecting: Bool)
        case services(Int?)
        case characteristics(Int?)
        case descriptors(Int?)
        case descriptor(String)
        case value(Data, Int?)
        case written(Int?)
        case notifying(Bool, Int?)
        case signal(Int)
        case event(CBConnectionEvent)
        case ready
    }

    let told = EventLog<Told>()
    private let place = Mutex(0)
    private let queue = DispatchQueue(label: "central probe")
    private let made = Mutex<CBCentralManager?>(nil)
    /// As an app keeps them: a connection ends with the last reference to its peripheral.
    private let kept = Mutex<[CBPeripheral]>([])

    /// - Parameter restoreName: For a manager whose state outlives the app.
    init(restoreName: String? = nil) {
        super.init()
        let options = restoreName.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        let central = CBCentralManager(delegate: self, queue: queue, options: options)
        made.withLock { $0 = central }
    }

    var central: CBCentralManager {
        guard let central = made.withLock({ $0 }) else { preconditionFailure("made with the probe") }
        return central
    }

    /// Lets go of the manager.
    func end() { made.withLock { $0 = nil } }

    /// Waits for something that was told after what was waited for before.
    @discardableResult
    func next(
        _ what: String, within limit: Duration = .seconds(5), where matches: @escaping @Sendable (Told) -> Bool
    ) async throws -> Told {
        let found = try await told.first(from: place.withLock { $0 }, within: limit, waitingFor: what, where: matches)
        place.withLock { $0 = found.next }
        return found.event
    }

    /// Waits for exactly this.
    func next(_ expected: Told, within limit: Duration = .seconds(5)) async throws {
        try await next("\(expected)", within: limit) { $0 == expected }
    }

    /// Scans until an accessory is found, and gives its identifier.
    func scan() async throws -> UUID {
        try await next(.state(.poweredOn))
        return try await find()
    }

    /// The same, for a manager that is on.
    func find() async throws -> UUID {
        central.scanForPeripherals(withServices: nil)
        let found = try await next("a peripheral") { if case .discovered = $0 { true } else { false } }
        central.stopScan()
        guard case .discovered(let identifier) = found else {
            preconditionFailure("the log gave an event that does not match")
        }
        return identifier
    }

    /// Connects, and discovers everything.
    func connect(_ identifier: UUID, options: [String: Any]? = nil) async throws -> CBPeripheral {
        if central.state != .poweredOn { try await next(.state(.poweredOn)) }
        guard let peripheral = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            throw CBError(.unknownDevice)
        }
        kept.withLock { $0.append(peripheral) }
        peripheral.delegate = self
        central.connect(peripheral, options: options)
        try await next(.connected(identifier), within: .seconds(10))
        try await discover(peripheral)
        return peripheral
    }

    /// Connects, and subscribes to the die's rolls.
    func watchRolls(of identifier: UUID) async throws {
        let peripheral = try await connect(identifier)
        peripheral.setNotifyValue(true, for: try peripheral.found(DieGATT.roll.uuid))
        try await next(.notifying(true, nil))
    }

    /// The next roll that the die tells.
    func nextRoll() async throws -> Roll? {
        let told = try await next("a roll") { if case .value = $0 { true } else { false } }
        guard case .value(let value, _) = told else { return nil }
        return try Roll(decoding: value)
    }

    /// Writes values without response, as fast as the phone takes them.
    func write(_ values: [Data], to characteristic: CBCharacteristic, of peripheral: CBPeripheral) async throws {
        for value in values {
            while !peripheral.canSendWriteWithoutResponse { try await next(.ready) }
            peripheral.writeValue(value, for: characteristic, type: .withoutResponse)
        }
    }

    /// Discovers everything that a connected peripheral offers.
    func discover(_ peripheral: CBPeripheral) async throws {
        peripheral.discoverServices(nil)
        try await next(.services(nil))
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
            try await next(.characteristics(nil))
        }
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        kept.withLock { $0 += peripherals ?? [] }
        told.append(.restored(peripherals?.map(\.identifier) ?? []))
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { told.append(.state(central.state)) }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { told.append(.discovered(peripheral.identifier)) }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        told.append(.connected(peripheral.identifier))
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { told.append(.disconnected(peripheral.identifier, code(error), isReconnecting: isReconnecting)) }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { told.append(.event(event)) }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        told.append(.services(code(error)))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { told.append(.characteristics(code(error))) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.descriptors(code(error))) }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        told.append(.descriptor(descriptor.value as? String ?? "\(String(describing: descriptor.value))"))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.value(characteristic.value ?? Data(), code(error))) }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.written(code(error))) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { told.append(.notifying(characteristic.isNotifying, code(error))) }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { told.append(.ready) }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        told.append(.signal(RSSI.intValue))
    }

    private func code(_ error: (any Error)?) -> Int? { error.map { ($0 as NSError).code } }
}

extension CBPeripheral {
    /// A discovered characteristic.
    func found(_ uuid: String) throws -> CBCharacteristic {
        let all = services?.compactMap(\.characteristics).joined()
        guard let found = all?.first(where: { $0.uuid == CBUUID(string: uuid) }) else { throw CBError(.invalidHandle) }
        return found
    }
}
