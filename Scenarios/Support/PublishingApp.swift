import CoreBluetooth
import HIL

/// The part of an app that makes the phone a peripheral.
final class PublishingApp: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. The queue is the main one, as is the scenario.
    static let service = "FF20"

    enum Event: Sendable, Equatable {
        case state(CBManagerState)
        case added, advertising
        /// The UUIDs of the restored services.
        case restored([String])
        /// A service could not be added, by its UUID, because of this error.
        case refused(String, Int)
        case written(Data)
        case subscribed(Bool)
        case published(UInt16)
        case opened
    }

    let events = EventLog<Event>()
    private var manager: CBPeripheralManager?
    private let value = CBMutableCharacteristic(
        type: CBUUID(string: "FF21"), properties: [.read, .write, .writeWithoutResponse, .notify], value: nil,
        permissions: [.readable, .writeable])
    private var opened: CBL2CAPChannel?

    /// - Parameter restoreName: The restore identifier; nil for none.
    init(restoreName: String? = nil) {
        super.init()
        let options = restoreName.map { [CBPeripheralManagerOptionRestoreIdentifierKey: $0] }
        manager = CBPeripheralManager(delegate: self, queue: nil, options: options)
    }

    /// Publishes the service, and advertises it.
    @MainActor
    func publish() async throws {
        try await events.next(.event(.state(.poweredOn)))
        let service = CBMutableService(type: CBUUID(string: Self.service), primary: true)
        service.characteristics = [
            value,
            CBMutableCharacteristic(
                type: CBUUID(string: "2A29"), properties: .read, value: Data("hil".utf8), permissions: .readable),
        ]
        manager?.add(service)
        try await events.next(.event(.added))
        manager?.startAdvertising([
            CBAdvertisementDataLocalNameKey: "Phone", CBAdvertisementDataServiceUUIDsKey: [service.uuid],
        ])
        try await events.next(.event(.advertising))
    }

    /// Publishes a service of one value, and returns whether the phone took it.
    @MainActor
    func add(_ uuid: String, with characteristic: String) async throws -> Bool {
        try await events.next(.event(.state(.poweredOn)))
        let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: characteristic), properties: .read, value: Data([42]), permissions: .readable)
        ]
        manager?.add(service)
        let refused = try await events.next(
            EventPattern("an answer") {
                switch $0 {
                case .added: false
                case .refused(uuid, CBError.Code.uuidNotAllowed.rawValue): true
                default: nil
                }
            })
        return !refused
    }

    @MainActor
    func advertise(_ uuid: String) async throws {
        manager?.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: uuid)]])
        try await events.next(.event(.advertising))
    }

    @MainActor
    func publishChannel() async throws -> UInt16 {
        manager?.publishL2CAPChannel(withEncryption: false)
        return try await events.next(
            EventPattern("the port") { if case .published(let port) = $0 { port } else { nil } })
    }

    @MainActor
    func channel() async throws -> CBL2CAPChannel {
        try await events.next(.event(.opened))
        guard let opened else { throw CBError(.unknown) }
        return opened
    }

    @MainActor
    func notify(_ data: Data) -> Bool {
        manager?.updateValue(data, for: value, onSubscribedCentrals: nil) ?? false
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        events.append(.restored(services.map(\.uuid.uuidString)))
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { events.append(.state(peripheral.state)) }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        guard let error else { return events.append(.added) }
        events.append(.refused(service.uuid.uuidString, (error as? CBError)?.code.rawValue ?? -1))
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
    ) { events.append(.subscribed(true)) }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { if error == nil { events.append(.published(PSM)) } }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        opened = channel
        events.append(.opened)
    }
}

/// An app that publishes, and makes its manager at its launch. Its user defaults say whether it has a restore identifier.
@MainActor
final class PublishingGadgetApp: AppUnderTest {
    nonisolated static var bundle: AppBundle { OpenGadgetApp.bundle }
    let publishing: PublishingApp

    init() async throws {
        publishing = PublishingApp(restoreName: UserDefaults.standard.bool(forKey: "restores") ? "gadget" : nil)
    }
}
