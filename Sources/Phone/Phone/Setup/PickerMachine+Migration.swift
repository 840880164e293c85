import Foundation

extension PickerMachine {
    private var migrations: [PickerItem] { configuration.items.filter { $0.migration != nil } }

    /// Shows the page that lists the accessories to migrate, for a picker without discovery (M1).
    mutating func inform() -> [Effect] {
        phase = .informing
        return [.tell(.pickerDidPresent), .show(information)]
    }

    /// Migrates and ends, after the person has read the page.
    mutating func migrateAlone() -> [Effect] {
        let migrated = migrate()
        guard configuration.policy.migrationDismissesPicker else {
            phase = .ended
            return migrated + [.close, .complete(nil)]
        }
        return migrated + end(nil)
    }

    /// Authorises the app's old accessories, except those that were migrated before (M2, M5).
    func migrate() -> [Effect] {
        guard !migrations.isEmpty else { return [] }
        let records = migrations.compactMap(record)
        let news = configuration.policy.migrationAddsAccessories ? records.map { Effect.tell(.accessoryAdded, $0) } : []
        return records.map { .authorize($0) } + news + [.tell(.migrationComplete)]
    }

    /// The record of a migrated accessory, with only the technologies that the item names; nil if the app already has
    /// it.
    private func record(of item: PickerItem) -> AccessoryRecord? {
        guard let migration = item.migration else { return nil }
        let isKnown =
            migration.peripheral.map(configuration.knownDevices.contains) ?? false
            || migration.ssid.map { ssid in configuration.knownNetworks.contains(where: ssid.isSameSSID) } ?? false
            || migration.wifiAwareDevice != 0 && configuration.knownAwareDevices.contains(migration.wifiAwareDevice)
        guard !isKnown else { return nil }
        return AccessoryRecord(
            displayName: item.name, bluetoothIdentifier: migration.peripheral, ssid: migration.ssid,
            wifiAwareDevice: migration.wifiAwareDevice, picture: item.picture, descriptor: item.descriptor)
    }

    private var information: Screen {
        Screen(
            .migration, title: "Accessories Have Moved",
            lines: ["The app now uses its accessories without access to all of Bluetooth and Wi-Fi."],
            entries: migrations.map { Screen.Entry(title: $0.name, detail: "", picture: $0.picture?.path) },
            controls: [.done, .cancel], willing: .done)
    }
}
