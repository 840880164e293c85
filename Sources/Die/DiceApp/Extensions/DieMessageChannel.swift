import AccessorySetupKit
import CoreBluetooth
import DieProtocol

/// One of the two message channels of the die, with its own connection.
///
/// It connects, subscribes, splits and joins messages, and connects again when the link is lost.
///
/// `@unchecked Sendable`: all state is changed on `queue` only, and all callbacks come there.
final class DieMessageChannel: NSObject, MessageChannel, @unchecked Sendable {
    /// The pause before a retry, after the die or the system has refused something.
    private static let pause = DispatchTimeInterval.seconds(1)

    let queue: DispatchQueue
    private let characteristic: DieGATT.Characteristic
    /// Under this name the link outlives the extension's process; nil if it does not.
    private let restoreName: String?
    private let tell: @Sendable (ChannelEvent) -> Void
    private let accessories = ASAccessorySession()
    private var central: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var remote: CBCharacteristic?
    private var joiner = GATTFraming.Joiner()
    private var waiting: ArraySlice<Data> = []
    /// How many writes the die has not answered yet.
    private var unanswered = 0
    /// A reference to itself while a last message is being sent.
    private var closing: DieMessageChannel?

    /// Makes a channel to the die that the app has set up. ``start()`` opens it.
    ///
    /// - Parameter restoreName: The restore identifier of its central manager.
    init(
        _ characteristic: DieGATT.Characteristic, restoredAs restoreName: String? = nil,
        tell: @escaping @Sendable (ChannelEvent) -> Void
    ) {
        self.characteristic = characteristic
        self.restoreName = restoreName
        self.tell = tell
        queue = DispatchQueue(label: "die.\(characteristic.name)")
        super.init()
    }

    /// Opens the channel. Events come only from now on, so that a receiver of an event can already use the channel.
    func start() {
        queue.async { [self] in
            accessories.activate(on: queue) { [weak self] event in
                guard let self, event.eventType == .activated, central == nil else { return }
                let options = restoreName.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
                central = CBCentralManager(delegate: self, queue: queue, options: options)
            }
        }
    }

    /// Reports ``ChannelEvent/unavailable`` if Bluetooth is off. Otherwise the channel connects automatically.
    func open() {
        if central?.state == .poweredOff { tell(.unavailable) }
    }

    func send(_ message: Data) throws {
        guard let peripheral, remote != nil else { throw CBError(.notConnected) }
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        waiting += try GATTFraming.split(message, segmentLength: min(length, GATTFraming.longestWrite))
        pump()
    }

    func close() { close(saying: nil) }

    /// Closes the connection. No events follow.
    ///
    /// - Parameter message: Sent before closing, on a channel whose writes are answered. It is lost if the channel is
    ///   not open.
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

    /// Writes as much as the system accepts. For more, it calls ``peripheralIsReady(toSendWriteWithoutResponse:)``.
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

    /// Repeats something that was refused, unless the channel was closed meanwhile.
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

extension DieMessageChannel: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn, let identifier = accessories.accessories.first?.bluetoothIdentifier,
            let die = central.retrievePeripherals(withIdentifiers: [identifier]).first
        else { return linkLost() }
        peripheral = die
        die.delegate = self
        // It is connected already after a restoration.
        guard die.state != .connected else { return die.discoverServices([CBUUID(string: DieGATT.service)]) }
        central.connect(die)
    }

    /// The link of this extension's last process is still there. It is used once Bluetooth is known to be on.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        peripheral = (dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])?.first
        peripheral?.delegate = self
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
        // Do not connect again to an accessory that was removed.
        guard accessories.accessories.contains(where: { $0.bluetoothIdentifier == peripheral.identifier }) else {
            return
        }
        if error != nil {
            central.connect(peripheral)
        } else {
            // This side disconnected, because the die had refused something.
            retry { central, peripheral in central.connect(peripheral) }
        }
    }
}

extension DieMessageChannel: CBPeripheralDelegate {
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
            // Pairing failed or was refused. Connecting again starts it again.
            central?.cancelPeripheralConnection(peripheral)
            return
        }
        remote = found
        // Do not wait for answers that were lost with an earlier link.
        unanswered = 0
        tell(.opened(peripheral.identifier))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor found: CBCharacteristic, error: (any Error)?
    ) {
        // A segment that does not fit drops its message. The side that waits for the message asks for it again.
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
