import AccessorySetupKit
import CoreBluetooth
import HostRadio
import Phone
import RadioModel
import RuleCoverage
import Testing

/// Several accessories, Wi-Fi Aware, and the ends of a picker in each of its phases.
@Suite(.timeLimit(.minutes(1))) struct CarouselTests {
    @Test(
        "Four at once make a carousel; they are set up one after another, and never offered twice", .covers("K1", "K14")
    )
    func four() async throws {
        let stand = try await Stand()
        stand.phone.person.isWilling = false
        for number in 1...4 {
            stand.addDie("Die \(number)", DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(number)])!)
        }
        let session = stand.session()
        for (count, number) in [4, 2, 1, 3].enumerated() {
            let place = stand.told.count
            try stand.show(session, [stand.item()])
            try await stand.screen(.picker) { $0.entries.count == 4 - count }
            stand.phone.person.will(.pick("Die \(number)"), .done)
            _ = try await stand.told(from: place, until: "done")
        }
        #expect(session.accessories.count == 4)
        #expect(Set(session.accessories.compactMap(\.bluetoothIdentifier)).count == 4)
    }

    @Test(
        "With confirmAuthorization the app pairs by touching a protected value, and the picker says so",
        .covers("O2", "K12"))
    func appPairs() async throws {
        let stand = try await Stand()
        stand.addDie(pairing: .compares(passkey: 42))
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE, setup: .confirmAuthorization)])
        _ = try await stand.told(until: "accessoryAdded Bluetooth Die")
        #expect(stand.radio.bonds.isEmpty, "the picker does not pair")
        // What CoreBluetooth does when a protected characteristic is touched.
        _ = try await stand.radio.pair(Stand.seven)
        _ = try await stand.told(until: "pickerSetupPairing")
        let waiting = try #require(session.accessories.first)
        try await session.finishAuthorization(for: waiting, settings: .default)
        _ = try await stand.told(until: "done")
        #expect(session.accessories.map(\.state) == [.authorized])
        #expect(stand.radio.bonds[Stand.seven] != nil)
    }

    @Test(
        "An authorization that the app fails is taken back: told, shown, and forgotten by the phone",
        .covers("A3", "K10"))
    func failAuthorization() async throws {
        let stand = try await Stand()
        stand.addDie()
        let session = stand.session()
        try stand.show(session, [stand.item(setup: .confirmAuthorization)])
        _ = try await stand.told(until: "accessoryAdded Bluetooth Die")
        try await session.failAuthorization(for: try #require(session.accessories.first))
        #expect(
            try await stand.told(until: "connectionFailed").suffix(4) == [
                "accessoryRemoved Bluetooth Die", "pickerSetupFailed connectionFailed", "pickerDidDismiss",
                "connectionFailed",
            ])
        try await stand.screen(.setupFailed)
        #expect(session.accessories.isEmpty)
    }

    @Test("A Wi-Fi Aware service is found, picked, and has its number", .covers("D10"))
    func wifiAware() async throws {
        let stand = try await Stand()
        let address = DeviceAddress("02:00:00:00:00:0A")!
        stand.radio.add(
            WiFiAwareService(address: address, name: "_die._tcp", vendorName: "Dice Works", modelName: "Die 7"))
        stand.phone.person.will(.pick("Die 7"))
        let descriptor = ASDiscoveryDescriptor()
        descriptor.wifiAwareServiceName = "_die._tcp"
        descriptor.wifiAwareModelNameMatch = ASPropertyCompareString(string: "die", compareOptions: .caseInsensitive)
        let item = ASPickerDisplayItem(name: "Aware Die", productImage: try stand.picture(), descriptor: descriptor)
        let (_, accessory) = try await stand.authorized([item])
        #expect(accessory.wifiAwarePairedDeviceID != 0 && accessory.bluetoothIdentifier == nil && accessory.ssid == nil)
        #expect(!stand.radio.isDiscoveringWiFiAware)
    }

    @Test("Where the radio has no Wi-Fi Aware, the picker goes on with the rest and notes why", .covers("D10"))
    func noWiFiAware() async throws {
        let stand = try await Stand()
        stand.radio.hasWiFiAware = false
        stand.addDie()
        let descriptor = ASDiscoveryDescriptor()
        descriptor.wifiAwareServiceName = "_die._tcp"
        let item = ASPickerDisplayItem(name: "Aware Die", productImage: try stand.picture(), descriptor: descriptor)
        let (_, accessory) = try await stand.authorized([item, stand.item()])
        #expect(accessory.displayName == "Bluetooth Die")
        #expect(stand.phone.rigFaults.isEmpty)
        let notes = stand.phone.log.events.compactMap { if case .note(_, let text) = $0.kind { text } else { nil } }
        #expect(notes.contains { $0.contains("Wi-Fi Aware") })
    }

    /// How a picker stands when it is invalidated.
    enum Moment: String, CaseIterable, Sendable {
        case looking, found, pairing, awaitingApp, renaming, ready, removing, renamingLater, upgrading
    }

    @Test(
        "Invalidation at any moment: one error, one event, nothing afterwards, nothing left", .covers("K8"),
        arguments: Moment.allCases)
    func invalidation(at moment: Moment) async throws {
        let stand = try await Stand()
        let (session, place) = try await bring(stand, to: moment)
        session.invalidate()
        // The completion's error and the event have one name.
        let first = try await stand.told.first(from: place, within: .seconds(10), waitingFor: "the end") { _ in true }
        _ = try await stand.told.first(from: first.next, within: .seconds(10), waitingFor: "the other end") { _ in true
        }
        stand.queue.sync {}
        #expect(stand.told.events[place...] == ["invalidated", "invalidated"])
        #expect(stand.phone.screen.isEmpty && !stand.radio.isDiscovering)
        let left = stand.phone.store.accessories(of: DiceTestApp.bundle.identifier).count
        let isSetUp = [.ready, .removing, .renamingLater, .upgrading].contains(moment)
        #expect(left == (isSetUp ? 1 : 0))
        let items = [try stand.item()]
        await #expect { try await session.showPicker(for: items) } throws: { ASError.invalidated ~= $0 }
        await #expect { try await session.finishPickerDiscovery() } throws: { ASError.invalidated ~= $0 }
        await #expect { try await session.updatePicker(showing: []) } throws: { ASError.invalidated ~= $0 }
        #expect(session.accessories.isEmpty)
    }

    /// A session at that moment, and how much was told before.
    private func bring(_ stand: Stand, to moment: Moment) async throws -> (ASAccessorySession, Int) {
        let person = stand.phone.person
        if moment != .looking { stand.addDie(pairing: .compares(passkey: 1)) }
        switch moment {
        case .removing, .renamingLater, .upgrading:
            let (session, accessory) = try await stand.authorized()
            person.isWilling = false
            let told = stand.told
            let done: ((any Error)?) -> Void = { told.append(Stand.text($0)) }
            switch moment {
            case .removing: session.removeAccessory(accessory, completionHandler: done)
            case .renamingLater: session.renameAccessory(accessory, completionHandler: done)
            default:
                let descriptor = ASDiscoveryDescriptor()
                descriptor.ssid = "Die-7"
                session.updateAuthorization(for: accessory, descriptor: descriptor, completionHandler: done)
            }
            let kinds: [Moment: Screen.Kind] = [
                .removing: .removeAccessory, .renamingLater: .rename, .upgrading: .upgrade,
            ]
            try await stand.screen(kinds[moment]!)
            return (session, stand.told.count)
        default:
            person.isWilling = false
            let session = stand.session()
            let supports: ASAccessory.SupportOptions = moment == .pairing ? .bluetoothPairingLE : []
            let setup: [Moment: ASPickerDisplayItem.SetupOptions] = [
                .awaitingApp: .confirmAuthorization, .renaming: .rename,
            ]
            try stand.show(session, [stand.item(supports: supports, setup: setup[moment] ?? [])])
            if moment == .looking {
                try await stand.screen(.picker)
                _ = try await stand.told(until: "pickerDidPresent")
                return (session, stand.told.count)
            }
            try await stand.screen(.picker) { $0.entries.count == 1 }
            if moment != .found { person.will(.pick("Die 7")) }
            let last: [Moment: String] = [
                .found: "pickerDidPresent", .pairing: "pickerSetupPairing", .renaming: "pickerSetupRename",
                .awaitingApp: "accessoryAdded Bluetooth Die", .ready: "accessoryAdded Bluetooth Die",
            ]
            let kinds: [Moment: Screen.Kind] = [
                .pairing: .passkey, .renaming: .rename, .awaitingApp: .settingUp, .ready: .setupComplete,
                .found: .picker,
            ]
            _ = try await stand.told(until: last[moment]!)
            try await stand.screen(kinds[moment]!)
            return (session, stand.told.count)
        }
    }
}
