import AccessorySetupKit
import HILPhone
import RadioModel
import TestSupport
import Testing

/// Changes by the person in Settings, and accessories that another app set up: rules A7, K13, K14.
@Suite(.timeLimit(.minutes(1))) struct SettingsTests {
    @Test("Removal and renaming in Settings send the same events", .covers("A7"))
    func settings() async throws {
        let stand = try await SetupStand()
        stand.addDie(pairing: .justWorks)
        let (session, accessory) = try await stand.authorized([stand.item(supports: .bluetoothPairingLE)])
        stand.phone.person.will(.renameInSettings("Bluetooth Die", to: "Lucky"), .removeInSettings("Lucky"))
        _ = try await stand.received(until: "accessoryChanged Lucky")
        _ = try await stand.received(until: "accessoryRemoved Lucky")
        #expect(session.accessories.isEmpty && stand.radio.bonds.isEmpty)
        #expect(stand.phone.person.unfinished.isEmpty)
        #expect(accessory.displayName == "Bluetooth Die")
        let pages = stand.phone.shownScreens.filter { $0.kind == .settings }
        #expect(pages.map { $0.entries.map(\.title) } == [["Bluetooth Die"], ["Lucky"]])
    }

    @Test(
        "An action in Settings that was never possible is reported, with the accessories and their apps by name",
        .covers("A7", "P7"))
    func impossible() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        stand.phone.person.will(.removeInSettings("Die 9"))
        _ = try await stand.authorized()
        let text = try #require(stand.phone.person.unfinished.first?.description)
        #expect(text.contains("remove “Die 9” in Settings") && text.contains("‹Bluetooth Die (Dice)›"))
        #expect(!stand.phone.shownScreens.contains { $0.kind == .settings })
    }

    @Test("An accessory removed while its app is not running is missing at the next launch", .covers("A7", "A1"))
    func whileNotRunning() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        _ = try await stand.authorized()
        stand.phone.terminateApp()
        stand.phone.person.will(.removeInSettings("Bluetooth Die"))
        _ = try await stand.phone.log.first(within: .seconds(300), waitingFor: "the removal") {
            if case .authorization(let what) = $0.kind { what.contains("no longer") } else { false }
        }
        _ = try await stand.phone.launch(DiceTestApp.self)
        #expect(stand.session().accessories.isEmpty)
    }

    @Test("An accessory that another app set up keeps its name and picture", .covers("K13"))
    func anotherApp() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        stand.phone.person.will(.rename("Kim's Die"))
        _ = try await stand.authorized([stand.item(setup: .rename)])
        _ = try await stand.phone.launch(OtherTestApp.self)
        stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        stand.phone.person.will(.pick("Die 7"))
        let (_, accessory) = try await stand.authorized()
        #expect(accessory.displayName == "Kim's Die")
        let picker = try #require(stand.phone.shownScreens.last { $0.kind == .picker && $0.entries.count == 2 })
        #expect(picker.entries.map(\.title) == ["Kim's Die", "Bluetooth Die"])
    }

    @Test("A network is offered again after it is renamed, but not under its old name", .covers("K14", "O1"))
    func renamedNetwork() async throws {
        let stand = try await SetupStand()
        stand.addNetwork("Die-7")
        let (session, accessory) = try await stand.authorized([stand.wifiItem(prefix: "Die-")])
        #expect(accessory.ssid == "Die-7" && accessory.bluetoothIdentifier == nil)
        stand.phone.policy.discoveryTimeout = .seconds(5)
        try stand.show(session, [stand.wifiItem(prefix: "Die-")])
        // Two sleeps: the pause between two scans, and the timeout.
        await stand.clock.sleepers(atLeast: 2)
        stand.clock.advance(by: .seconds(5))
        _ = try await stand.received(until: "discoveryTimeout")
        stand.radio.removeNetwork(ssid: "Die-7")
        stand.addNetwork("Die-Lucky")
        let before = stand.received.count
        try stand.show(session, [stand.wifiItem(prefix: "Die-")])
        _ = try await stand.received(from: before, until: "done")
        #expect(session.accessories.map(\.ssid) == ["Die-7", "Die-Lucky"])
    }

    @Test("The person renames a Wi-Fi accessory, and also its network if the app allows it", .covers("O1", "A6"))
    func renameNetwork() async throws {
        let stand = try await SetupStand()
        stand.addNetwork("Die-7")
        let item = try stand.wifiItem(prefix: "Die-", setup: .rename)
        item.renameOptions = .ssid
        stand.phone.person.will(.rename("Lucky"), .rename("Sad"), .rename("Glad"))
        let (session, accessory) = try await stand.authorized([item])
        #expect(accessory.displayName == "Lucky" && accessory.ssid == "Lucky")
        #expect(try await stand.received(until: "done").contains("pickerSetupRename"))
        try await session.renameAccessory(accessory)
        #expect(session.accessories.map(\.ssid) == ["Lucky"])
        try await session.renameAccessory(accessory, options: .ssid)
        #expect(session.accessories.map(\.ssid) == ["Glad"])
        #expect(session.accessories.map(\.displayName) == ["Glad"])
    }
}
