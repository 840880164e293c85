import AccessorySetupKit
import HILPhone
import RadioModel
import TestSupport
import Testing

/// Removing, renaming and authorising an accessory after it was found.
@Suite(.timeLimit(.minutes(1))) struct AccessoryTests {
    /// Makes a session with one authorised accessory.
    private func authorised(_ stand: SetupStand) async throws -> (ASAccessorySession, ASAccessory) {
        stand.addDie()
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        _ = try await stand.received(until: "done")
        return (session, try #require(session.accessories.first))
    }

    @Test("Removal asks the person, deletes the bond and sends accessoryRemoved", .covers("A5"))
    func removal() async throws {
        let stand = try await SetupStand()
        let (session, accessory) = try await authorised(stand)
        stand.phone.person.will(.deny)
        await #expect { try await session.removeAccessory(accessory) } throws: { ASError.userCancelled ~= $0 }
        #expect(session.accessories == [accessory])
        try await session.removeAccessory(accessory)
        #expect(session.accessories.isEmpty && stand.radio.bonds.isEmpty)
        #expect(try await stand.received(until: "accessoryRemoved Bluetooth Die").count == 7)
        await #expect { try await session.removeAccessory(accessory) } throws: { ASError.invalidRequest ~= $0 }
    }

    @Test("Renaming shows a screen and sends accessoryChanged", .covers("A6"))
    func renaming() async throws {
        let stand = try await SetupStand()
        let (session, accessory) = try await authorised(stand)
        stand.phone.person.will(.rename("Lucky"))
        try await session.renameAccessory(accessory)
        #expect(session.accessories.map(\.displayName) == ["Lucky"])
        #expect(try await stand.received(until: "accessoryChanged Lucky").last == "accessoryChanged Lucky")
        #expect(accessory.displayName == "Bluetooth Die", "the app's object does not change")
    }

    @Test("The app finishes the authorization with the network's name", .covers("O2", "A2"))
    func confirmAuthorization() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let session = stand.session()
        try stand.show(session, [stand.item(setup: .confirmAuthorization)])
        _ = try await stand.received(until: "accessoryAdded Bluetooth Die")
        let waiting = try #require(session.accessories.first)
        #expect(waiting.state == .awaitingAuthorization)
        let settings = ASAccessorySettings.default
        settings.bluetoothTransportBridgingIdentifier = Data([1])
        await #expect { try await session.finishAuthorization(for: waiting, settings: settings) } throws: {
            ASError.invalidRequest ~= $0
        }
        settings.bluetoothTransportBridgingIdentifier = nil
        settings.ssid = "Die-7"
        try await session.finishAuthorization(for: waiting, settings: settings)
        _ = try await stand.received(until: "done")
        #expect(session.accessories.map(\.state) == [.authorized])
        #expect(session.accessories.map(\.ssid) == ["Die-7"])
    }

    @Test("A terminated app gets no more events, and its picker is closed")
    func termination() async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item()])
        try await stand.screen(.picker)
        stand.phone.terminateApp()
        _ = try await stand.phone.log.first(within: .seconds(300), waitingFor: "the picker's end") { event in
            if case .screen(nil) = event.kind { true } else { false }
        }
        stand.queue.sync {}
        #expect(!stand.received.events.contains("invalidated"))
        _ = try await stand.phone.launch(DiceTestApp.self)
        stand.phone.person.isWilling = true
        stand.addDie()
        try stand.show(stand.session(), [stand.item()])
        #expect(try await stand.received(until: "done").contains("accessoryAdded Bluetooth Die"))
    }

    @Test("Raw values of errors, events and options are those of Apple's headers")
    func rawValues() {
        #expect(ASError.Code.allCases.map(\.rawValue) == [0, 1, 100, 150, 200, 300, 400, 450, 500, 550, 700, 750])
        #expect(ASAccessoryEventType(rawValue: 90) == .pickerSetupRename)
        #expect(ASAccessoryEventType(rawValue: 21) == nil)
        #expect(ASAccessory.SupportOptions.bluetoothHID.rawValue == 8)
        #expect(ASPickerDisplayItem.SetupOptions.finishInApp.rawValue == 4)
        #expect(ASDiscoveryDescriptor.Range.immediate.rawValue == 10)
        #expect(ASAccessory.AccessoryState.authorized.rawValue == 20)
        let error = ASError(.userCancelled)
        #expect((error as any CustomNSError).errorCode == 700 && ASError.errorDomain == ASErrorDomain)
    }
}
