import AccessoryNotifications
import AccessorySetupKit
import BoardProtocol
import DiceApp
import DieProtocol
import HostRadio
import Phone
import RadioModel
import ReferenceAccessory
import RuleCoverage
import Synchronization
import Testing
import Timing

/// The companion app as far as notifications go: its three extensions, under the fixture's property lists.
private final class NotifyingApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
    static var extensions: [Any.Type] { [DiceDataProvider.self, DiceTransportSecurity.self, DiceTransport.self] }
}

/// A folder of `Fixtures/`.
func fixture(_ name: String) -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return tests.appendingPathComponent("../../Fixtures/\(name)").standardized.path
}

/// A phone with the companion app, and the reference die's logic on an in-memory radio.
private final class Pair: Sendable {
    static let address = DeviceAddress("9C:5A:81:00:00:07")!

    let radio = InMemoryRadio()
    let phone: Phone
    let mtu: Int
    /// What the die told.
    let told = EventLog<DieEvent>()
    /// Every value that crossed the air in either direction.
    let air = Mutex<[Data]>([])
    private let die = Mutex(Die())

    init(mtu: Int = 185) async throws {
        self.mtu = mtu
        phone = Phone(radio: radio)
        _ = try await phone.launch(NotifyingApp.self)
        powerOn()
        let record = AccessoryRecord(
            displayName: "Die 7", bluetoothIdentifier: phone.identifiers.identifier(of: Self.address),
            descriptor: DiscoveryDescriptor())
        phone.store.set(record, for: NotifyingApp.bundle.identifier)
    }

    /// Puts the die on the air, where it answers writes as its board would.
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

    /// The die forgets everything, as after a restart without its keys.
    func restartDie() {
        die.withLock { $0 = Die() }
    }

    private func written(_ value: Data, to characteristic: DieGATT.Characteristic) {
        air.withLock { $0.append(value) }
        // The lock is held while the answers leave, so that they keep their order.
        die.withLock { die in
            for output in die.take(.written(characteristic, value, mtu: mtu)) {
                switch output {
                case .notify(let characteristic, let value):
                    air.withLock { $0.append(value) }
                    let index = DieGATT.characteristics.firstIndex(of: characteristic)!
                    radio.notify(value, from: CharacteristicID(handle: UInt16(10 + index)), of: Self.address)
                case .tell(let event): told.append(event)
                default: break
                }
            }
        }
    }

    /// Has the app ask, and the person answer.
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
        _ = try await activated.first(within: .seconds(10), waitingFor: "activation")
        return try #require(session.accessories.first)
    }

    /// The screen once it shows this many notifications; the limit only ends a test that hangs.
    func screen(
        from start: Int = 0, where matches: @escaping @Sendable ([ShownNotification]) -> Bool
    ) async throws -> [ShownNotification] {
        let event = try await told.first(from: start, within: .seconds(20), waitingFor: "the die's screen") { event in
            if case .screen(let shown) = event { matches(shown) } else { false }
        }.event
        guard case .screen(let shown) = event else { return [] }
        return shown
    }
}

@Suite struct CompanionAppTests {
    private static let secrets = ["Kim from the chat", "Family and friends", "Dinner at eight, bring the dice?"]

    private func notification(_ identifier: String = "1", body: String = secrets[2]) -> PhoneNotification {
        PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: Self.secrets[0], subtitle: Self.secrets[1],
            body: body)
    }

    @Test(
        "What is posted is shown unchanged, and is nowhere on the air", .covers("N1", "S2", "S4", "S6", "T4"),
        arguments: [23, 185, 517])
    func wholePath(mtu: Int) async throws {
        let pair = try await Pair(mtu: mtu)
        #expect(try await pair.requestForwarding() == .allow)
        pair.phone.notifications.post(notification())
        let shown = try await pair.screen { $0.count == 1 }
        #expect(
            shown == [
                ShownNotification(
                    identifier: "1", title: Self.secrets[0], subtitle: Self.secrets[1], body: Self.secrets[2])
            ])
        #expect(pair.told.events.contains(.keysExchanged(cipherSuite: "XWing")))
        let air = pair.air.withLock { $0 }
        #expect(air.allSatisfy { $0.count <= mtu - 3 })
        let carried = air.reduce(Data()) { $0 + $1.dropFirst(2) }
        let identifier = pair.phone.identifiers.identifier(of: Pair.address).uuidString
        #expect(carried.firstRange(of: Data(identifier.utf8)) != nil, "what crosses in the clear is found")
        for secret in Self.secrets {
            for part in secret.split(separator: " ") where part.count > 3 {
                #expect(carried.firstRange(of: Data(part.utf8)) == nil, "“\(part)” crossed the air")
            }
        }
    }

    @Test("The largest notification arrives whole", .covers("T4"))
    func largest() async throws {
        let pair = try await Pair(mtu: 517)
        _ = try await pair.requestForwarding()
        let body = String(repeating: "die ", count: (GATTFraming.maximumContentLength - 200) / 4)
        pair.phone.notifications.post(notification(body: body))
        #expect(try await pair.screen { $0.count == 1 }.first?.body == body)
    }

    @Test("The die's screen ends as the phone's notification centre", .covers("N3"))
    func sameScreen() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        let centre = pair.phone.notifications
        for identifier in ["1", "2", "3"] { centre.post(notification(identifier)) }
        centre.update(notification("2", body: "changed"))
        centre.remove(notification("1").identifier)
        let shown = try await pair.screen { $0.map(\.identifier) == ["2", "3"] && $0[0].body == "changed" }
        #expect(shown.map(\.identifier) == centre.posted.map(\.identifier.notificationIdentifier))
        centre.removeAll()
        _ = try await pair.screen(from: pair.told.count - 1) { $0.isEmpty }
    }

    @Test("Only apps that the person allowed are forwarded; the answer is remembered", .covers("N1", "N2"))
    func limited() async throws {
        let pair = try await Pair()
        let center = AccessoryNotificationCenter()
        let accessory = try await pair.accessory()
        func status() async throws -> ForwardingDecision {
            try await pair.phone.asCurrent { try await center.forwardingStatus(for: accessory) }
        }
        #expect(try await status() == .undetermined)
        #expect(try await pair.requestForwarding(.only(["com.example.mail"])) == .limited)
        #expect(try await status() == .limited)
        pair.phone.notifications.post(notification())
        pair.phone.notifications.post(PhoneNotification(app: "com.example.mail", identifier: "m", title: "Lee"))
        #expect(try await pair.screen { !$0.isEmpty }.map(\.identifier) == ["m"])
        #expect(try await pair.requestForwarding(.none) == .deny)
        #expect(try await status() == .deny)
    }

    @Test("A die that lost its keys gets new ones, and the notification arrives once", .covers("S5"))
    func keysLost() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("1"))
        _ = try await pair.screen { $0.count == 1 }
        let before = pair.told.count
        pair.restartDie()
        pair.phone.notifications.post(notification("2"))
        #expect(try await pair.screen(from: before) { !$0.isEmpty }.map(\.identifier) == ["2"])
        let later = pair.told.events.dropFirst(before)
        #expect(later.filter { if case .screen = $0 { true } else { false } }.count == 1)
    }

    @Test("A link that is lost and comes back: the notification posted meanwhile arrives")
    func linkLost() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("1"))
        _ = try await pair.screen { $0.count == 1 }
        pair.radio.remove(Pair.address)
        pair.phone.notifications.post(notification("2"))
        pair.powerOn()
        _ = try await pair.screen { $0.count == 2 }
    }
}
