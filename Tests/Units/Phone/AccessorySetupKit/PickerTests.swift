import AccessorySetupKit
import HILPhone
import RadioModel
import TestSupport
import Testing

/// The picker from the app's call to its events, with an in-memory radio and a manual clock.
@Suite(.timeLimit(.minutes(1))) struct PickerTests {
    @Test(
        "An accessory is found, picked and authorised, in order, and still authorised after a new launch",
        .covers("K1", "K11", "E1", "A1"))
    func discoverAndPick() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        stand.phone.person.will(.pick("Die 7"))
        let session = stand.session()
        try stand.show(session, [stand.item(ssid: "Die-7")])
        #expect(
            try await stand.received(until: "done") == [
                "activated", "pickerDidPresent", "accessoryAdded Bluetooth Die", "pickerDidDismiss", "done",
            ])
        let accessory = try #require(session.accessories.first)
        #expect(accessory.state == .authorized && accessory.ssid == "Die-7")
        #expect(accessory.bluetoothIdentifier == stand.phone.identifiers.identifier(of: SetupStand.seven))
        #expect(accessory.descriptor.bluetoothServiceUUID == SetupStand.service)
        #expect(!stand.radio.isDiscovering, "discovery is stopped")
        #expect(stand.phone.screen.isEmpty)
        #expect(stand.phone.person.unfinished.isEmpty)

        _ = try await stand.phone.launch(DiceTestApp.self)
        let again = stand.session()
        #expect(again.accessories == [accessory])
        #expect(session.accessories.isEmpty, "the session has ended with its app")
    }

    @Test("LE pairing asks the person to compare the passkey", .covers("K12"))
    func pairing() async throws {
        let stand = try await SetupStand()
        stand.addDie(pairing: .compares(passkey: 4711))
        stand.phone.person.will(.pick("Die 7"), .confirmPasskey)
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        #expect(
            try await stand.received(until: "done") == [
                "activated", "pickerDidPresent", "pickerSetupPairing", "accessoryAdded Bluetooth Die",
                "pickerDidDismiss", "done",
            ])
        #expect(stand.radio.bonds[SetupStand.seven]?.isAuthenticated == true)
        let prompt = try #require(stand.phone.shownScreens.first { $0.kind == .passkey })
        #expect(prompt.lines.joined().contains("004711"))
        #expect(stand.phone.person.unfinished.isEmpty)
    }

    @Test("The link on which the picker has paired stays open, unless the policy closes it", .covers("K12", "C19"))
    func linkOfPairing() async throws {
        for stays in [true, false] {
            let stand = try await SetupStand()
            stand.addDie(pairing: .justWorks)
            stand.phone.policy.keepsLinkAfterPairing = stays
            try stand.show(stand.session(), [stand.item(supports: .bluetoothPairingLE)])
            _ = try await stand.received(until: "done")
            #expect(stand.radio.bonds[SetupStand.seven] != nil)
            #expect(!stand.phone.shownScreens.contains { $0.kind == .pairing }, "she has picked it already")
            #expect(stand.radio.connected == (stays ? [SetupStand.seven] : []))
        }
    }

    @Test(
        "Set-up fails if the accessory refuses to pair or the person rejects the passkey", .covers("K10"),
        arguments: [true, false])
    func pairingFails(accessoryRefuses: Bool) async throws {
        let stand = try await SetupStand()
        stand.addDie(pairing: accessoryRefuses ? .refuses("pairing not supported") : .compares(passkey: 1))
        if !accessoryRefuses { stand.phone.person.will(.refusePasskey) }
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        #expect(
            try await stand.received(until: "connectionFailed") == [
                "activated", "pickerDidPresent", "pickerSetupPairing", "pickerSetupFailed connectionFailed",
                "pickerDidDismiss", "connectionFailed",
            ])
        #expect(session.accessories.isEmpty)
        #expect(stand.radio.bonds.isEmpty && stand.radio.connected.isEmpty)
        #expect(stand.phone.rigFaults.isEmpty, "this is not a fault of the rig")
    }

    @Test("The picker ends with discoveryTimeout after 30 seconds without an accessory", .covers("K2"))
    func timeout() async throws {
        let stand = try await SetupStand()
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try await stand.screen(.picker)
        await stand.clock.sleepers(atLeast: 1)
        stand.clock.advance(by: .milliseconds(29_999))
        #expect(stand.phone.screen.map(\.kind) == [.picker])
        stand.clock.advance(by: .milliseconds(1))
        #expect(
            try await stand.received(until: "discoveryTimeout") == [
                "activated", "pickerDidPresent", "pickerDidDismiss", "discoveryTimeout",
            ])
        try await stand.screen(.discoveryTimeout)
        #expect(!stand.radio.isDiscovering)
    }

    @Test("The app sets its own timeout, or ends the discovery itself", .covers("K2", "F3"))
    func ownTimeout() async throws {
        let stand = try await SetupStand()
        let session = stand.session()
        let settings = ASPickerDisplaySettings.default
        settings.discoveryTimeout = .short
        session.pickerDisplaySettings = settings
        settings.discoveryTimeout = .unbounded
        #expect(session.pickerDisplaySettings?.discoveryTimeout == .short, "the session keeps a copy")
        try stand.show(session, [stand.item()])
        await stand.clock.sleepers(atLeast: 1)
        stand.clock.advance(by: .seconds(60))
        _ = try await stand.received(until: "discoveryTimeout")

        session.pickerDisplaySettings = settings
        let before = stand.phone.log.count
        try stand.show(session, [stand.item()])
        _ = try await stand.phone.log.first(
            from: before, within: .seconds(300), waitingFor: "the picker",
            where: { if case .screen(let screen?) = $0.kind { screen.kind == .picker } else { false } })
        session.finishPickerDiscovery { _ in }
        _ = try await stand.received.first(from: 4, within: .seconds(300), waitingFor: "the end") {
            $0 == "discoveryTimeout"
        }
    }

    @Test("A second picker while one is up gets pickerAlreadyActive", .covers("K3"))
    func secondPicker() async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try stand.show(session, [stand.item()])
        let received = try await stand.received(until: "pickerAlreadyActive")
        #expect(!received.contains("pickerDidDismiss"))
        stand.phone.person.will(.cancel)
        #expect(try await stand.received(until: "userCancelled").contains("pickerDidDismiss"))
    }

    @Test("Each reason for a refusal has its own error, and no picker is shown", .covers("K4", "K6", "K7", "K9", "K16"))
    func refusals() async throws {
        let stand = try await SetupStand()
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
        session.activate(on: stand.queue) { [received = stand.received] in
            received.append("second: \(SetupStand.text($0.error))")
        }
        #expect(try await stand.received(until: "second: activationFailed").contains("activated"))
        #expect(stand.phone.shownScreens.isEmpty)
    }

    @Test("Invalidation closes the picker, and no events follow", .covers("K8", "E3"))
    func invalidation() async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try await stand.screen(.picker)
        session.invalidate()
        #expect(
            try await stand.received(until: "invalidated") == ["activated", "pickerDidPresent", "invalidated"],
            "the completion's error and the event have the same name")
        let items = [try stand.item()]
        await #expect { try await session.showPicker(for: items) } throws: { ASError.invalidated ~= $0 }
        #expect(stand.received.events == ["activated", "pickerDidPresent", "invalidated", "invalidated"])
        #expect(stand.phone.screen.isEmpty && session.accessories.isEmpty)
    }

    @Test("The app can show the next picker from within pickerDidDismiss")
    func nextPicker() async throws {
        let stand = try await SetupStand()
        stand.phone.person.will(.cancel, .cancel)
        let session = stand.phone.asCurrent { ASAccessorySession() }
        let items = [try stand.item()]
        session.activate(on: stand.queue) { [received = stand.received, weak session] event in
            received.append("\(event.eventType)")
            guard event.eventType == .pickerDidDismiss else { return }
            guard received.events.filter({ $0 == "pickerDidDismiss" }).count == 1 else {
                return received.append("over")
            }
            session?.showPicker(for: items) { _ in }
        }
        session.showPicker(for: items) { _ in }
        #expect(
            try await stand.received(until: "over") == [
                "activated", "pickerDidPresent", "pickerDidDismiss", "pickerDidPresent", "pickerDidDismiss", "over",
            ])
    }

    @Test("An app on the main actor gets its events there", .covers("E1"))
    @MainActor func mainActor() async throws {
        let stand = try await SetupStand()
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
