import HILTiming
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

/// A phone with an app on it and a die within reach of its in-memory radio.
final class Bench: Sendable {
    static let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    static let address = DeviceAddress("9C:5A:81:00:00:01")!
    static let roll = GATTCharacteristic(
        uuid: BluetoothUUID("2A01")!, id: CharacteristicID(handle: 3), properties: [.read, .notify])
    static let owner = GATTCharacteristic(
        uuid: BluetoothUUID("2A02")!, id: CharacteristicID(handle: 6), properties: [.read, .write])
    static let screen = GATTCharacteristic(
        uuid: BluetoothUUID("2A03")!, id: CharacteristicID(handle: 8), properties: [.writeWithoutResponse])

    /// An app without any code of its own.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
        init() {}
    }

    /// An app without AccessorySetupKit: the person lets it use all of Bluetooth.
    final class OpenApp: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.open", infoPlist: fixture("DiceApp/Before.plist"),
            resources: fixture("DiceApp"))
        init() {}
    }

    let radio = InMemoryRadio()
    let phone: Phone
    /// The identifier of the die for CoreBluetooth.
    let identifier: UUID
    /// Managers and delegates, kept as an app would keep them: a manager's connections end with it, and it does not
    /// retain its delegate.
    private let retained = Mutex(Kept())

    /// - Parameter isAuthorized: Whether the app is authorised for the die from the beginning.
    init(isAuthorized: Bool = true) async throws {
        phone = Phone(radio: radio, clock: ManualClock())
        identifier = phone.identifiers.identifier(of: Bench.address)
        _ = try await phone.launch(App.self)
        if isAuthorized { authorize() }
    }

    func authorize() {
        phone.store.set(
            AccessoryRecord(
                id: identifier, displayName: "Die", bluetoothIdentifier: identifier, descriptor: DiscoveryDescriptor()),
            for: App.bundle.identifier)
    }

    func addDie(_ change: (inout InMemoryRadio.Device) -> Void = { _ in }) {
        var advertisement = Advertisement(
            address: Bench.address, name: "Die 7", serviceUUIDs: [Bench.service], rssi: -40)
        advertisement.manufacturerData = [0x004C: Data([7])]
        var die = InMemoryRadio.Device(
            advertisement,
            services: [
                GATTService(
                    uuid: Bench.service, handle: 1, isPrimary: true,
                    characteristics: [Bench.roll, Bench.owner, Bench.screen])
            ],
            values: [Bench.roll.id: Data([4]), Bench.owner.id: Data("Kim".utf8)], protected: [Bench.owner.id], mtu: 185)
        change(&die)
        radio.add(die)
    }

    /// Makes a central manager with a listener. Returns when the listener has received the expected state.
    func central(
        _ expected: CBManagerState = .poweredOn, options: [String: Any]? = nil
    ) async throws -> (CBCentralManager, Listener) {
        let listener = Listener()
        let central = phone.asCurrent {
            CBCentralManager(delegate: listener, queue: listener.queue, options: options)
        }
        let kept = Kept(objects: [central, listener])
        retained.withLock { $0.objects += kept.objects }
        _ = try await listener.next("state \(expected.rawValue)")
        return (central, listener)
    }

    /// Returns when the phone has dealt with all that the radio has told it so far: it does so in order.
    func settle() async throws {
        let (last, place) = ("all so far", phone.log.count)
        radio.emit(.noticed(nil, last))
        _ = try await phone.log.first(from: place, within: .seconds(300), waitingFor: "the radio's last event") {
            if case .radio(.noticed(nil, last)) = $0.kind { true } else { false }
        }
    }

    /// Connects to the die and discovers its services and characteristics.
    func connectedDie() async throws -> (CBCentralManager, Listener, CBPeripheral) {
        let (central, listener) = try await central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [identifier]).first)
        peripheral.delegate = listener
        central.connect(peripheral)
        _ = try await listener.next("connected")
        peripheral.discoverServices([CBUUID(Bench.service)])
        _ = try await listener.next("services nil")
        let service = try #require(peripheral.services?.first)
        peripheral.discoverCharacteristics(nil, for: service)
        _ = try await listener.next("characteristics 3 nil")
        return (central, listener, peripheral)
    }
}

extension CBPeripheral {
    func found(_ characteristic: GATTCharacteristic) throws -> CBCharacteristic {
        try #require(services?.first?.characteristics?.first { $0.uuid.value == characteristic.uuid })
    }
}

/// Objects that a test keeps until its end. Core Bluetooth's are not Sendable, and nobody uses them here.
struct Kept: @unchecked Sendable {
    var objects: [AnyObject] = []
}

/// A delegate that writes each callback of a central manager and its peripherals as one line of a log.
final class Listener: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    let queue = DispatchQueue(label: "listener")
    let received = EventLog<String>()
    let advertised = EventLog<Discovery>()
    /// Restored peripherals, kept as an app would keep them.
    private let restored = Mutex(Kept())
    private let position = Mutex(0)

    /// The L2CAP channel that was opened last, kept as an app would keep it, and its peripheral.
    struct Opened: @unchecked Sendable {
        var channel: CBL2CAPChannel?
        var peripheral: CBPeripheral?
    }
    private let opened = Mutex(Opened())

    var channel: CBL2CAPChannel? { opened.withLock { $0 }.channel }
    var lastPeripheral: CBPeripheral? { opened.withLock { $0 }.peripheral }
    func releaseChannel() {
        let peripheral = lastPeripheral
        let released = Opened(channel: nil, peripheral: peripheral)
        opened.withLock { $0 = released }
    }

    struct Discovery: @unchecked Sendable {  // The dictionary is never changed.
        var peripheral: CBPeripheral
        var data: [String: Any]
        var rssi: NSNumber
    }

    /// Waits for a line after the lines of earlier calls, for at most 5 seconds.
    @discardableResult
    func next(_ line: String) async throws -> String {
        let found = try await received.first(
            from: position.withLock { $0 }, within: .seconds(300),
            waitingFor: "“\(line)” after \(received.events.suffix(8))"
        ) { $0 == line }
        position.withLock { $0 = found.next }
        return found.event
    }

    /// Returns when the manager has dealt with all that it was told so far.
    func settle() async { await withCheckedContinuation { done in queue.async { done.resume() } } }

    private func record(_ line: String, _ error: (any Error)?) {
        dispatchPrecondition(condition: .onQueue(queue))
        received.append("\(line) \(error.map { "\(($0 as NSError).domain) \(($0 as NSError).code)" } ?? "nil")")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        dispatchPrecondition(condition: .onQueue(queue))
        received.append("state \(central.state.rawValue)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        advertised.append(Discovery(peripheral: peripheral, data: advertisementData, rssi: RSSI))
        received.append("discovered \(peripheral.name ?? "nil")")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        received.append("connected")
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        record("failed", error)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        record("disconnected", error)
    }

    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        received.append("sharing \(peripheral.ancsAuthorized)")
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { received.append("named \(peripheral.name ?? "nil")") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { record("services", error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        record("characteristics \(service.characteristics?.count ?? 0)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        record("value \(characteristic.uuid) \(characteristic.value.map { Array($0) } ?? [])", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        record("written \(characteristic.uuid)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        record("notifying \(characteristic.uuid) \(characteristic.isNotifying)", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        received.append("modified \(invalidatedServices.count)")
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        let kept = Kept(objects: peripherals)
        restored.withLock { $0.objects += kept.objects }
        for peripheral in peripherals { peripheral.delegate = self }
        received.append("restored \(peripherals.map(\.identifier)) \(peripherals.first?.state.rawValue ?? -1)")
    }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { received.append("event \(event.rawValue)") }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        record("signal \(RSSI)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { record("included \(service.includedServices?.count ?? -1)", error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { record("descriptors \(characteristic.descriptors?.count ?? -1)", error) }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        record("descriptor \(descriptor.uuid) \(descriptor.value ?? "nil")", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        record("descriptor written \(descriptor.uuid)", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        let now = Opened(channel: channel, peripheral: peripheral)
        opened.withLock { $0 = now }
        record("channel \(channel?.psm ?? 0)", error)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { received.append("ready") }
}
