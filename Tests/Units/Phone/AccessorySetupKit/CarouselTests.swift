import AccessorySetupKit
import CoreBluetooth
import HILPhone
import HostRadio
import RadioModel
import TestSupport
import Testing

/// Several accessories at once, Wi-Fi Aware, and invalidation of a session in each phase.
@Suite(.timeLimit(.minutes(1))) struct CarouselTests {
    @Test(
        "Four accessories make a carousel; each is set up once and not offered again", .covers("K1", "K14")
    )
    func four() async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        for number in 1...4 {
            stand.addDie("Die \(number)", DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(number)])!)
        }
        let session = stand.session()
        for (count, number) in [4, 2, 1, 3].enumerated() {
            let start = stand.received.count
            try stand.show(session, [stand.item()])
            try await stand.screen(.picker) { $0.entries.count == 4 - count }
            stand.phone.person.will(.pick("Die \(number)"), .done)
            _ = try await stand.received(from: start, until: "done")
        }
        #expect(session.accessories.count == 4)
        #expect(Set(session.accessories.compactMap(\.bluetoothIdentifier)).count == 4)
    }

    @Test(
        "With confirmAuthorization, reading a protected value pairs, and the app gets pickerSetupPairing",
        .covers("O2", "K12"))
    func appPairs() async throws {
        let stand = try await SetupStand()
        stand.addDie(pairing: .compares(passkey: 42))
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE, setup: .confirmAuthorization)])
        _ = try await stand.received(until: "accessoryAdded Bluetooth Die")
        #expect(stand.radio.bonds.isEmpty, "the picker does not pair")
        // CoreBluetooth does this when the app reads a protected characteristic.
        _ = try await stand.radio.pair(SetupStand.seven)
        _ = try await stand.received(until: "pickerSetupPairing")
        let waiting = try #require(session.accessories.first)
        try await session.finishAuthorization(for: waiting, settings: .default)
        _ = try await stand.received(until: "done")
        #expect(session.accessories.map(\.state) == [.authorized])
        #expect(stand.radio.bonds[SetupStand.seven] != nil)
    }

    @Test(
        "failAuthorization removes the accessory, sends the events and shows the failure",
        .covers("A3", "K10"))
    func failAuthorization() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let session = stand.session()
        try stand.show(session, [stand.item(setup: .confirmAuthorization)])
        _ = try await stand.received(until: "accessoryAdded Bluetooth Die")
        try await session.failAuthorization(for: try #require(session.accessories.first))
        #expect(
            try await stand.received(until: "connectionFailed").suffix(4) == [
                "accessoryRemoved Bluetooth Die", "pickerSetupFailed connectionFailed", "pickerDidDismiss",
                "connectionFailed",
            ])
        try await stand.screen(.setupFailed)
        #expect(session.accessories.isEmpty)
    }

    @Test("A Wi-Fi Aware service is found and picked, and gets a device identifier", .covers("D10"))
    func wifiAware() async throws {
        let stand = try await SetupStand()
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

    @Test(
        "Without Wi-Fi Aware in the radio, the picker shows the other accessories and logs the reason", .covers("D10"))
    func noWiFiAware() async throws {
        let stand = try await SetupStand()
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

    /// The phase in which a session is invalidated.
    enum Phase: String, CaseIterable, Sendable {
        case searching, found, pairing, awaitingApp, renaming, ready, removing, renamingLater, upgrading
    }

    @Test(
        "Invalidation in any phase gives one error and one event, and leaves nothing behind", .covers("K8"),
        arguments: Phase.allCases)
    func invalidation(at phase: Phase) async throws {
        let stand = try await SetupStand()
        let (session, start) = try await bring(stand, to: phase)
        session.invalidate()
        // The completion's error and the event have the same name.
        let first = try await stand.received.first(from: start, within: .seconds(300), waitingFor: "the invalidation") {
            _ in true
        }
        _ = try await stand.received.first(
            from: first.next, within: .seconds(300), waitingFor: "the event or the completion"
        ) { _ in true
        }
        stand.queue.sync {}
        #expect(stand.received.events[start...] == ["invalidated", "invalidated"])
        #expect(stand.phone.screen.isEmpty && !stand.radio.isDiscovering)
        let left = stand.phone.store.accessories(of: DiceTestApp.bundle.identifier).count
        let isSetUp = [.ready, .removing, .renamingLater, .upgrading].contains(phase)
        #expect(left == (isSetUp ? 1 : 0))
        let items = [try stand.item()]
        await #expect { try await session.showPicker(for: items) } throws: { ASError.invalidated ~= $0 }
        await #expect { try await session.finishPickerDiscovery() } throws: { ASError.invalidated ~= $0 }
        await #expect { try await session.updatePicker(showing: []) } throws: { ASError.invalidated ~= $0 }
        #expect(session.accessories.isEmpty)
    }

    /// Makes a session in that phase. Also returns the length of the log so far.
    private func bring(_ stand: SetupStand, to phase: Phase) async throws -> (ASAccessorySession, Int) {
        let person = stand.phone.person
        if phase != .searching { stand.addDie(pairing: .compares(passkey: 1)) }
        switch phase {
        case .removing, .renamingLater, .upgrading:
            let (session, accessory) = try await stand.authorized()
            person.isWilling = false
            let received = stand.received
            let done: ((any Error)?) -> Void = { received.append(SetupStand.text($0)) }
            switch phase {
            case .removing: session.removeAccessory(accessory, completionHandler: done)
            case .renamingLater: session.renameAccessory(accessory, completionHandler: done)
            default:
                let descriptor = ASDiscoveryDescriptor()
                descriptor.ssid = "Die-7"
                session.updateAuthorization(for: accessory, descriptor: descriptor, completionHandler: done)
            }
            let kinds: [Phase: Screen.Kind] = [
                .removing: .removeAccessory, .renamingLater: .rename, .upgrading: .upgrade,
            ]
            try await stand.screen(kinds[phase]!)
            return (session, stand.received.count)
        default:
            person.isWilling = false
            let session = stand.session()
            let supports: ASAccessory.SupportOptions = phase == .pairing ? .bluetoothPairingLE : []
            let setup: [Phase: ASPickerDisplayItem.SetupOptions] = [
                .awaitingApp: .confirmAuthorization, .renaming: .rename,
            ]
            try stand.show(session, [stand.item(supports: supports, setup: setup[phase] ?? [])])
            if phase == .searching {
                try await stand.screen(.picker)
                _ = try await stand.received(until: "pickerDidPresent")
                return (session, stand.received.count)
            }
            try await stand.screen(.picker) { $0.entries.count == 1 }
            if phase != .found { person.will(.pick("Die 7")) }
            let last: [Phase: String] = [
                .found: "pickerDidPresent", .pairing: "pickerSetupPairing", .renaming: "pickerSetupRename",
                .awaitingApp: "accessoryAdded Bluetooth Die", .ready: "accessoryAdded Bluetooth Die",
            ]
            let kinds: [Phase: Screen.Kind] = [
                .pairing: .passkey, .renaming: .rename, .awaitingApp: .settingUp, .ready: .setupComplete,
                .found: .picker,
            ]
            _ = try await stand.received(until: last[phase]!)
            try await stand.screen(kinds[phase]!)
            return (session, stand.received.count)
        }
    }
}
