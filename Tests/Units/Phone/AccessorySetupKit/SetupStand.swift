import AccessorySetupKit
import HILPhone
import HILTiming
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

/// The dice app of these tests, with the bundle of `Fixtures/DiceApp`.
final class DiceTestApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
}

/// Another app for the same accessories.
final class OtherTestApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.other", folder: fixture("DiceApp"))
}

/// A phone with a manual clock and the dice app on it, and a log of what the app receives.
final class SetupStand: Sendable {
    static var service: CBUUID { CBUUID(string: "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47") }
    static let seven = DeviceAddress("9C:5A:81:00:00:07")!

    let radio = InMemoryRadio()
    let clock = ManualClock()
    let phone: Phone
    let queue = DispatchQueue(label: "app")
    /// The sessions, kept as an app would keep them: a released session is invalidated.
    private let sessions = Mutex<[ASAccessorySession]>([])
    /// The events and completions that the app has received, in order, as text. See ``text(_:)``.
    let received = EventLog<String>()

    init() async throws {
        phone = Phone(radio: radio, clock: clock)
        _ = try await phone.launch(DiceTestApp.self)
    }

    /// Puts a die within reach.
    func addDie(
        _ name: String = "Die 7", _ address: DeviceAddress = seven, pairing: InMemoryRadio.Device.Pairing = .justWorks
    ) {
        let uuid = BluetoothUUID(bytes: SetupStand.service.data)!
        let advertisement = Advertisement(address: address, name: name, serviceUUIDs: [uuid], rssi: -50)
        radio.add(InMemoryRadio.Device(advertisement, pairing: pairing))
    }

    /// Makes and activates a session of the running app.
    func session() -> ASAccessorySession {
        let session = phone.asCurrent { ASAccessorySession() }
        session.activate(on: queue) { [received, queue] event in
            dispatchPrecondition(condition: .onQueue(queue))
            received.append(SetupStand.text(event))
        }
        sessions.withLock { $0.append(session) }
        return session
    }

    /// Puts an open Wi-Fi network within reach.
    func addNetwork(_ ssid: String) {
        radio.add(
            InMemoryRadio.Network(
                WiFiNetwork(ssid: ssid, bssid: SetupStand.seven, frequency: 2412, signal: -40, security: .open)))
    }

    /// The picture of the dice app.
    func picture() throws -> UIImage { try #require(phone.asCurrent { UIImage(named: "die") }) }

    /// A display item that matches networks by a prefix of their name.
    func wifiItem(prefix: String, setup: ASPickerDisplayItem.SetupOptions = []) throws -> ASPickerDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.ssidPrefix = prefix
        let item = ASPickerDisplayItem(name: "Wi-Fi Die", productImage: try picture(), descriptor: descriptor)
        item.setupOptions = setup
        return item
    }

    /// Sets up a die for the running app. Returns the session and the accessory.
    func authorized(_ items: [ASPickerDisplayItem]? = nil) async throws -> (ASAccessorySession, ASAccessory) {
        let session = session()
        let start = received.count
        try show(session, items ?? [item()])
        _ = try await received.first(from: start, within: .seconds(300), waitingFor: "done") { $0 == "done" }
        return (session, try #require(session.accessories.last))
    }

    /// Waits for the line `last` at or after a position of the log. Returns the lines from that position up to it.
    func received(from start: Int, until last: String) async throws -> [String] {
        let next = try await received.first(from: start, within: .seconds(300), waitingFor: last) { $0 == last }.next
        return Array(received.events[start..<next])
    }

    /// The display item of the app for a die.
    func item(
        supports: ASAccessory.SupportOptions = [], ssid: String? = nil, setup: ASPickerDisplayItem.SetupOptions = []
    ) throws -> ASPickerDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = SetupStand.service
        descriptor.bluetoothNameSubstring = "Die"
        descriptor.supportedOptions = supports
        descriptor.ssid = ssid
        let image = try #require(phone.asCurrent { UIImage(named: "die") })
        let item = ASPickerDisplayItem(name: "Bluetooth Die", productImage: image, descriptor: descriptor)
        item.setupOptions = setup
        return item
    }

    /// Shows a picker. Its completion is logged as `done` or as the error's code.
    func show(_ session: ASAccessorySession, _ items: [ASPickerDisplayItem]) {
        session.showPicker(for: items) { [received] error in received.append(SetupStand.text(error)) }
    }

    /// Waits for the line `last`, at most 10 seconds. Returns all lines up to it.
    func received(until last: String) async throws -> [String] {
        let next = try await received.first(within: .seconds(300), waitingFor: last) { $0 == last }.next
        return Array(received.events.prefix(next))
    }

    /// Waits until a screen of that kind is shown, at most 10 seconds.
    func screen(_ kind: Screen.Kind, where matches: @escaping @Sendable (Screen) -> Bool = { _ in true }) async throws {
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the screen \(kind)") { event in
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
