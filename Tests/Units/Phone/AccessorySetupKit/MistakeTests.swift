import AccessorySetupKit
import CoreBluetooth
import HILPhone
import HILTiming
import RadioModel
import TestSupport
import Testing

/// Common mistakes from the guide to AccessorySetupKit that the phone detects while the app runs.
@Suite(.timeLimit(.minutes(1))) struct MistakeTests {
    @Test(
        "Using a session before activation, or activating it twice, gives a warning that says what to call",
        .covers("K16"))
    func activation() async throws {
        let stand = try await SetupStand()
        let early = stand.phone.asCurrent { ASAccessorySession() }
        try stand.show(early, [stand.item()])
        #expect(stand.phone.warnings.map(\.rule) == ["K16"])
        #expect(stand.phone.warnings[0].text.contains("activate(on:eventHandler:)"))
        early.activate(on: stand.queue) { _ in }
        early.activate(on: stand.queue) { _ in }
        #expect(stand.phone.warnings.map(\.rule) == ["K16", "K16"])
    }

    @Test("Using a session after its end gives a warning that says to make a new one", .covers("K8"))
    func invalidated() async throws {
        let stand = try await SetupStand()
        let session = stand.session()
        session.invalidate()
        try stand.show(session, [stand.item()])
        #expect(try await stand.received(until: "invalidated").contains("activated"))
        #expect(stand.phone.warnings.map(\.rule) == ["K8"])
        #expect(stand.phone.warnings[0].text.contains("make a new one"))
    }

    /// Writes the states of a central manager to a log.
    private final class Delegate: NSObject, CBCentralManagerDelegate {
        let states = EventLog<CBManagerState>()

        func centralManagerDidUpdateState(_ central: CBCentralManager) { states.append(central.state) }
    }

    @Test("Connecting to an accessory after its removal gives a warning", .covers("A5"))
    func connectAfterRemoval() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        let session = stand.session()
        let done = EventLog<Bool>()
        for (count, name) in ["Die 7", "Die 8"].enumerated() {
            stand.phone.person.will(.pick(name))
            session.showPicker(for: [try stand.item()]) { done.append($0 == nil) }
            _ = try await done.first(from: count, within: .seconds(300), waitingFor: "the picker's end")
        }
        let delegate = Delegate()
        let central = stand.phone.asCurrent { CBCentralManager(delegate: delegate, queue: stand.queue) }
        _ = try await delegate.states.first(within: .seconds(300), waitingFor: "Bluetooth") { $0 == .poweredOn }
        let accessory = try #require(session.accessories.first)
        let identifier = try #require(accessory.bluetoothIdentifier)
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [identifier]).first)
        central.connect(peripheral)
        #expect(stand.phone.warnings.isEmpty)
        try await session.removeAccessory(accessory)
        central.connect(peripheral)
        #expect(stand.phone.warnings.map(\.rule) == ["A5"])
        #expect(stand.phone.warnings.first?.text.contains("accessoryRemoved") == true)
    }

    @Test("An app without mistakes gets no warnings")
    func noMistakes() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let session = stand.session()
        try stand.show(session, [stand.item()])
        _ = try await stand.received(until: "done")
        session.invalidate()
        #expect(stand.phone.warnings.isEmpty)
    }
}
