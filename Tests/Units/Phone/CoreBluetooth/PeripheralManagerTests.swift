import Foundation
import HILTiming
import HostRadio
import PeripheralModel
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

/// The phone as a peripheral, with other devices that a test plays.
@Suite("CBPeripheralManager", .timeLimit(.minutes(1)))
struct PeripheralManagerTests {
    private static let device = DeviceAddress("02:00:00:00:02:B0")!

    private struct Stand {
        let bench: Bench
        let listener: ManagerListener
        let manager: CBPeripheralManager
        let level: CBMutableCharacteristic
        let service: CBMutableService

        var radio: InMemoryRadio { bench.radio }

        /// The UUIDs of the services that were published last.
        var published: [String] {
            radio.peripheralCommands.events.compactMap {
                if case .replaceServices(let services) = $0 { services.map { CBUUID($0.uuid).uuidString } } else { nil }
            }.last ?? []
        }

        /// The names that were advertised, in order.
        var advertised: [String] {
            radio.peripheralCommands.events.compactMap {
                if case .advertise(let content?) = $0 { content.name } else { nil }
            }
        }

        /// A manager whose service 180D is published.
        init() async throws {
            bench = try await Bench()
            _ = try await bench.phone.launch(Bench.OpenApp.self)
            let listener = ManagerListener()
            self.listener = listener
            manager = bench.phone.asCurrent { CBPeripheralManager(delegate: listener, queue: listener.queue) }
            try await listener.next("state 5")
            level = CBMutableCharacteristic(
                type: CBUUID(string: "2A19"), properties: [.read, .write, .notify], value: nil,
                permissions: [.readable, .writeable])
            let fixed = CBMutableCharacteristic(
                type: CBUUID(string: "2A29"), properties: .read, value: Data("hil".utf8), permissions: .readable)
            service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
            service.characteristics = [level, fixed]
            manager.add(service)
            try await listener.next("added 180D nil")
        }
    }

    @Test("A service is published as it was made, advertised with its name, and withdrawn", .covers("C8"))
    func publishes() async throws {
        let stand = try await Stand()
        guard case .replaceServices(let services)? = stand.radio.peripheralCommands.events.last else {
            Issue.record("\(stand.radio.peripheralCommands.events)")
            return
        }
        #expect(services.map(\.uuid) == [BluetoothUUID(short: 0x180D)])
        #expect(services[0].characteristics.map(\.properties) == [[.read, .write, .notify], [.read]])
        #expect(services[0].characteristics.map(\.answering.reads) == [true, false])
        #expect(services[0].characteristics[1].value == Data("hil".utf8))
        #expect(stand.level.service === stand.service)
        stand.manager.startAdvertising([
            CBAdvertisementDataLocalNameKey: "Kim's phone",
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")],
        ])
        try await stand.listener.next("advertising nil")
        let content = PeripheralAdvertising(name: "Kim's phone", serviceUUIDs: [BluetoothUUID(short: 0x180D)])
        #expect(stand.radio.peripheralCommands.events.last == .advertise(content) && stand.manager.isAdvertising)
        stand.manager.stopAdvertising()
        stand.manager.removeAllServices()
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "no services") {
            $0 == .replaceServices([])
        }
        #expect(stand.radio.peripheralCommands.events.contains(.advertise(nil)))
    }

    @Test("A value that is set before its service is added is read from then on; what is set later, devices do not see")
    func valueSetLater() async throws {
        let stand = try await Stand()
        let port = CBMutableCharacteristic(
            type: CBUUID(string: "2A30"), properties: .read, value: nil, permissions: .readable)
        let service = CBMutableService(type: CBUUID(string: "1810"), primary: true)
        service.characteristics = [port]
        port.value = Data([1])
        stand.manager.add(service)
        try await stand.listener.next("added 1810 nil")
        port.value = Data([2])
        #expect(port.value == Data([2]) && port.declared.value == Data([1]) && !port.declared.answering.reads)
        stand.level.value = Data([3])
        #expect(stand.level.declared.value.isEmpty && stand.level.declared.answering.reads)
    }

    @Test("A device reads, writes and subscribes; the app answers and notifies", .covers("C8"))
    func requests() async throws {
        let stand = try await Stand()
        let place = AttributePlace(service: 0, characteristic: 0)
        stand.radio.tell(.connected(Self.device))
        func ask(_ number: Int, _ written: Data?, offset: Int = 0) {
            stand.radio.tell(
                .requested(
                    .init(
                        PeripheralRequest(
                            number: number, place: place, written: written, phone: Self.device, offset: offset,
                            mtu: 185))))
        }
        stand.listener.onRead { request in
            request.value = Data([7])
            return .success
        }
        ask(1, nil)
        try await stand.listener.next("read 2A19 0")
        ask(2, Data([1, 2]))
        try await stand.listener.next("write 2A19 [1, 2]")
        stand.listener.onRead { _ in .insufficientAuthorization }
        ask(3, nil)
        try await stand.listener.next("read 2A19 0")
        let answers = { (number: Int) -> PeripheralAnswer? in
            for case .answer(number, let answer) in stand.radio.peripheralCommands.events { return answer }
            return nil
        }
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the answers") {
            if case .answer(3, _) = $0 { true } else { false }
        }
        #expect(answers(1) == .value(Data([7])) && answers(2) == .written(nil) && answers(3) == .refused(0x08))

        stand.radio.tell(.subscription(true, place))
        try await stand.listener.next("subscribed 2A19 true")
        #expect(stand.level.subscribedCentrals?.count == 1)
        #expect(stand.manager.updateValue(Data([9]), for: stand.level, onSubscribedCentrals: nil))
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the value") {
            $0 == .notify(Data([9]), place)
        }
        stand.radio.tell(.subscription(false, place))
        try await stand.listener.next("subscribed 2A19 false")
        #expect(stand.level.subscribedCentrals == nil)
    }

    @Test("Each device's subscription is reported, and the app may notify one of them alone", .covers("C8"))
    func severalSubscribers() async throws {
        let stand = try await Stand()
        let place = AttributePlace(service: 0, characteristic: 0)
        let other = try #require(DeviceAddress("02:00:00:00:02:B1"))
        for device in [Self.device, other] {
            stand.radio.tell(.connected(device))
            stand.radio.tell(.subscription(true, place, by: device))
            try await stand.listener.next("subscribed 2A19 true")
        }
        let centrals = try #require(stand.level.subscribedCentrals)
        let identifiers = [Self.device, other].map(stand.bench.phone.identifiers.identifier)
        #expect(centrals.map(\.identifier) == identifiers)
        #expect(stand.manager.updateValue(Data([9]), for: stand.level, onSubscribedCentrals: [centrals[1]]))
        #expect(stand.manager.updateValue(Data([8]), for: stand.level, onSubscribedCentrals: nil))
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the second value") {
            $0 == .notify(Data([8]), place)
        }
        #expect(stand.radio.peripheralCommands.events.contains(.notify(Data([9]), place, to: other)))
        #expect(!stand.radio.peripheralCommands.events.contains(.notify(Data([9]), place, to: Self.device)))
        stand.radio.tell(.subscription(false, place, by: Self.device))
        try await stand.listener.next("subscribed 2A19 false")
        #expect(stand.level.subscribedCentrals?.map(\.identifier) == [identifiers[1]])
    }

    @Test("Characteristics that may not be read or written refuse it, whatever the app would say", .covers("C8"))
    func permissions() async throws {
        let stand = try await Stand()
        stand.level.permissions = [.writeable]
        stand.radio.tell(
            .requested(
                .init(
                    PeripheralRequest(
                        number: 5, place: AttributePlace(service: 0, characteristic: 0), written: nil, phone: nil,
                        offset: 0, mtu: 23))))
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the refusal") {
            $0 == .answer(5, .refused(0x02))
        }
    }

    @Test("A device opens a published L2CAP channel, and bytes go both ways", .covers("C9"))
    func channel() async throws {
        let stand = try await Stand()
        stand.manager.publishL2CAPChannel(withEncryption: true)
        try await stand.listener.next("published 129 nil")
        #expect(
            stand.radio.publishedChannels.events == [PeripheralChannel(port: nil, protection: .encrypted)])
        stand.radio.tell(.channelOpened(4, port: InMemoryRadio.publishedPort, mtu: 50))
        try await stand.listener.next("opened 129 nil")
        let channel = try #require(stand.listener.channel)
        let (input, output) = (try #require(channel.inputStream), try #require(channel.outputStream))
        let events = EventLog<UInt>()
        let delegate = StreamListener(events)
        input.delegate = delegate
        input.schedule(in: .main, forMode: .default)
        input.open()
        output.open()
        stand.radio.tell(.received(Data([1, 2]), channel: 4))
        var buffer = [UInt8](repeating: 0, count: 9)
        try await events.wait(for: "bytes") { input.hasBytesAvailable }
        withExtendedLifetime(delegate) {}
        #expect(input.read(&buffer, maxLength: 9) == 2 && buffer.prefix(2) == [1, 2])
        #expect(output.write([5, 6], maxLength: 2) == 2)
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the packet") {
            $0 == .sendOnChannel(4, Data([5, 6]))
        }
    }

    @Test("Bluetooth that is off is told, and nothing is published then", .covers("C8"))
    func power() async throws {
        let stand = try await Stand()
        try await stand.radio.setBluetoothPower(false)
        try await stand.listener.next("state 4")
        stand.manager.startAdvertising(nil)
        #expect(!stand.manager.isAdvertising)
        #expect(stand.bench.phone.warnings.contains { $0.text.contains("powered on state") })
    }

    @Test("A service of the system's own is refused, and the app's other services stay", .covers("C22"))
    func systemServices() async throws {
        let stand = try await Stand()
        for uuid in ["1800", "1805", "180A", "180F", "1812", "7905F431-B5CE-4E99-A40F-4B1E122D00D0"] {
            stand.manager.add(CBMutableService(type: CBUUID(string: uuid), primary: true))
            try await stand.listener.next("added \(uuid) \(CBError(.uuidNotAllowed))")
        }
        #expect(stand.published == ["180D"])
        stand.manager.add(CBMutableService(type: CBUUID(string: "1810"), primary: true))
        try await stand.listener.next("added 1810 nil")
        #expect(stand.published == ["180D", "1810"])
    }

    @Test("What the radio refuses has its code, and a refused service is not published later", .covers("C8"))
    func errorCodes() async throws {
        let stand = try await Stand()
        let refused: [(RadioError, CBError.Code)] = [
            (.invalid("the table is full"), .invalidParameters), (.unsupported("peripherals"), .operationNotSupported),
            (.bluetoothOff, .operationCancelled), (.notConnected, .notConnected),
        ]
        for (error, code) in refused {
            stand.radio.refusePublishing(error)
            stand.manager.add(CBMutableService(type: CBUUID(string: "1810"), primary: true))
            try await stand.listener.next("added 1810 \(CBError(code))")
            stand.manager.startAdvertising(nil)
            try await stand.listener.next("advertising \(CBError(code))")
            #expect(!stand.manager.isAdvertising)
            stand.manager.publishL2CAPChannel(withEncryption: false)
            try await stand.listener.next("published 0 \(CBError(code))")
        }
        stand.radio.refusePublishing(nil)
        stand.manager.add(CBMutableService(type: CBUUID(string: "1816"), primary: true))
        try await stand.listener.next("added 1816 nil")
        #expect(stand.published == ["180D", "1816"])
    }

    @Test("Of two managers each has its services, and only the first that advertises is on the air", .covers("C22"))
    func twoManagers() async throws {
        let stand = try await Stand()
        let listener = ManagerListener()
        let other = stand.bench.phone.asCurrent { CBPeripheralManager(delegate: listener, queue: listener.queue) }
        try await listener.next("state 5")
        other.add(CBMutableService(type: CBUUID(string: "1810"), primary: true))
        try await listener.next("added 1810 nil")
        #expect(stand.published == ["180D", "1810"])
        stand.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "one"])
        try await stand.listener.next("advertising nil")
        other.startAdvertising([CBAdvertisementDataLocalNameKey: "two"])
        try await listener.next("advertising nil")
        #expect(stand.manager.isAdvertising && other.isAdvertising)
        #expect(stand.advertised == ["one"])
        #expect(stand.bench.phone.warnings.map(\.rule) == ["C22"])
        // Bluetooth that is off pauses both.
        try await stand.radio.setBluetoothPower(false)
        try await stand.listener.next("state 4")
        try await stand.radio.setBluetoothPower(true)
        try await stand.listener.next("state 5")
        stand.manager.stopAdvertising()
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "the second content") {
            $0 == .advertise(PeripheralAdvertising(name: "two", serviceUUIDs: []))
        }
        #expect(stand.advertised == ["one", "one", "two"] && !stand.manager.isAdvertising)
        other.removeAllServices()
        _ = try await stand.radio.peripheralCommands.first(within: .seconds(300), waitingFor: "its services to go") {
            if case .replaceServices(let services) = $0 { services.count == 1 } else { false }
        }
        #expect(stand.published == ["180D"])
    }

    @Test("For an app with AccessorySetupKit the state is unauthorized, unless the policy differs", .covers("C22"))
    func accessorySetup() async throws {
        let bench = try await Bench()
        let listener = ManagerListener()
        let refused = bench.phone.asCurrent { CBPeripheralManager(delegate: listener, queue: listener.queue) }
        try await listener.next("state 3")
        refused.add(CBMutableService(type: CBUUID(string: "1810"), primary: true))
        refused.startAdvertising(nil)
        #expect(!refused.isAdvertising)
        #expect(bench.phone.warnings.contains { $0.rule == "C22" && $0.text.contains("AccessorySetupKit") })
        bench.phone.policy.accessorySetupAppsPublish = true
        let allowed = bench.phone.asCurrent { CBPeripheralManager(delegate: listener, queue: listener.queue) }
        try await listener.next("state 5")
        #expect(allowed.state == .poweredOn && bench.radio.peripheralCommands.events.isEmpty)
    }
}

/// A delegate that writes each callback of a peripheral manager as one line of a log.
private final class ManagerListener: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    // Unchecked because of the channel, which the queue writes before a test reads it.
    let queue = DispatchQueue(label: "manager listener")
    private let received = EventLog<String>()
    private let position = Mutex(0)
    private let reader = Mutex<@Sendable (CBATTRequest) -> CBATTError.Code>({ _ in .success })
    private(set) var channel: CBL2CAPChannel?

    func onRead(_ answer: @escaping @Sendable (CBATTRequest) -> CBATTError.Code) { reader.withLock { $0 = answer } }

    func next(_ line: String) async throws {
        let found = try await received.first(
            from: position.withLock { $0 }, within: .seconds(300),
            waitingFor: "“\(line)” after \(received.events.suffix(8))"
        ) { $0 == line }
        position.withLock { $0 = found.next }
    }

    private func record(_ line: String, _ error: (any Error)?) {
        received.append("\(line) \(error.map { "\($0)" } ?? "nil")")
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        received.append("state \(peripheral.state.rawValue)")
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        record("advertising", error)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        record("added \(service.uuid)", error)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { received.append("subscribed \(characteristic.uuid) true") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) { received.append("subscribed \(characteristic.uuid) false") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let result = reader.withLock { $0 }(request)
        peripheral.respond(to: request, withResult: result)
        received.append("read \(request.characteristic.uuid) \(request.offset)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests {
            received.append("write \(request.characteristic.uuid) \(request.value.map(Array.init) ?? [])")
        }
        peripheral.respond(to: requests[0], withResult: .success)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { record("published \(PSM)", error) }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        self.channel = channel
        record("opened \(channel?.psm ?? 0)", error)
    }
}
