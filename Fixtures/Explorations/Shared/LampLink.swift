import CoreBluetooth
import HIL

/// Why an app could not go on.
enum LampError: Error, Equatable {
    case noPicture, nothingAdded, unknownLamp, noLamp, disconnected, noBluetooth, noAnswerInTime
    /// What the lamp answered.
    case refused(String)
}

/// An app's link to a lamp: a command is written to FF01, an answer is notified, or read, as FF02.
///
/// It has no fault: every end of the link or of the lamp's services, and a Bluetooth that is off, ends what is waited for.
@MainActor
class LampLink: NSObject {
    /// How long the app looks for a lamp. Core Bluetooth looks for ever.
    private static let connectLimit = Duration.seconds(8)

    /// Called with each value of FF02.
    var onAnswer: ((Data) -> Void)?

    private(set) var central: CBCentralManager?
    private(set) var peripheral: CBPeripheral?
    private var identifier: UUID?
    private var request: CheckedContinuation<Data, any Error>?
    private var answer: CheckedContinuation<Data, any Error>?
    private var answers: [Data] = []
    /// Core Bluetooth tells of a value that was read and of one that was notified in the same way.
    private var isReading = false
    /// Whether the lamp's services changed while they were discovered.
    private var isStale = false

    /// Connects, and finds the lamp's characteristics.
    func connect(to identifier: UUID) async throws {
        self.identifier = identifier
        let limit = Task { [weak self] in
            try await Task.sleep(for: LampLink.connectLimit)
            self?.end(LampError.noAnswerInTime)
        }
        defer { limit.cancel() }
        _ = try await ask { [self] in
            if let central { begin(central) } else { central = CBCentralManager(delegate: self, queue: nil) }
        }
        self.identifier = nil
    }

    func subscribe() async throws {
        let (peripheral, answers) = try self.found("FF02")
        _ = try await ask { peripheral.setNotifyValue(true, for: answers) }
    }

    func write(_ value: Data) async throws {
        let (peripheral, command) = try self.found("FF01")
        _ = try await ask { peripheral.writeValue(value, for: command, type: .withResponse) }
    }

    func read() async throws -> Data {
        let (peripheral, answers) = try self.found("FF02")
        isReading = true
        defer { isReading = false }
        return try await ask { peripheral.readValue(for: answers) }
    }

    /// The next value that the lamp notifies.
    func nextAnswer() async throws -> Data {
        if !answers.isEmpty { return answers.removeFirst() }
        _ = try self.found("FF02")
        return try await withCheckedThrowingContinuation { answer = $0 }
    }

    func disconnect() {
        if let peripheral { central?.cancelPeripheralConnection(peripheral) }
    }

    private func found(_ uuid: String) throws -> (CBPeripheral, CBCharacteristic) {
        guard let peripheral, peripheral.state == .connected else { throw LampError.disconnected }
        let all = peripheral.services?.flatMap { $0.characteristics ?? [] } ?? []
        guard let found = all.first(where: { $0.uuid == CBUUID(string: uuid) }) else { throw LampError.noLamp }
        return (peripheral, found)
    }

    private func ask(_ start: @escaping () -> Void) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            request = continuation
            start()
        }
    }

    private func begin(_ central: CBCentralManager) {
        guard central.state == .poweredOn, let identifier else { return }
        guard let found = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            return end(LampError.unknownLamp)
        }
        peripheral = found
        found.delegate = self
        // A link that has come back meanwhile tells nothing more.
        if found.state == .connected {
            found.discoverServices([CBUUID(string: "FF00")])
        } else {
            central.connect(found)
        }
    }

    /// Discovers the lamp's services once more if they changed meanwhile.
    ///
    /// - Returns: Whether it does.
    private func discoversAgain(_ peripheral: CBPeripheral) -> Bool {
        guard isStale, identifier != nil else { return false }
        isStale = false
        peripheral.discoverServices([CBUUID(string: "FF00")])
        return true
    }

    private func done(_ value: Data = Data()) {
        request?.resume(returning: value)
        request = nil
    }

    /// The link ended, or what was asked for failed.
    func end(_ error: any Error) {
        identifier = nil
        isStale = false
        answers = []
        request?.resume(throwing: error)
        request = nil
        answer?.resume(throwing: error)
        answer = nil
    }

    /// The link was lost.
    func lost(_ error: (any Error)?) { end(error ?? LampError.disconnected) }
}

extension LampLink: @preconcurrency CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: begin(central)
        case .unknown: break
        default: end(LampError.noBluetooth)
        }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: "FF00")])
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { end(error ?? LampError.disconnected) }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { lost(error) }
}

extension LampLink: @preconcurrency CBPeripheralDelegate {
    /// The lamp's program has gone, or is back: it knows nothing of what it was asked.
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        if identifier != nil { isStale = true } else { end(LampError.noLamp) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        if discoversAgain(peripheral) { return }
        guard let service = peripheral.services?.first else { return end(error ?? LampError.noLamp) }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        if discoversAgain(peripheral) { return }
        if let error { end(error) } else { done() }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { if let error { end(error) } else { done() } }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { if let error { end(error) } else { done() } }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard error == nil, let value = characteristic.value else { return end(error ?? LampError.noLamp) }
        onAnswer?(value)
        if isReading {
            done(value)
        } else if let waiting = answer {
            answer = nil
            waiting.resume(returning: value)
        } else {
            answers.append(value)
        }
    }
}
