import HILTiming
import HostRadio
import PeripheralModel
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

/// Peripheral managers of apps that the system has ended.
@Suite("Peripheral managers that outlive their app", .timeLimit(.minutes(1)))
struct PeripheralRestorationTests {
    private static let device = DeviceAddress("02:00:00:00:02:B0")!
    private static let place = AttributePlace(service: 0, characteristic: 0)

    /// An app that publishes a heart rate, and makes its manager at its launch.
    final class Publisher: AppUnderTest {
        static var bundle: AppBundle { LaunchTests.OpenWatcher.bundle }
        let listener = PublishingListener()

        init() { listener.makeManager() }
    }

    private func stand() async throws -> (Bench, Publisher) {
        let bench = try await Bench(isAuthorized: false)
        let app = try await bench.phone.launch(Publisher.self)
        try await app.listener.next("state 5")
        app.listener.publish()
        try await app.listener.next("advertising nil")
        bench.radio.tell(.connected(Self.device))
        bench.radio.tell(.subscription(true, Self.place))
        try await app.listener.next("subscribed 2A37 true")
        return (bench, app)
    }

    private func ask(_ bench: Bench, _ number: Int) {
        bench.radio.tell(
            .requested(
                .init(
                    PeripheralRequest(
                        number: number, place: Self.place, written: nil, phone: Self.device, offset: 0, mtu: 185))))
    }

    private func launched(on bench: Bench) async throws -> Publisher {
        let found = try await bench.phone.backgroundLaunches.first(
            from: 0, within: .seconds(300), waitingFor: "a launch in the background"
        ) { _ in true }
        return try #require(try found.event.app.get() as? Publisher)
    }

    @Test("A read launches the app, which hears what it has published, its state, and the read", .covers("L7"))
    func restoration() async throws {
        let (bench, old) = try await stand()
        let before = (old.listener.received.events, bench.radio.peripheralCommands.events.count)
        bench.phone.terminateApp(bySystem: true)
        ask(bench, 7)
        let new = try await launched(on: bench)
        try await new.listener.next("read 2A37")
        #expect(
            new.listener.received.events == [
                "restored 180D [2A37 read notify] 1 subscriber, advertising Kim", "state 5", "read 2A37",
            ])
        #expect(bench.phone.app?.launchReason?.peripherals == ["heart"])
        _ = try await bench.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the phone's answer") {
            if case .answer(7, _) = $0 { true } else { false }
        }
        #expect(bench.radio.peripheralCommands.events.count == before.1 + 1, "nothing was published anew")
        #expect(old.listener.received.events == before.0, "the ended app hears nothing")
        #expect(bench.phone.warnings.isEmpty)
    }

    @Test(
        "After a force quit, and when Bluetooth was off in Settings, nothing is published any more", .covers("L3", "L7")
    )
    func forceQuit() async throws {
        for isForceQuit in [true, false] {
            let (bench, _) = try await stand()
            bench.phone.terminateApp(bySystem: !isForceQuit)
            if !isForceQuit { await bench.phone.switchBluetooth(false) }
            _ = try await bench.radio.peripheralCommands.first(
                within: .seconds(300), waitingFor: "the withdrawal of the services"
            ) { $0 == .replaceServices([]) }
            ask(bench, 7)
            #expect(bench.phone.part(PhonePeripheral.self).restoreNames(of: Publisher.bundle.identifier).isEmpty)
            #expect(bench.phone.backgroundLaunches.events.isEmpty)
        }
    }

    @Test("A restore identifier without the background mode ends the app", .covers("L2"))
    func mode() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = try await Bench(isAuthorized: false)
            _ = try await bench.phone.launch(Bench.OpenApp.self)
            bench.phone.asCurrent { PublishingListener().makeManager() }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("L2 State restoration of CBPeripheralManager is only allowed"))
        #expect(
            errors.contains("bluetooth-peripheral") && errors.contains("CBPeripheralManagerOptionRestoreIdentifierKey"))
    }
}

/// A peripheral manager and its delegate, which writes each callback as one line.
final class PublishingListener: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. Only the queue uses them.
    private let queue = DispatchQueue(label: "publisher")
    let received = EventLog<String>()
    private let position = Mutex(0)
    private var manager: CBPeripheralManager?

    func makeManager() {
        manager = CBPeripheralManager(
            delegate: self, queue: queue, options: [CBPeripheralManagerOptionRestoreIdentifierKey: "heart"])
    }

    /// Publishes and advertises the rate of a heart.
    func publish() {
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: "2A37"), properties: [.read, .notify], value: nil, permissions: .readable)
        ]
        manager?.add(service)
        manager?.startAdvertising([CBAdvertisementDataLocalNameKey: "Kim"])
    }

    func next(_ line: String) async throws {
        let found = try await received.first(
            from: position.withLock { $0 }, within: .seconds(300),
            waitingFor: "“\(line)” after \(received.events.suffix(8))"
        ) { $0 == line }
        position.withLock { $0 = found.next }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let rate = services.first?.characteristics?.first as? CBMutableCharacteristic
        let properties = [(CBCharacteristicProperties.read, "read"), (.notify, "notify"), (.write, "write")]
            .filter { rate?.properties.contains($0.0) == true }.map(\.1).joined(separator: " ")
        let advertised = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        received.append(
            "restored \(services.map(\.uuid.uuidString).joined()) [\(rate?.uuid.uuidString ?? "") \(properties)] "
                + "\(rate?.subscribedCentrals?.count ?? 0) subscriber, advertising "
                + "\(advertised?[CBAdvertisementDataLocalNameKey] as? String ?? "nothing")")
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        received.append("state \(peripheral.state.rawValue)")
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        received.append("advertising \(error.map { "\($0)" } ?? "nil")")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { received.append("subscribed \(characteristic.uuid) true") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        request.value = Data([99])
        peripheral.respond(to: request, withResult: .success)
        received.append("read \(request.characteristic.uuid)")
    }
}
