import AccessorySetupKit
import Phone
import RadioModel
import RuleCoverage
import Testing

/// The whole path from an app's call to its events, over an in-memory radio and a clock that stands.
@Suite(.timeLimit(.minutes(1))) struct PickerTests {
    @Test("Found, picked, authorised, in order, and still there after a new launch", .covers("K1", "K11", "E1", "A1"))
    func discoverAndPick() async throws {
        let stand = try await Stand()
        stand.addDie()
        stand.phone.person.will(.pick("Die 7"))
        let session = stand.session()
        try stand.show(session, [stand.item(ssid: "Die-7")])
        #expect(
            try await stand.told(until: "done") == [
                "activated", "pickerDidPresent", "accessoryAdded Bluetooth Die", "pickerDidDismiss", "done",
            ])
        let accessory = try #require(session.accessories.first)
        #expect(accessory.state == .authorized && accessory.ssid == "Die-7")
        #expect(accessory.bluetoothIdentifier == stand.phone.identifiers.identifier(of: Stand.seven))
        #expect(accessory.descriptor.bluetoothServiceUUID == Stand.service)
        #expect(!stand.radio.isDiscovering, "nothing is left running")
        #expect(stand.phone.screen.isEmpty)
        #expect(stand.phone.person.unfinished.isEmpty)

        _ = try await stand.phone.launch(DiceTestApp.self)
        let again = stand.session()
        #expect(again.accessories == [accessory])
        #expect(session.accessories.isEmpty, "the session went with its app")
    }

    @Test("LE pairing asks the person to compare the number", .covers("K12"))
    func pairing() async throws {
        let stand = try await Stand()
        stand.addDie(pairing: .compares(passkey: 4711))
        stand.phone.person.will(.pick("Die 7"), .confirmPasskey)
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        #expect(
            try await stand.told(until: "done") == [
                "activated", "pickerDidPresent", "pickerSetupPairing", "accessoryAdded Bluetooth Die",
                "pickerDidDismiss", "done",
            ])
        #expect(stand.radio.bonds[Stand.seven]?.isAuthenticated == true)
        let prompt = try #require(stand.phone.shownScreens.first { $0.kind == .passkey })
        #expect(prompt.lines.joined().contains("004711"))
        #expect(stand.phone.person.unfinished.isEmpty)
    }

    @Test(
        "The accessory refuses to pair, or the person says that the numbers differ", .covers("K10"),
        arguments: [true, false])
    func pairingFails(accessoryRefuses: Bool) async throws {
        let stand = try await Stand()
        stand.addDie(pairing: accessoryRefuses ? .refuses("pairing not supported") : .compares(passkey: 1))
        if !accessoryRefuses { stand.phone.person.will(.refusePasskey) }
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        #expect(
            try await stand.told(until: "connectionFailed") == [
                "activated", "pickerDidPresent", "pickerSetupPairing", "pickerSetupFailed connectionFailed",
                "pickerDidDismiss", "connectionFailed",
            ])
        #expect(session.accessories.isEmpty)
        #expect(stand.radio.bonds.isEmpty && stand.radio.connected.isEmpty)
        #expect(stand.phone.rigFaults.isEmpty, "that is the accessory's doing")
    }

    @Test("Nothing in range for 30 seconds", .covers("K2"))
    func timeout() async throws {
        let stand = try await Stand()
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try await stand.screen(.picker)
        await stand.clock.sleepers(atLeast: 1)
        stand.clock.advance(by: .milliseconds(29_999))
        #expect(stand.phone.screen.map(\.kind) == [.picker])
        stand.clock.advance(by: .milliseconds(1))
        #expect(
            try await stand.told(until: "discoveryTimeout") == [
                "activated", "pickerDidPresent", "pickerDidDismiss", "discoveryTimeout",
            ])
        try await stand.screen(.discoveryTimeout)
        #expect(!stand.radio.isDiscovering)
    }

    @Test("The app's own timeout, and one that only the app ends", .covers("K2", "F3"))
    func ownTimeout() async throws {
        let stand = try await Stand()
        let session = stand.session()
        let settings = ASPickerDisplaySettings.default
        settings.discoveryTimeout = .short
        session.pickerDisplaySettings = settings
        settings.discoveryTimeout = .unbounded
        #expect(session.pickerDisplaySettings?.discoveryTimeout == .short, "the session keeps a copy")
        try stand.show(session, [stand.item()])
        await stand.clock.sleepers(atLeast: 1)
        stand.clock.advance(by: .seconds(60))
        _ = try await stand.told(until: "discoveryTimeout")

        session.pickerDisplaySettings = settings
        try stand.show(session, [stand.item()])
        _ = try await stand.phone.log.first(
            from: stand.phone.log.count, within: .seconds(10), waitingFor: "the picker",
            where: { if case .screen(let screen?) = $0.kind { screen.kind == .picker } else { false } })
        session.finishPickerDiscovery { _ in }
        _ = try await stand.told.first(from: 4, within: .seconds(10), waitingFor: "the end") {
            $0 == "discoveryTimeout"
        }
    }

    @Test("A second picker while one is up", .covers("K3"))
    func secondPicker() async throws {
        let stand = try await Stand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try stand.show(session, [stand.item()])
        let told = try await stand.told(until: "pickerAlreadyActive")
        #expect(!told.contains("pickerDidDismiss"))
        stand.phone.person.will(.cancel)
        #expect(try await stand.told(until: "userCancelled").contains("pickerDidDismiss"))
    }

    @Test("Refusals, each with its own error, and no picker", .covers("K4", "K6", "K7", "K9", "K16"))
    func refusals() async throws {
        let stand = try await Stand()
        let early = stand.phone.asCurrent { ASAccessorySession() }
        let items = [try stand.item()]
        await #expect { try await early.showPicker(for: items) } throws: { ASError.activationFailed ~= $0 }
        let session = stand.session()
        await #expect { try await session.showPicker(for: []) } throws: { ASError.invalidRequest ~= $0 }
        await #expect { try await session.showPicker() } throws: { ASError.extensionNotFound ~= $0 }
        stand.phone.app?.isInForeground = false
        await #expect { try await session.showPicker(for: items) } throws: { ASError.pickerRestricted ~= $0 }
        stand.phone.canAddAccessories = false
        await #expect { try await session.showPicker(for: items) } throws: { ASError.userRestricted ~= $0 }
        session.activate(on: stand.queue) { [told = stand.told] in told.append("second: \(Stand.text($0.error))") }
        #expect(try await stand.told(until: "second: activationFailed").contains("activated"))
        #expect(stand.phone.shownScreens.isEmpty)
    }

    @Test("Invalidation during a picker, and nothing afterwards", .covers("K8", "E3"))
    func invalidation() async throws {
        let stand = try await Stand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try await stand.screen(.picker)
        session.invalidate()
        #expect(
            try await stand.told(until: "invalidated") == ["activated", "pickerDidPresent", "invalidated"],
            "the completion's error and the event have one name")
        let items = [try stand.item()]
        await #expect { try await session.showPicker(for: items) } throws: { ASError.invalidated ~= $0 }
        #expect(stand.told.events == ["activated", "pickerDidPresent", "invalidated", "invalidated"])
        #expect(stand.phone.screen.isEmpty && session.accessories.isEmpty)
    }

    @Test("A picker that has gone makes room for the next one, from within the event that says so")
    func nextPicker() async throws {
        let stand = try await Stand()
        stand.phone.person.will(.cancel, .cancel)
        let session = stand.phone.asCurrent { ASAccessorySession() }
        let items = [try stand.item()]
        session.activate(on: stand.queue) { [told = stand.told, weak session] event in
            told.append("\(event.eventType)")
            guard event.eventType == .pickerDidDismiss else { return }
            guard told.events.filter({ $0 == "pickerDidDismiss" }).count == 1 else { return told.append("over") }
            session?.showPicker(for: items) { _ in }
        }
        session.showPicker(for: items) { _ in }
        #expect(
            try await stand.told(until: "over") == [
                "activated", "pickerDidPresent", "pickerDidDismiss", "pickerDidPresent", "pickerDidDismiss", "over",
            ])
    }

    @Test("An app that lives on the main actor is told there", .covers("E1"))
    @MainActor func mainActor() async throws {
        let stand = try await Stand()
        stand.addDie()
        let model = stand.phone.asCurrent { MainActorModel() }
        let items = [try stand.item()]
        try await model.session.showPicker(for: items)
        #expect(model.events == [.activated, .pickerDidPresent, .accessoryAdded, .pickerDidDismiss])
    }
}

@MainActor private final class MainActorModel {
    let session = ASAccessorySession()
    private(set) var events: [ASAccessoryEventType] = []

    init() {
        session.activate(on: .main) { [weak self] event in self?.events.append(event.eventType) }
    }
}
