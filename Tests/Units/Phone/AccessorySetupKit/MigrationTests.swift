import AccessorySetupKit
import CoreBluetooth
import HILPhone
import RadioModel
import TestSupport
import Testing

/// Migration of accessories that an app used before AccessorySetupKit: rules M1 to M5.
@Suite(.timeLimit(.minutes(1))) struct MigrationTests {
    private func item(
        _ stand: SetupStand, peripheral: UUID? = nil, ssid: String? = nil, aware: UInt64 = 0
    ) throws -> ASMigrationDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = SetupStand.service
        let item = ASMigrationDisplayItem(
            name: "Old Die", productImage: try stand.picture(), descriptor: descriptor)
        item.peripheralIdentifier = peripheral
        item.hotspotSSID = ssid
        item.wifiAwarePairedDeviceID = aware
        return item
    }

    @Test(
        "Migration items onlyMigration show a page, start no discovery, and authorise the accessories",
        .covers("M1", "M5"))
    func onlyMigration() async throws {
        let stand = try await SetupStand()
        let old = stand.phone.identifiers.identifier(of: SetupStand.seven)
        let session = stand.session()
        stand.phone.person.isWilling = false
        try stand.show(session, [item(stand, peripheral: old), item(stand, ssid: "Die-8")])
        try await stand.screen(.migration)
        #expect(!stand.radio.isDiscovering && session.accessories.isEmpty)
        stand.phone.person.will(.done)
        #expect(
            try await stand.received(until: "done") == ["activated", "pickerDidPresent", "migrationComplete", "done"])
        #expect(session.accessories.map(\.state) == [.authorized, .authorized])
        #expect(session.accessories.map(\.bluetoothIdentifier) == [old, nil])
        #expect(session.accessories.map(\.ssid) == [nil, "Die-8"])
        #expect(stand.phone.screen.isEmpty)
        // A second migration does not add the accessory again.
        stand.phone.person.isWilling = true
        try stand.show(session, [item(stand, peripheral: old)])
        _ = try await stand.received(from: 4, until: "done")
        #expect(session.accessories.count == 2)
    }

    @Test("A policy adds the dismissal and an event for each accessory", .covers("M1"))
    func policy() async throws {
        let stand = try await SetupStand()
        stand.phone.policy.migrationDismissesPicker = true
        stand.phone.policy.migrationAddsAccessories = true
        try stand.show(stand.session(), [item(stand, ssid: "Die-8")])
        #expect(
            try await stand.received(until: "done") == [
                "activated", "pickerDidPresent", "accessoryAdded Old Die", "migrationComplete", "pickerDidDismiss",
                "done",
            ])
    }

    @Test("Mixed with other items, migration happens only when a new accessory is set up", .covers("M2"))
    func mixed() async throws {
        let stand = try await SetupStand()
        let old = stand.phone.identifiers.identifier(of: DeviceAddress("9C:5A:81:00:00:01")!)
        stand.addDie()
        let session = stand.session()
        stand.phone.person.will(.cancel)
        let items = [try stand.item(), try item(stand, peripheral: old)]
        stand.show(session, items)
        _ = try await stand.received(until: "userCancelled")
        #expect(session.accessories.isEmpty)
        stand.show(session, items)
        #expect(
            try await stand.received(from: 4, until: "done") == [
                "pickerDidPresent", "accessoryAdded Bluetooth Die", "migrationComplete", "pickerDidDismiss", "done",
            ])
        #expect(session.accessories.map(\.displayName) == ["Bluetooth Die", "Old Die"])
    }

    /// A new run may be where an old one was in memory.
    @Test("A run of the app is not taken for an earlier one that used Core Bluetooth", .covers("M3"))
    func laterRun() async throws {
        let stand = try await SetupStand()
        for _ in 0..<50 {
            _ = try await stand.phone.launch(DiceTestApp.self)
            #expect(try !stand.phone.bluetooth.hasCentral(#require(stand.phone.app)))
            _ = stand.phone.asCurrent { CBCentralManager(delegate: nil, queue: stand.queue) }
        }
    }

    @Test("A CBCentralManager that is made before migration restricts the picker", .covers("M3"))
    func earlyCentral() async throws {
        let stand = try await SetupStand()
        let old = stand.phone.identifiers.identifier(of: SetupStand.seven)
        let central = stand.phone.asCurrent { CBCentralManager(delegate: nil, queue: stand.queue) }
        let session = stand.session()
        let items = [try item(stand, peripheral: old)]
        await #expect { try await session.showPicker(for: items) } throws: { ASError.pickerRestricted ~= $0 }
        #expect(stand.phone.shownScreens.isEmpty && session.accessories.isEmpty)
        withExtendedLifetime(central) {}
        _ = try await stand.phone.launch(DiceTestApp.self)
        let again = stand.session()
        try await again.showPicker(for: items)
        #expect(again.accessories.count == 1, "the next launch made no CBCentralManager before")
    }

    @Test("Migration by peripheral and SSID, or by Wi-Fi Aware device; other items are invalid requests", .covers("M4"))
    func identifiers() async throws {
        let stand = try await SetupStand()
        let old = stand.phone.identifiers.identifier(of: SetupStand.seven)
        let session = stand.session()
        try await session.showPicker(for: [item(stand, peripheral: old, ssid: "Die-7")])
        try await session.showPicker(for: [item(stand, aware: 4711)])
        #expect(session.accessories.map(\.bluetoothIdentifier) == [old, nil])
        #expect(session.accessories.map(\.ssid) == ["Die-7", nil])
        #expect(session.accessories.map(\.wifiAwarePairedDeviceID) == [0, 4711])
        let bad = [
            try item(stand), try item(stand, peripheral: UUID()), try item(stand, ssid: ""),
            try item(stand, ssid: String(repeating: "x", count: 33)),
        ]
        for item in bad {
            await #expect { try await session.showPicker(for: [item]) } throws: { ASError.invalidRequest ~= $0 }
        }
    }

    @Test("After migration only the migrated die is authorised, not another device of the same kind", .covers("M5"))
    func rights() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        let old = stand.phone.identifiers.identifier(of: SetupStand.seven)
        try await stand.session().showPicker(for: [item(stand, peripheral: old)])
        let usable = stand.phone.store.usableAccessories(of: DiceTestApp.bundle.identifier)
        #expect(usable.map(\.bluetoothIdentifier) == [old])
        #expect(usable.map(\.ssid) == [nil])
    }
}
