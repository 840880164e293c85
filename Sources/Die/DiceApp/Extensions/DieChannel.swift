import AccessorySetupKit
import CoreBluetooth
import DieProtocol

/// One of the die's two message channels, over a connection of its own: it connects, subscribes, splits and joins,
/// and connects again when the link is lost.
///
/// `@unchecked Sendable`: everything that changes does so on `queue`, where every callback comes too.
final class DieChannel: NSObject, MessageChannel, @unchecked Sendable {
    /// The pause before something is tried again that the die or the system refused.
    private static let pause = DispatchTimeInterval.seconds(1)

    let queue: DispatchQueue
    private let characteristic: DieGATT.Characteristic
    private let tell: @Sendable (ChannelEvent) -> Void
    private let accessories = ASAccessorySession()
    private var central: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var remote: CBCharacteristic?
    private var joiner = GATTFraming.Joiner()
    private var waiting: ArraySlice<Data> = []
    /// Writes that the die has not answered yet.
    private var unanswered = 0
    /// Itself, while last words are on their way.
    private var closing: DieChannel?

    /// Opens the channel to the die that the app has set up.
    init(_ characteristic: DieGATT.Characteristic, tell: @escaping @Sendable (ChannelEvent) -> Void) {
        self.characteristic = characteristic
        self.tell = tell
        queue = DispatchQueue(label: "die.\(characteristic.name)")
        super.init()
        accessories.activate(on: queue) { [weak self] event in
            guard let self, event.eventType == .activated, central == nil else { return }
            central = CBCentralManager(delegate: self, queue: queue)
        }
    }

    /// It connects by itself, unless Bluetooth is off.
    func open() {
        if central?.state == .poweredOff { tell(.unavailable) }
    }

    func send(_ message: Data) throws {
        guard let peripheral, remote != nil else { throw CBError(.notConnected) }
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        waiting += try GATTFraming.split(message, segmentLength: length)
        pump()
    }

    func close() { close(saying: nil) }

    /// Ends the connection; nothing is told afterwards.
    ///
    /// - Parameter message: Said before, on a channel whose writes are answered; lost unless the channel is open.
    func close(saying message: Data?) {
        queue.async { [self] in
            guard let message, remote != nil, (try? send(message)) != nil else { return end() }
            closing = self
        }
    }

    private func end() {
        if let peripheral, let central, central.state == .poweredOn { central.cancelPeripheralConnection(peripheral) }
        central?.delegate = nil
        (central, peripheral, remote) = (nil, nil, nil)
        accessories.invalidate()
        closing = nil
    }

    /// Writes as much as the system takes; it asks for more by ``peripheralIsReady(toSendWriteWithoutResponse:)``.
    private func pump() {
        guard let peripheral, let remote else { return }
        if characteristic.properties.contains(.writeWithoutResponse) {
            while peripheral.canSendWriteWithoutResponse, let segment = waiting.popFirst() {
                peripheral.writeValue(segment, for: remote, type: .withoutResponse)
            }
        } else {
            while let segment = waiting.popFirst() {
                unanswered += 1
                peripheral.writeValue(segment, for: remote, type: .withResponse)
            }
        }
    }

    /// Tries something again that was refused, unless the channel was closed meanwhile.
    private func retry(_ body: @escaping @Sendable (CBCentralManager, CBPeripheral) -> Void) {
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self, let central, let peripheral else { return }
            body(central, peripheral)
        }
    }

    private func linkLost() {
        let wasOpen = remote != nil
        remote = nil
        waiting = []
        unanswered = 0
        joiner = GATTFraming.Joiner()
        if closing != nil { return end() }
        if wasOpen { tell(.lost) }
    }
}

extension DieChannel: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn, let identifier = accessories.accessories.first?.bluetoothIdentifier,
            let die = central.retrievePeripherals(withIdentifiers: [identifier]).first
        else { return linkLost() }
        peripheral = die
        die.delegate = self
        central.connect(die)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: DieGATT.service)])
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        retry { central, peripheral in central.connect(peripheral) }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        linkLost()
        // An accessory that was removed is let go of.
        guard accessories.accessories.contains(where: { $0.bluetoothIdentifier == peripheral.identifier }) else {
            return
        }
        if error != nil {
            central.connect(peripheral)
        } else {
            // This end let go of the link because the die refused something.
            retry { central, peripheral in central.connect(peripheral) }
        }
    }
}

extension DieChannel: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] where service.uuid == CBUUID(string: DieGATT.service) {
            peripheral.discoverCharacteristics([CBUUID(string: characteristic.uuid)], for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for found in service.characteristics ?? [] where found.uuid == CBUUID(string: characteristic.uuid) {
            peripheral.setNotifyValue(true, for: found)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor found: CBCharacteristic, error: (any Error)?
    ) {
        guard error == nil, found.isNotifying else {
            // Pairing failed, or was refused: the connection starts it anew.
            central?.cancelPeripheralConnection(peripheral)
            return
        }
        remote = found
        // What a lost link left unanswered is not waited for.
        unanswered = 0
        tell(.opened(peripheral.identifier))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor found: CBCharacteristic, error: (any Error)?
    ) {
        // A segment that does not fit drops its message; whoever waits for that one asks again.
        guard let segment = found.value, let message = try? joiner.join(segment) else { return }
        tell(.message(message))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor found: CBCharacteristic, error: (any Error)?
    ) {
        unanswered -= 1
        if closing != nil, unanswered == 0 { return end() }
        if error != nil { central?.cancelPeripheralConnection(peripheral) }
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        linkLost()
        peripheral.discoverServices([CBUUID(string: DieGATT.service)])
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        pump()
    }
}
