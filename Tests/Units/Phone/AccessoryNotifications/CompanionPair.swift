import AccessoryNotifications
import AccessorySetupKit
import AccessoryTransportExtension
import DiceApp
import DieProgram
import DieProtocol
import HILPhone
import HILTiming
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

/// The notification part of the companion app: its three extensions, with the property lists of `Fixtures/DiceApp`.
final class NotifyingApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
    static var extensions: [Any.Type] { [DiceDataProvider.self, DiceTransportSecurity.self, PatientTransport.self] }
}

/// The app's transport with much time for receipts: what is lost must be found without the end of that time, and the
/// machine may be busy with other tests.
struct PatientTransport: AccessoryTransportAppExtension {
    init() {}

    @AppExtensionPoint.Bind
    static var boundExtensionPoint: AppExtensionPoint { Identifier("com.apple.accessory-transport-extension") }

    func accept(sessionRequest: AccessoryTransportSession.Request) -> AccessoryTransportSession.Request.Decision {
        DiceTransport(receiptLimit: 120).accept(sessionRequest: sessionRequest)
    }
}

/// An accessory's logic: it handles the phone's values and returns its outputs.
protocol AccessoryEnd: Sendable {
    mutating func written(_ value: Data, to characteristic: DieGATT.Characteristic, mtu: Int) -> [DieLogic.Output]
    /// Sends a message to the data provider.
    mutating func send(_ plaintext: Data) -> [DieLogic.Output]
    /// Carries out an action of a person on the accessory.
    mutating func perform(_ command: DieCommand) throws(RadioError) -> [DieLogic.Output]
    /// Handles a message that came over the accessory's network.
    mutating func received(_ message: Data, connection: Int) -> [DieLogic.Output]
    /// Handles an event of the relay.
    mutating func relayed(_ input: DieLogic.Input) -> [DieLogic.Output]
}

extension AccessoryEnd {
    mutating func send(_ plaintext: Data) -> [DieLogic.Output] { [] }
    mutating func perform(_ command: DieCommand) throws(RadioError) -> [DieLogic.Output] { [] }
    mutating func received(_ message: Data, connection: Int) -> [DieLogic.Output] { [] }
    mutating func relayed(_ input: DieLogic.Input) -> [DieLogic.Output] { [] }
}

extension DieLogic: AccessoryEnd {
    mutating func written(_ value: Data, to characteristic: DieGATT.Characteristic, mtu: Int) -> [Output] {
        take(.written(characteristic, value, mtu: mtu))
    }

    mutating func send(_ plaintext: Data) -> [Output] { send(toDataProvider: plaintext) }

    mutating func received(_ message: Data, connection: Int) -> [Output] {
        take(.message(message, connection: connection))
    }

    mutating func relayed(_ input: Input) -> [Output] { take(input) }
}

/// A phone with the companion app, and the logic of an accessory on an in-memory radio.
final class Pair: Sendable {
    static let address = DeviceAddress("9C:5A:81:00:00:07")!

    let radio = InMemoryRadio()
    let phone: Phone
    let mtu: Int
    /// The events of the die, in order.
    let told = EventLog<DieEvent>()
    /// Every value that was sent over the air, in both directions.
    let air = Mutex<[Data]>([])
    /// Called with each value that is sent over Bluetooth. Returns false to lose it.
    let carries = Mutex<@Sendable (DieGATT.Characteristic, Data) -> Bool>({ _, _ in true })
    private let accessory: Mutex<any AccessoryEnd>
    private let streams = Mutex<[InMemoryStream]>([])
    /// The simulated internet.
    let internet = InMemoryInternet()

    init(mtu: Int = 185, accessory: any AccessoryEnd = DieLogic()) async throws {
        self.mtu = mtu
        self.accessory = Mutex(accessory)
        phone = Phone(radio: radio)
        // As above: no limit of the phone's ends a wait.
        (phone.policy.extensionAnswerLimit, phone.policy.keyExchangeLimit) = (.seconds(240), .seconds(240))
        _ = try await phone.launch(NotifyingApp.self)
        powerOn()
        let record = AccessoryRecord(
            displayName: "Die 7", bluetoothIdentifier: phone.identifiers.identifier(of: Self.address),
            descriptor: DiscoveryDescriptor())
        phone.store.set(record, for: NotifyingApp.bundle.identifier)
        internet.onDie { [weak self] input in
            guard let self else { return }
            self.accessory.withLock { carryOut($0.relayed(input)) }
        }
    }

    /// Puts the die within reach of the radio, with the services that its board would offer.
    func powerOn() {
        let characteristics = DieGATT.characteristics.enumerated().map { index, characteristic in
            GATTCharacteristic(
                uuid: BluetoothUUID(characteristic.uuid)!, id: CharacteristicID(handle: UInt16(10 + index)),
                properties: .init(rawValue: 0x1E))
        }
        let service = BluetoothUUID(DieGATT.service)!
        radio.add(
            InMemoryRadio.Device(
                Advertisement(address: Self.address, name: "Die 7", serviceUUIDs: [service], rssi: -50),
                services: [GATTService(uuid: service, handle: 9, isPrimary: true, characteristics: characteristics)],
                mtu: mtu
            ) { [weak self] id, value in self?.written(value, to: DieGATT.characteristics[Int(id.handle) - 10]) })
    }

    /// Replaces the accessory's logic by another one without keys, as after a restart.
    func replaceAccessory(by other: any AccessoryEnd) {
        accessory.withLock { $0 = other }
    }

    /// The accessory sends a message to the data provider.
    func accessorySends(_ text: String) {
        accessory.withLock { carryOut($0.send(Data(text.utf8))) }
    }

    /// A person uses the die.
    func perform(_ command: DieCommand) throws {
        try accessory.withLock { carryOut(try $0.perform(command)) }
    }

    /// The alerts of the die so far.
    var alerts: [DieAlert] { told.events.compactMap { if case .alerted(let alert) = $0 { alert } else { nil } } }

    private func written(_ value: Data, to characteristic: DieGATT.Characteristic) {
        air.withLock { $0.append(value) }
        guard carries.withLock({ $0 })(characteristic, value) else { return }
        // The lock is held while the answers are sent, so that they stay in order.
        accessory.withLock { carryOut($0.written(value, to: characteristic, mtu: mtu)) }
    }

    private func carryOut(_ outputs: [DieLogic.Output]) {
        for output in outputs {
            switch output {
            case .notify(let characteristic, let value):
                air.withLock { $0.append(value) }
                guard carries.withLock({ $0 })(characteristic, value) else { continue }
                let index = DieGATT.characteristics.firstIndex(of: characteristic)!
                radio.notify(value, from: CharacteristicID(handle: UInt16(10 + index)), of: Self.address)
            case .send(let message, let connection):
                guard let bytes = try? DieMessageService.frame(message) else { continue }
                air.withLock { $0.append(bytes) }
                streams.withLock { $0[connection] }.deliver(bytes)
            case .attend(let mailbox, _): internet.attend(mailbox)
            case .relay(let message): internet.send(message)
            case .tell(let event): told.append(event)
            default: break
            }
        }
    }

    /// Adds the accessory's network with its message service, and joins it with the phone.
    func joinNetwork() async throws {
        radio.add(
            InMemoryRadio.Network(
                WiFiNetwork(ssid: "Die 7", bssid: Self.address, frequency: 2412, signal: -40, security: .open),
                onStream: { [weak self] in self?.serve($0) }))
        await join("Die 7")
    }

    /// Adds a home network with internet access, and joins it with the phone.
    func joinHome() async throws {
        let bssid = try #require(DeviceAddress("9C:5A:81:00:00:08"))
        radio.add(
            InMemoryRadio.Network(
                WiFiNetwork(ssid: "Home", bssid: bssid, frequency: 2412, signal: -40, security: .open),
                internet: (DieRelay.host, { [internet] in internet.accept($0) })))
        await join("Home")
    }

    /// Removes the home network. Returns when the phone has no network.
    func leaveHome() async throws {
        let changes = EventLog<Bool>()
        let watch = phone.network.watchLink { [network = phone.network] in changes.append(network.link == nil) }
        radio.removeNetwork(ssid: "Home")
        _ = try await changes.first(within: .seconds(300), waitingFor: "the phone to lose the network") { $0 }
        withExtendedLifetime(watch) {}
    }

    private func join(_ ssid: String) async {
        let (network, request) = (phone.network, HotspotRequest(name: .exact(ssid)))
        let failure = await withCheckedContinuation { (answer: CheckedContinuation<HotspotFailure?, Never>) in
            network.apply(request) { answer.resume(returning: $0) }
        }
        #expect(failure == nil)
    }

    private func serve(_ stream: InMemoryStream) {
        let number = streams.withLock { streams in
            streams.append(stream)
            return streams.count - 1
        }
        let reader = Mutex(DieMessageService.Reader())
        stream.onSend { [weak self] bytes, _ in
            guard let self else { return }
            air.withLock { $0.append(bytes) }
            for message in (try? reader.withLock { try $0.push(bytes) }) ?? [] {
                accessory.withLock { carryOut($0.received(message, connection: number)) }
            }
        }
    }

    /// Loses some of the next deliveries over Bluetooth, counted from 1. Each delivery must fit into one segment.
    func loseDeliveries(_ lost: ClosedRange<Int>) {
        let count = Mutex(0)
        carries.withLock { carries in
            carries = { characteristic, value in
                // The seventh byte of a first segment is the kind of the message; 16 is a delivery.
                guard characteristic == DieGATT.notifications, value.count > 6, value[value.startIndex + 6] == 16 else {
                    return true
                }
                return count.withLock { count in
                    count += 1
                    return !lost.contains(count)
                }
            }
        }
    }

    /// The attempt with which each of the first `count` messages was delivered, in the order of delivery.
    func attempts(_ count: Int) async throws -> [Int] {
        var (attempts, place) = ([Int](), 0)
        while attempts.count < count {
            let next = try await phone.notifications.events.first(
                from: place, within: .seconds(300), waitingFor: "\(count) messages"
            ) { if case .delivered = $0.kind { true } else { false } }
            place = next.next
            if case .delivered(_, let attempt, _) = next.event.kind { attempts.append(attempt) }
        }
        return attempts
    }

    /// The app asks for forwarding, and the person answers.
    func requestForwarding(_ choice: PersonAction.ForwardingChoice = .all) async throws -> ForwardingDecision {
        phone.person.will(.allowForwarding(choice))
        let center = AccessoryNotificationCenter()
        let accessory = try await accessory()
        return try await phone.asCurrent { try await center.requestForwarding(for: accessory) }
    }

    func accessory() async throws -> ASAccessory {
        let session = phone.asCurrent { ASAccessorySession() }
        let activated = EventLog<Bool>()
        session.activate(on: DispatchQueue(label: "test")) { event in
            if event.eventType == .activated { activated.append(true) }
        }
        _ = try await activated.first(within: .seconds(300), waitingFor: "activation")
        return try #require(session.accessories.first)
    }

    /// Waits until the die's screen matches. Returns the screen. In vain, it tells what happened instead.
    func screen(
        from start: Int = 0, where matches: @escaping @Sendable ([ShownNotification]) -> Bool
    ) async throws -> [ShownNotification] {
        let event = try await tellingAll {
            try await told.first(from: start, within: .seconds(100), waitingFor: "the die's screen") { event in
                if case .screen(let shown) = event { matches(shown) } else { false }
            }.event
        }
        guard case .screen(let shown) = event else { return [] }
        return shown
    }

    /// Waits for something. In vain, the record of the test has all that phone and die told.
    func tellingAll<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as TimedOut {
            let (forwarding, radio) = (phone.notifications.events.events.map(\.kind), phone.log.events.map(\.kind))
            Issue.record("\(error): the forwarding told \(forwarding), the die \(told.events), the phone \(radio)")
            throw error
        }
    }
}
