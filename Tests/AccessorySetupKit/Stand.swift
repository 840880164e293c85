import AccessorySetupKit
import HostRadio
import Phone
import RadioModel
import Synchronization
import Testing
import Timing

/// The dice app of these tests: its bundle is the fixture.
final class DiceTestApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
}

/// Another team's app for the same accessories.
final class OtherTestApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.other", folder: fixture("DiceApp"))
}

/// A folder of `Fixtures/`.
func fixture(_ name: String) -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return tests.appendingPathComponent("../../Fixtures/\(name)").standardized.path
}

/// A phone with a clock that stands, the dice app on it, and what its session tells.
final class Stand: Sendable {
    static let service = CBUUID(string: "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")
    static let seven = DeviceAddress("9C:5A:81:00:00:07")!

    let radio = InMemoryRadio()
    let clock = ManualClock()
    let phone: Phone
    let queue = DispatchQueue(label: "app")
    /// An app keeps its sessions; one that is let go of is invalidated.
    private let sessions = Mutex<[ASAccessorySession]>([])
    /// What the session told and completed, in order, as text.
    let told = EventLog<String>()

    init() async throws {
        phone = Phone(radio: radio, clock: clock)
        _ = try await phone.launch(DiceTestApp.self)
    }

    /// Puts a die within reach.
    func addDie(
        _ name: String = "Die 7", _ address: DeviceAddress = seven, pairing: InMemoryRadio.Device.Pairing = .justWorks
    ) {
        let uuid = BluetoothUUID(bytes: Stand.service.data)!
        let advertisement = Advertisement(address: address, name: name, serviceUUIDs: [uuid], rssi: -50)
        radio.add(InMemoryRadio.Device(advertisement, pairing: pairing))
    }

    /// A session of the running app, activated.
    func session() -> ASAccessorySession {
        let session = phone.asCurrent { ASAccessorySession() }
        session.activate(on: queue) { [told, queue] event in
            dispatchPrecondition(condition: .onQueue(queue))
            told.append(Stand.text(event))
        }
        sessions.withLock { $0.append(session) }
        return session
    }

    /// Puts a network within reach.
    func addNetwork(_ ssid: String) {
        radio.add(
            InMemoryRadio.Network(
                WiFiNetwork(ssid: ssid, bssid: Stand.seven, frequency: 2412, signal: -40, security: .open)))
    }

    /// The picture of the dice app.
    func picture() throws -> UIImage { try #require(phone.asCurrent { UIImage(named: "die") }) }

    /// An item that is found by Wi-Fi alone.
    func wifiItem(prefix: String, setup: ASPickerDisplayItem.SetupOptions = []) throws -> ASPickerDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.ssidPrefix = prefix
        let item = ASPickerDisplayItem(name: "Wi-Fi Die", productImage: try picture(), descriptor: descriptor)
        item.setupOptions = setup
        return item
    }

    /// Sets a die up for the app that runs, and gives its session and the accessory.
    func authorized(_ items: [ASPickerDisplayItem]? = nil) async throws -> (ASAccessorySession, ASAccessory) {
        let session = session()
        let place = told.count
        try show(session, items ?? [item()])
        _ = try await told.first(from: place, within: .seconds(10), waitingFor: "done") { $0 == "done" }
        return (session, try #require(session.accessories.last))
    }

    /// What is told from a place in the log on, once `last` is among it.
    func told(from place: Int, until last: String) async throws -> [String] {
        let next = try await told.first(from: place, within: .seconds(10), waitingFor: last) { $0 == last }.next
        return Array(told.events[place..<next])
    }

    /// What the app offers.
    func item(
        supports: ASAccessory.SupportOptions = [], ssid: String? = nil, setup: ASPickerDisplayItem.SetupOptions = []
    ) throws -> ASPickerDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = Stand.service
        descriptor.bluetoothNameSubstring = "Die"
        descriptor.supportedOptions = supports
        descriptor.ssid = ssid
        let image = try #require(phone.asCurrent { UIImage(named: "die") })
        let item = ASPickerDisplayItem(name: "Bluetooth Die", productImage: image, descriptor: descriptor)
        item.setupOptions = setup
        return item
    }

    /// Shows a picker; its completion is told as `done` or as the error's code.
    func show(_ session: ASAccessorySession, _ items: [ASPickerDisplayItem]) {
        session.showPicker(for: items) { [told] error in told.append(Stand.text(error)) }
    }

    /// Everything that was told once `last` has been told; the limit only ends a test that hangs.
    func told(until last: String) async throws -> [String] {
        let next = try await told.first(within: .seconds(10), waitingFor: last) { $0 == last }.next
        return Array(told.events.prefix(next))
    }

    /// The screen of that kind, once it is shown.
    func screen(_ kind: Screen.Kind, where matches: @escaping @Sendable (Screen) -> Bool = { _ in true }) async throws {
        _ = try await phone.log.first(within: .seconds(10), waitingFor: "the screen \(kind)") { event in
            if case .screen(let screen?) = event.kind { screen.kind == kind && matches(screen) } else { false }
        }
    }

    static func text(_ error: (any Error)?) -> String {
        switch error {
        case nil: "done"
        case let error as ASError: "\(error.code)"
        case let error?: "\(error)"
        }
    }

    private static func text(_ event: ASAccessoryEvent) -> String {
        let parts = ["\(event.eventType)", event.accessory?.displayName, event.error.map(text)]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
