import CoreBluetooth
import Foundation

/// The connection to a lantern over Core Bluetooth: it writes commands, and reads states, errors and results.
@MainActor
public final class LanternLink: NSObject {
    /// A command without an answer yet.
    private struct Request {
        let id = UUID()
        let number: UInt8
        let hasResult: Bool
        /// The parts that are not written yet.
        var parts: [Data]
        let continuation: CheckedContinuation<[String], any Error>
    }

    /// The last state that the lantern sent; nil without a connection.
    public private(set) var state: Improv.State?
    /// Called with each state.
    public var onState: ((Improv.State) -> Void)?

    private var central: CBCentralManager?
    private var identifier: UUID?
    private var peripheral: CBPeripheral?
    private var characteristics: [CBUUID: CBCharacteristic] = [:]
    private var connecting: CheckedContinuation<Void, any Error>?
    private var listening: CheckedContinuation<Improv.State, any Error>?
    private var request: Request?
    /// How long a lantern takes for an answer at most, and for one to credentials, with which it joins first.
    private static let limits = (usual: Duration.seconds(4), credentials: Duration.seconds(25))

    /// Connects, and subscribes to the lantern's notifications. Returns when its state is known.
    public func connect(to identifier: UUID) async throws {
        self.identifier = identifier
        try await withCheckedThrowingContinuation { continuation in
            connecting = continuation
            if let central {
                begin(central)
            } else {
                central = CBCentralManager(delegate: self, queue: nil)
            }
        }
    }

    /// Ends the connection.
    public func disconnect() {
        if let peripheral { central?.cancelPeripheralConnection(peripheral) }
    }

    /// Sends a command, and returns the strings of its result.
    ///
    /// - Throws: ``Improv/Refusal`` if the lantern refuses it, or ``LanternError``.
    public func ask(_ command: Improv.Command) async throws -> [String] {
        guard let packet = command.packet else { throw LanternError.textTooLong }
        return try await send(Improv.parts(of: packet), number: command.number, hasResult: command != .identify)
    }

    /// Writes bytes unchanged. A lantern refuses those that are not a command.
    public func send(_ parts: [Data], number: UInt8 = 0, hasResult: Bool = true) async throws -> [String] {
        guard request == nil else { throw LanternError.busy }
        return try await withCheckedThrowingContinuation { continuation in
            let new = Request(number: number, hasResult: hasResult, parts: parts, continuation: continuation)
            request = new
            let isCredentials = number == Improv.Command.sendWiFi(ssid: "", passphrase: "").number
            Task { await giveUp(new.id, after: isCredentials ? Self.limits.credentials : Self.limits.usual) }
            writeNext()
        }
    }

    /// Ends the wait for an answer that does not come: its notification may be lost, or the lantern's program.
    private func giveUp(_ id: UUID, after limit: Duration) async {
        try? await Task.sleep(for: limit)
        if request?.id == id { answer(.failure(LanternError.noAnswer)) }
    }

    /// Listens to advertisements of lanterns that were set up, and returns the state in the first one.
    public func advertisedState() async throws -> Improv.State {
        try await withCheckedThrowingContinuation { continuation in
            guard let central else { return continuation.resume(throwing: LanternError.disconnected) }
            listening = continuation
            central.scanForPeripherals(withServices: [CBUUID(string: Improv.UUIDs.service)])
        }
    }

    private func begin(_ central: CBCentralManager) {
        guard central.state == .poweredOn, connecting != nil, let identifier else { return }
        guard let found = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            return end(LanternError.unknownAccessory)
        }
        peripheral = found
        found.delegate = self
        central.connect(found)
    }

    private func writeNext() {
        guard let command = characteristics[CBUUID(string: Improv.UUIDs.command)], let peripheral else {
            return end(LanternError.disconnected)
        }
        guard let part = request?.parts.first else {
            if request?.hasResult == false { answer(.success([])) }
            return
        }
        request?.parts.removeFirst()
        peripheral.writeValue(part, for: command, type: .withResponse)
    }

    private func answer(_ result: Result<[String], any Error>) {
        request?.continuation.resume(with: result)
        request = nil
    }

    /// The connection ended, or failed.
    private func end(_ error: any Error) {
        state = nil
        characteristics = [:]
        connecting?.resume(throwing: error)
        connecting = nil
        answer(.failure(error))
    }

    /// Bluetooth is off. The delegate is told of that alone, and not of the links and the scan that it ends.
    private func endAll() {
        end(LanternError.disconnected)
        listening?.resume(throwing: LanternError.disconnected)
        listening = nil
    }

    private func take(_ value: Data, of characteristic: CBUUID) {
        switch characteristic {
        case CBUUID(string: Improv.UUIDs.state):
            guard let new = value.first.flatMap(Improv.State.init) else { return }
            state = new
            onState?(new)
            connecting?.resume()
            connecting = nil
        case CBUUID(string: Improv.UUIDs.error):
            if let refusal = value.first.flatMap(Improv.Refusal.init) { answer(.failure(refusal)) }
        case CBUUID(string: Improv.UUIDs.result):
            guard let result = Improv.Result(value), result.command == request?.number else { return }
            answer(.success(result.strings))
        default: break
        }
    }
}

extension LanternLink: @preconcurrency CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { begin(central) } else { endAll() }
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: Improv.UUIDs.service)])
    }

    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        end(error ?? LanternError.disconnected)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        end(LanternError.disconnected)
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let data = advertisementData[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
        guard let bytes = data?[CBUUID(string: Improv.UUIDs.serviceData)],
            let state = Improv.state(inServiceData: bytes)
        else { return }
        central.stopScan()
        listening?.resume(returning: state)
        listening = nil
    }
}

extension LanternLink: @preconcurrency CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first else { return end(error ?? LanternError.notAnImprovService) }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for found in service.characteristics ?? [] { characteristics[found.uuid] = found }
        let told = [Improv.UUIDs.error, Improv.UUIDs.result, Improv.UUIDs.state].compactMap {
            characteristics[CBUUID(string: $0)]
        }
        guard told.count == 3 else { return end(error ?? LanternError.notAnImprovService) }
        for characteristic in told { peripheral.setNotifyValue(true, for: characteristic) }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return end(error) }
        // The state is subscribed to last; reading it is the end of connecting.
        if characteristic.uuid == CBUUID(string: Improv.UUIDs.state) { peripheral.readValue(for: characteristic) }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { return answer(.failure(error)) }
        writeNext()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { return answer(.failure(error)) }
        if let value = characteristic.value { take(value, of: characteristic.uuid) }
    }
}
