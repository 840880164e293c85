import CoreBluetooth
import HIL

/// An app with permission for Bluetooth, which needs no picker.
final class InteropApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        AppBundle(identifier: "com.example.interop", folder: "\(Files.hostStackInterop)/App")
    }

    init() async throws {}
}

/// The part of the app that makes the phone a peripheral.
final class Publisher: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. The queue is the main one, as is the scenario.
    static let service = "FF20"
    /// What FF24 has: more than one packet carries.
    static let longValue = Data((0..<400).map { UInt8(truncatingIfNeeded: $0 * 3) })

    enum Event: Sendable, Equatable {
        case state(CBManagerState)
        case added, advertising
        case written(Data)
        case subscribed
    }

    let events = EventLog<Event>()
    private var manager: CBPeripheralManager?
    private let notifying = CBMutableCharacteristic(
        type: CBUUID(string: "FF23"), properties: .notify, value: nil, permissions: .readable)

    override init() {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    /// Publishes the service as soon as Bluetooth is on, and advertises it. After Bluetooth was off, the phone itself
    /// advertises it again.
    ///
    /// - Parameter mark: Bluetooth was switched on after it.
    @MainActor
    func publish(since mark: EventLog<Event>.Mark = .start) async throws {
        try await events.next(.event(.state(.poweredOn)), since: mark)
        if manager?.isAdvertising == true { return }
        let service = CBMutableService(type: CBUUID(string: Self.service), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: "FF21"), properties: [.read, .write], value: nil,
                permissions: [.readable, .writeable]),
            CBMutableCharacteristic(
                type: CBUUID(string: "FF22"), properties: .read, value: Data("secret".utf8),
                permissions: .readEncryptionRequired),
            notifying,
            CBMutableCharacteristic(
                type: CBUUID(string: "FF24"), properties: .read, value: Self.longValue, permissions: .readable),
        ]
        manager?.add(service)
        try await events.next(.event(.added), since: mark)
        manager?.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
        try await events.next(.event(.advertising), since: mark)
    }

    @MainActor
    func notify(_ data: Data) -> Bool {
        manager?.updateValue(data, for: notifying, onSubscribedCentrals: nil) ?? false
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { events.append(.state(peripheral.state)) }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        if error == nil { events.append(.added) }
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if error == nil { events.append(.advertising) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        request.value = Data([7])
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        peripheral.respond(to: requests[0], withResult: .success)
        events.append(.written(requests[0].value ?? Data()))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { events.append(.subscribed) }
}
