import AccessorySetupKit
import CoreBluetooth
import Phone
import RadioModel
import RuleCoverage
import Testing

/// What an app had before AccessorySetupKit: rules M1 to M5.
@Suite(.timeLimit(.minutes(1))) struct MigrationTests {
    private func item(
        _ stand: Stand, peripheral: UUID? = nil, ssid: String? = nil, aware: UInt64 = 0
    ) throws -> ASMigrationDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = Stand.service
        let item = ASMigrationDisplayItem(
            name: "Old Die", productImage: try stand.picture(), descriptor: descriptor)
        item.peripheralIdentifier = peripheral
        item.hotspotSSID = ssid
        item.wifiAwarePairedDeviceID = aware
        return item
    }

    @Test("Migration alone shows a page, looks for nothing, and leaves the accessories authorised", .covers("M1", "M5"))
    func alone() async throws {
        let stand = try await Stand()
        let old = stand.phone.identifiers.identifier(of: Stand.seven)
        let session = stand.session()
        stand.phone.person.isWilling = false
        try stand.show(session, [item(stand, peripheral: old), item(stand, ssid: "Die-8")])
        try await stand.screen(.migration)
        #expect(!stand.radio.isDiscovering && session.accessories.isEmpty)
        stand.phone.person.will(.done)
        #expect(
            try await stand.told(until: "done") == ["activated", "pickerDidPresent", "migrationComplete", "done"])
        #expect(session.accessories.map(\.state) == [.authorized, .authorized])
        #expect(session.accessories.map(\.bluetoothIdentifier) == [old, nil])
        #expect(session.accessories.map(\.ssid) == [nil, "Die-8"])
        #expect(stand.phone.screen.isEmpty)
        // Once more: nothing is there twice.
        stand.phone.person.isWilling = true
        try stand.show(session, [item(stand, peripheral: old)])
        _ = try await stand.told(from: 4, until: "done")
        #expect(session.accessories.count == 2)
    }

    @Test("The policy lets the dismissal follow, and tells each accessory", .covers("M1"))
    func policy() async throws {
        let stand = try await Stand()
        stand.phone.policy.migrationDismissesPicker = true
        stand.phone.policy.migrationAddsAccessories = true
        try stand.show(stand.session(), [item(stand, ssid: "Die-8")])
        #expect(
            try await stand.told(until: "done") == [
                "activated", "pickerDidPresent", "accessoryAdded Old Die", "migrationComplete", "pickerDidDismiss",
                "done",
            ])
    }

    @Test("Mixed with other items, it migrates when a new accessory is set up, and only then", .covers("M2"))
    func mixed() async throws {
        let stand = try await Stand()
        let old = stand.phone.identifiers.identifier(of: DeviceAddress("9C:5A:81:00:00:01")!)
        stand.addDie()
        let session = stand.session()
        stand.phone.person.will(.cancel)
        let items = [try stand.item(), try item(stand, peripheral: old)]
        stand.show(session, items)
        _ = try await stand.told(until: "userCancelled")
        #expect(session.accessories.isEmpty)
        stand.show(session, items)
        #expect(
            try await stand.told(from: 4, until: "done") == [
                "pickerDidPresent", "accessoryAdded Bluetooth Die", "migrationComplete", "pickerDidDismiss", "done",
            ])
        #expect(session.accessories.map(\.displayName) == ["Bluetooth Die", "Old Die"])
    }

    @Test("A CBCentralManager made too early restricts the picker", .covers("M3"))
    func earlyCentral() async throws {
        let stand = try await Stand()
        let old = stand.phone.identifiers.identifier(of: Stand.seven)
        let central = stand.phone.asCurrent { CBCentralManager(delegate: nil, queue: stand.queue) }
        let session = stand.session()
        let items = [try item(stand, peripheral: old)]
        await #expect { try await session.showPicker(for: items) } throws: { ASError.pickerRestricted ~= $0 }
        #expect(stand.phone.shownScreens.isEmpty && session.accessories.isEmpty)
        withExtendedLifetime(central) {}
        _ = try await stand.phone.launch(DiceTestApp.self)
        let again = stand.session()
        try await again.showPicker(for: items)
        #expect(again.accessories.count == 1, "the next launch made none before")
    }

    @Test("By peripheral and SSID, by a Wi-Fi Aware device; by nothing, or what never was, not at all", .covers("M4"))
    func identifiers() async throws {
        let stand = try await Stand()
        let old = stand.phone.identifiers.identifier(of: Stand.seven)
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

    @Test("A migrated die is connected to; another device of the same kind is out of bounds", .covers("M5"))
    func rights() async throws {
        let stand = try await Stand()
        stand.addDie()
        stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        let old = stand.phone.identifiers.identifier(of: Stand.seven)
        try await stand.session().showPicker(for: [item(stand, peripheral: old)])
        let usable = stand.phone.store.usableAccessories(of: DiceTestApp.bundle.identifier)
        #expect(usable.map(\.bluetoothIdentifier) == [old])
        #expect(usable.map(\.ssid) == [nil])
    }
}
