import HostRadio
import RadioModel
import Synchronization
import Testing
import Timing

@testable import CoreBluetooth
@testable import Phone

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

    /// An app that does nothing by itself.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.dice", folder: "\(repository)/Fixtures/DiceApp")
        static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        init() {}
    }

    let radio = InMemoryRadio()
    let phone: Phone
    /// Under which CoreBluetooth knows the die.
    let identifier: UUID
    /// Kept as an app would: a manager takes its connections along, and delegates are not retained.
    private let kept = Mutex<[any Sendable]>([])

    /// - Parameter isAuthorized: Whether the app has the die already.
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

    /// A central manager, and what it tells; returns when its state is told.
    func central(
        _ expected: CBManagerState = .poweredOn, options: [String: Any]? = nil
    ) async throws -> (CBCentralManager, Listener) {
        let listener = Listener()
        let central = phone.asCurrent {
            CBCentralManager(delegate: listener, queue: listener.queue, options: options)
        }
        kept.withLock { $0 += [central, listener] }
        _ = try await listener.next("state \(expected.rawValue)")
        return (central, listener)
    }

    /// The die, connected and discovered.
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

/// Writes down, one line each, what a central manager and its peripherals tell.
final class Listener: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    let queue = DispatchQueue(label: "listener")
    let told = EventLog<String>()
    let advertised = EventLog<Discovery>()
    /// As an app keeps them.
    private let restored = Mutex<[CBPeripheral]>([])
    private let place = Mutex(0)

    struct Discovery: @unchecked Sendable {  // The dictionary is CoreBluetooth's own and is never changed.
        var peripheral: CBPeripheral
        var data: [String: Any]
        var rssi: NSNumber
    }

    /// Waits for this line, after those that were waited for before.
    @discardableResult
    func next(_ line: String) async throws -> String {
        let found = try await told.first(
            from: place.withLock { $0 }, within: .seconds(5), waitingFor: "“\(line)” after \(told.events.suffix(8))"
        ) { $0 == line }
        place.withLock { $0 = found.next }
        return found.event
    }

    private func tell(_ line: String, _ error: (any Error)?) {
        dispatchPrecondition(condition: .onQueue(queue))
        told.append("\(line) \(error.map { "\(($0 as NSError).domain) \(($0 as NSError).code)" } ?? "nil")")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        dispatchPrecondition(condition: .onQueue(queue))
        told.append("state \(central.state.rawValue)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        advertised.append(Discovery(peripheral: peripheral, data: advertisementData, rssi: RSSI))
        told.append("discovered \(peripheral.name ?? "nil")")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { told.append("connected") }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        tell("failed", error)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        tell("disconnected", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { tell("services", error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        tell("characteristics \(service.characteristics?.count ?? 0)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        tell("value \(characteristic.uuid) \(characteristic.value.map { Array($0) } ?? [])", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        tell("written \(characteristic.uuid)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        tell("notifying \(characteristic.uuid) \(characteristic.isNotifying)", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        told.append("modified \(invalidatedServices.count)")
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        restored.withLock { $0 += peripherals }
        told.append("restored \(peripherals.map(\.identifier)) \(peripherals.first?.state.rawValue ?? -1)")
    }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { told.append("event \(event.rawValue)") }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        tell("signal \(RSSI)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { tell("included \(service.includedServices?.count ?? -1)", error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { tell("descriptors \(characteristic.descriptors?.count ?? -1)", error) }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        tell("descriptor \(descriptor.uuid) \(descriptor.value ?? "nil")", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        tell("descriptor written \(descriptor.uuid)", error)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { told.append("ready") }
}
