import CoreBluetooth
import Synchronization
import Timing

/// A central manager of the running app's, which records what it hears: for scenarios about Core Bluetooth itself, and for an app
/// that has none.
public final class CentralProbe: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    /// What a central manager or a peripheral told; errors by their codes.
    public enum Told: Sendable, Equatable {
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

    /// What was told so far.
    public let told = EventLog<Told>()
    private let mark = Mutex(EventLog<Told>.Mark.start)
    private let queue = DispatchQueue(label: "central probe")
    private let made = Mutex<CBCentralManager?>(nil)
    /// As an app keeps them: a connection ends with the last reference to its peripheral.
    private let kept = Mutex<[CBPeripheral]>([])

    /// - Parameter restoreName: For a manager whose state outlives the app.
    public init(restoreName: String? = nil) {
        super.init()
        let options = restoreName.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        let central = CBCentralManager(delegate: self, queue: queue, options: options)
        made.withLock { $0 = central }
    }

    /// The manager itself.
    public var central: CBCentralManager {
        guard let central = made.withLock({ $0 }) else { preconditionFailure("made with the probe") }
        return central
    }

    /// Lets go of the manager.
    public func end() { made.withLock { $0 = nil } }

    /// Waits for something that was told after what was waited for before.
    @discardableResult
    public func next<Value>(_ pattern: EventPattern<Told, Value>, within limit: Duration? = nil) async throws -> Value {
        let found = try await told.first(pattern, since: mark.withLock { $0 }, within: limit)
        mark.withLock { $0 = found.mark }
        return found.value
    }

    /// Waits for exactly this.
    public func next(_ expected: Told, within limit: Duration? = nil) async throws {
        try await next(.event(expected), within: limit)
    }

    /// Scans until an accessory is found, and gives its identifier.
    public func scan() async throws -> UUID {
        try await next(.state(.poweredOn))
        return try await find()
    }

    /// The same, for a manager that is on.
    public func find() async throws -> UUID {
        central.scanForPeripherals(withServices: nil)
        defer { central.stopScan() }
        return try await next(.discovered)
    }

    /// Connects, and discovers everything.
    public func connect(_ identifier: UUID, options: [String: Any]? = nil) async throws -> CBPeripheral {
        if central.state != .poweredOn { try await next(.state(.poweredOn)) }
        guard let peripheral = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            throw CBError(.unknownDevice)
        }
        kept.withLock { $0.append(peripheral) }
        peripheral.delegate = self
        central.connect(peripheral, options: options)
        try await next(.connected(identifier))
        try await discover(peripheral)
        return peripheral
    }

    /// Writes values without response, as fast as the phone takes them.
    public func write(_ values: [Data], to characteristic: CBCharacteristic, of peripheral: CBPeripheral) async throws {
        for value in values {
            while !peripheral.canSendWriteWithoutResponse { try await next(.ready) }
            peripheral.writeValue(value, for: characteristic, type: .withoutResponse)
        }
    }

    /// Discovers everything that a connected peripheral offers.
    public func discover(_ peripheral: CBPeripheral) async throws {
        peripheral.discoverServices(nil)
        try await next(.services(nil))
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
            try await next(.characteristics(nil))
        }
    }

    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        kept.withLock { $0 += peripherals ?? [] }
        told.append(.restored(peripherals?.map(\.identifier) ?? []))
    }

    public func centralManagerDidUpdateState(_ central: CBCentralManager) { told.append(.state(central.state)) }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { told.append(.discovered(peripheral.identifier)) }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        told.append(.connected(peripheral.identifier))
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { told.append(.disconnected(peripheral.identifier, code(error), isReconnecting: isReconnecting)) }

    public func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { told.append(.event(event)) }

    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        told.append(.services(code(error)))
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { told.append(.characteristics(code(error))) }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.descriptors(code(error))) }

    public func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
    {
        told.append(.descriptor(descriptor.value as? String ?? "\(String(describing: descriptor.value))"))
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.value(characteristic.value ?? Data(), code(error))) }

    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.written(code(error))) }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { told.append(.notifying(characteristic.isNotifying, code(error))) }

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { told.append(.ready) }

    public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        told.append(.signal(RSSI.intValue))
    }

    private func code(_ error: (any Error)?) -> Int? { error.map { ($0 as NSError).code } }
}

extension CBPeripheral {
    /// A discovered characteristic.
    ///
    /// - Throws: `CBError.invalidHandle` where the peripheral has none of this UUID.
    public func found(_ uuid: String) throws -> CBCharacteristic {
        let all = services?.compactMap(\.characteristics).joined()
        guard let found = all?.first(where: { $0.uuid == CBUUID(string: uuid) }) else { throw CBError(.invalidHandle) }
        return found
    }
}

extension EventPattern where Event == CentralProbe.Told, Value == UUID {
    /// A peripheral was found.
    public static var discovered: Self {
        Self("a peripheral") { if case .discovered(let found) = $0 { found } else { nil } }
    }

    /// A connection ended, for whatever reason.
    public static var disconnected: Self {
        Self("the connection to end") { if case .disconnected(let peripheral, _, _) = $0 { peripheral } else { nil } }
    }
}

extension EventPattern where Event == CentralProbe.Told, Value == Data {
    /// A value was read or told, without an error.
    public static var value: Self { Self("a value") { if case .value(let value, nil) = $0 { value } else { nil } } }
}

extension EventPattern where Event == CentralProbe.Told, Value == Int {
    /// How strongly the peripheral is heard, in dBm.
    public static var signal: Self { Self("the signal") { if case .signal(let signal) = $0 { signal } else { nil } } }
}
