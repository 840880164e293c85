import CoreBluetooth
import HILTiming
import Synchronization

/// Owns a central manager of the running app and records its delegate calls, in order.
///
/// Use it in scenarios about Core Bluetooth itself, and for an app that has no central manager.
package final class CentralProbe: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. A lock guards them.

    /// A delegate call of the central manager or of a peripheral.
    ///
    /// An `Int?` is the code of the call's error (`CBError`, `CBATTError`); nil if there was no error.
    package enum Callback: Sendable, Equatable {
        /// The identifiers of the restored peripherals.
        case restored([UUID])
        case state(CBManagerState)
        /// A peripheral's identifier.
        case discovered(UUID)
        /// A peripheral's identifier.
        case connected(UUID)
        /// A peripheral's identifier, and the error.
        case disconnected(UUID, Int?, isReconnecting: Bool)
        /// A peripheral's identifier, and the error.
        case failed(UUID, Int?)
        case services(Int?)
        case includedServices(Int?)
        case characteristics(Int?)
        case descriptors(Int?)
        /// A descriptor's value as text.
        case descriptor(String)
        /// A characteristic's value that was read or notified; empty if there is none.
        case value(Data, Int?)
        case written(Int?)
        /// Whether notifications are on.
        case notifying(Bool, Int?)
        /// The signal strength in dBm.
        case signal(Int)
        case event(CBConnectionEvent)
        /// The person lets a peripheral have the phone's notifications, or does so no longer; its identifier, and
        /// `ancsAuthorized`.
        case sharing(UUID, Bool)
        /// The peripheral has changed its services.
        case modified
        /// An L2CAP channel was opened; its port, or 0 with the error.
        case channel(CBL2CAPPSM, Int?)
        /// The peripheral can take writes without response again.
        case ready
    }

    /// The delegate calls so far, oldest first.
    package let told = EventLog<Callback>()
    private let mark = Mutex(EventLog<Callback>.Mark.start)
    private let queue = DispatchQueue(label: "central probe")
    private let lock = NSLock()
    private var manager: CBCentralManager?
    /// The probe keeps its peripherals, because a connection ends with the last reference to its peripheral.
    private var peripherals: [CBPeripheral] = []
    private var channels: [CBL2CAPChannel] = []

    /// - Parameter restoreName: The restore identifier of the manager (`CBCentralManagerOptionRestoreIdentifierKey`);
    ///   nil for a manager whose state ends with the app.
    package init(restoreName: String? = nil) {
        super.init()
        let options = restoreName.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        let central = CBCentralManager(delegate: self, queue: queue, options: options)
        lock.withLock { manager = central }
    }

    /// The central manager. It is an error of the scenario to ask for it after ``end()``.
    package var central: CBCentralManager {
        guard let central = lock.withLock({ manager }) else { preconditionFailure("the probe was ended before") }
        return central
    }

    /// Releases the manager, as an app does that no longer needs it.
    package func end() { lock.withLock { manager = nil } }

    /// Waits for the next delegate call that a pattern matches, after the one that the last wait returned.
    ///
    /// - Parameter limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    /// - Returns: The pattern's value.
    /// - Throws: `TimedOut`.
    @discardableResult
    package func next<Value>(_ pattern: EventPattern<Callback, Value>, within limit: Duration? = nil) async throws
        -> Value
    {
        let found = try await told.first(pattern, since: mark.withLock { $0 }, within: limit)
        mark.withLock { $0 = found.mark }
        return found.value
    }

    /// Waits for exactly this delegate call; see ``next(_:within:)``.
    package nonisolated(nonsending) func next(_ expected: Callback, within limit: Duration? = nil) async throws {
        try await next(.event(expected), within: limit)
    }

    /// Waits until Bluetooth is on, then scans until a peripheral is found, and returns its identifier.
    ///
    /// - Throws: `TimedOut`.
    package nonisolated(nonsending) func scan() async throws -> UUID {
        try await next(.state(.poweredOn))
        return try await find()
    }

    /// Scans until a peripheral is found, and returns its identifier. Bluetooth must be on already.
    ///
    /// - Throws: `TimedOut`.
    package nonisolated(nonsending) func find() async throws -> UUID {
        central.scanForPeripherals(withServices: nil)
        defer { central.stopScan() }
        return try await next(.discovered)
    }

    /// Connects to a peripheral, and discovers all its services and characteristics.
    ///
    /// - Parameter limit: How long to wait for the connection at most; nil for the step's remaining time, or 10 s.
    /// - Throws: `CBError.unknownDevice` if the phone does not know the identifier, or the error of the attempt;
    ///   `TimedOut`.
    package nonisolated(nonsending) func connect(
        _ identifier: UUID, options: [String: Any]? = nil, within limit: Duration? = nil
    ) async throws -> CBPeripheral {
        if central.state != .poweredOn { try await next(.state(.poweredOn)) }
        guard let peripheral = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            throw CBError(.unknownDevice)
        }
        lock.withLock { peripherals.append(peripheral) }
        peripheral.delegate = self
        central.connect(peripheral, options: options)
        let code = try await next(.attempt(identifier), within: limit)
        if let code { throw CBError(CBError.Code(rawValue: code) ?? .unknown) }
        try await discover(peripheral)
        return peripheral
    }

    /// Writes values without response, as fast as the phone takes them.
    ///
    /// - Throws: `TimedOut` if the phone takes no more.
    package nonisolated(nonsending) func write(
        _ values: [Data], to characteristic: CBCharacteristic, of peripheral: CBPeripheral
    ) async throws {
        for value in values {
            while !peripheral.canSendWriteWithoutResponse { try await next(.ready) }
            peripheral.writeValue(value, for: characteristic, type: .withoutResponse)
        }
    }

    /// Waits for the L2CAP channel that the app has asked for. The probe keeps it.
    ///
    /// - Throws: `CBError.unknown` if it could not be opened; `TimedOut`.
    package nonisolated(nonsending) func nextChannel() async throws -> CBL2CAPChannel {
        let error = try await next(
            EventPattern("an L2CAP channel") { if case .channel(_, let error) = $0 { error ?? .some(-1) } else { nil } }
        )
        guard error == -1, let channel = lock.withLock({ channels.last }) else { throw CBError(.unknown) }
        return channel
    }

    /// Discovers all services and characteristics of a connected peripheral. If the peripheral changes its services
    /// meanwhile, the discovery begins anew.
    ///
    /// - Throws: `CBError.notConnected` if the connection ends meanwhile: a discovery that waits then has no answer (C25);
    ///   `TimedOut`, also if a discovery ends with an error.
    package nonisolated(nonsending) func discover(_ peripheral: CBPeripheral) async throws {
        while try await !hasDiscovered(peripheral) {}
    }

    /// - Returns: False if the services have changed meanwhile.
    private nonisolated(nonsending) func hasDiscovered(_ peripheral: CBPeripheral) async throws -> Bool {
        peripheral.discoverServices(nil)
        guard try await isAnswered(.services(nil), by: peripheral) else { return false }
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
            guard try await isAnswered(.characteristics(nil), by: peripheral) else { return false }
        }
        return true
    }

    /// - Returns: False if the services have changed before the answer came.
    private nonisolated(nonsending) func isAnswered(_ expected: Callback, by peripheral: CBPeripheral) async throws
        -> Bool
    {
        let identifier = peripheral.identifier
        let call = try await next(
            EventPattern<Callback, Callback>("\(expected)") {
                switch $0 {
                case expected, .modified, .disconnected(identifier, _, _): $0
                default: nil
                }
            })
        if case .disconnected = call { throw CBError(.notConnected) }
        return call == expected
    }

    package func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        lock.withLock { peripherals += restored }
        told.append(.restored(restored.map(\.identifier)))
    }

    package func centralManagerDidUpdateState(_ central: CBCentralManager) { told.append(.state(central.state)) }

    package func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { told.append(.discovered(peripheral.identifier)) }

    package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        told.append(.connected(peripheral.identifier))
    }

    package func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { told.append(.failed(peripheral.identifier, code(error))) }

    package func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { told.append(.disconnected(peripheral.identifier, code(error), isReconnecting: isReconnecting)) }

    package func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { told.append(.event(event)) }

    package func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        told.append(.sharing(peripheral.identifier, peripheral.ancsAuthorized))
    }

    package func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        told.append(.services(code(error)))
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { told.append(.includedServices(code(error))) }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { told.append(.characteristics(code(error))) }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.descriptors(code(error))) }

    package func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
    {
        told.append(.descriptor(descriptor.value as? String ?? "\(String(describing: descriptor.value))"))
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.value(characteristic.value ?? Data(), code(error))) }

    package func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { told.append(.written(code(error))) }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { told.append(.notifying(characteristic.isNotifying, code(error))) }

    package func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        told.append(.modified)
    }

    package func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        if let channel { lock.withLock { channels.append(channel) } }
        told.append(.channel(channel?.psm ?? 0, code(error)))
    }

    package func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { told.append(.ready) }

    package func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        told.append(.signal(RSSI.intValue))
    }

    private func code(_ error: (any Error)?) -> Int? { error.map { ($0 as NSError).code } }
}

extension CBPeripheral {
    /// Returns the first discovered characteristic with this UUID, written as `CBUUID(string:)` takes it.
    ///
    /// - Throws: `CBError.invalidHandle` if no discovered service has such a characteristic.
    public func found(_ uuid: String) throws -> CBCharacteristic {
        let all = services?.compactMap(\.characteristics).joined()
        guard let found = all?.first(where: { $0.uuid == CBUUID(string: uuid) }) else { throw CBError(.invalidHandle) }
        return found
    }
}

extension EventPattern where Event == CentralProbe.Callback, Value == UUID {
    /// A peripheral was discovered; the value is its identifier.
    package static var discovered: Self {
        Self("a peripheral") { if case .discovered(let found) = $0 { found } else { nil } }
    }

    /// A connection ended, for any reason; the value is the identifier of the peripheral.
    package static var disconnected: Self {
        Self("the connection to end") { if case .disconnected(let peripheral, _, _) = $0 { peripheral } else { nil } }
    }
}

extension EventPattern where Event == CentralProbe.Callback, Value == Data {
    /// A value was read or notified, without an error; the value is the bytes.
    package static var value: Self { Self("a value") { if case .value(let value, nil) = $0 { value } else { nil } } }
}

extension EventPattern where Event == CentralProbe.Callback, Value == Int {
    /// A signal strength was read; the value is in dBm.
    package static var signal: Self { Self("the signal") { if case .signal(let signal) = $0 { signal } else { nil } } }
}

extension EventPattern where Event == CentralProbe.Callback, Value == Int? {
    /// An attempt to connect ended; the value is the error's code, nil if it succeeded.
    static func attempt(_ peripheral: UUID) -> Self {
        Self("the peripheral to be connected") {
            switch $0 {
            case .connected(peripheral): .some(nil)
            case .failed(peripheral, let code): .some(code ?? CBError.Code.unknown.rawValue)
            default: nil
            }
        }
    }
}
