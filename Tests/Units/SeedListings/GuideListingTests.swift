import AccessorySetupKit
import CoreBluetooth
import Foundation
import HILPhone
import HostRadio
import NetworkExtension
import RadioModel
import TestSupport
import Testing

/// Runs the listings of the guide on the simulated phone and checks that they do what the guide says.
@Suite(.timeLimit(.minutes(1))) struct GuideListingTests {
    private static let service = "ABCD1234-0000-1000-8000-00805F9B34FB"

    @Test("The manager's picker finds its accessory and adds it", .covers("K1", "E1"))
    func picker() async throws {
        let stand = try await ListingStand()
        stand.add("MyDevice", service: Self.service)
        let manager = stand.run { AccessoryManager() }
        stand.run { manager.start() }
        stand.run { manager.showAccessoryPicker() }
        try await stand.waitForEvent("accessoryAdded “My Bluetooth Accessory”")
        try await stand.waitForEvent("pickerDidDismiss")
        #expect(stand.accessories == ["My Bluetooth Accessory"])
        #expect(stand.phone.warnings.isEmpty)
        withExtendedLifetime(manager) {}
    }

    @Test("Custom setup begins after the picker is closed", .covers("K11"))
    func dismissal() async throws {
        let stand = try await ListingStand()
        stand.add("MyDevice", service: Self.service)
        let manager = stand.run { DismissalManager() }
        stand.run { manager.start() }
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: Self.service)
        let image = try #require(stand.run { UIImage(named: "my-accessory") })
        let done = Answer<Bool>()
        let item = ASPickerDisplayItem(name: "My Accessory", productImage: image, descriptor: descriptor)
        stand.run { manager.session.showPicker(for: [item]) { done($0 == nil) } }
        #expect(try await done.value)
        // The completion comes after the dismissal, on the same queue.
        #expect(manager.setUp.map(\.displayName) == ["My Accessory"])
    }

    @Test("Known peripherals are migrated", .covers("M1", "M4"))
    func migration() async throws {
        let stand = try await ListingStand()
        let manager = stand.run { AccessoryManager() }
        stand.run { manager.start() }
        let known = stand.phone.identifiers.identifier(of: ListingStand.address)
        stand.run { manager.migrateExistingAccessories(existingPeripheralUUID: known) }
        try await stand.waitForEvent("migrationComplete")
        #expect(stand.accessories == ["My Accessory"])
        withExtendedLifetime(manager) {}
    }

    @Test("An accessory's network is joined without a prompt", .covers("W1"))
    func network() async throws {
        let stand = try await ListingStand()
        let network = WiFiNetwork(
            ssid: "MyAccessory-Network", bssid: ListingStand.address, frequency: 2412, signal: -40, security: .open)
        stand.radio.add(InMemoryRadio.Network(network))
        let manager = stand.run { DismissalManager() }
        stand.run { manager.start() }
        let descriptor = ASDiscoveryDescriptor()
        descriptor.ssid = "MyAccessory-Network"
        let image = try #require(stand.run { UIImage(named: "my-accessory") })
        let done = Answer<Bool>()
        let item = ASPickerDisplayItem(name: "My Accessory", productImage: image, descriptor: descriptor)
        stand.run { manager.session.showPicker(for: [item]) { done($0 == nil) } }
        #expect(try await done.value)
        let accessory = try #require(manager.setUp.first)
        stand.run { WiFiManager().handleWiFiAccessoryAdded(accessory) }
        try await stand.waitForEvent("joining “MyAccessory-Network”: done")
        #expect(!stand.phone.shownScreens.contains { $0.kind == .joinNetwork })
    }

    @Test("A central manager made before the migration prevents the picker and gives a warning", .covers("M3"))
    func centralBeforeMigration() async throws {
        let stand = try await ListingStand()
        let manager = stand.run { MistakenManager() }
        let failed = Answer<Bool>()
        let image = try #require(stand.run { UIImage(named: "my-accessory") })
        let item = ASMigrationDisplayItem(name: "Old", productImage: image, descriptor: ASDiscoveryDescriptor())
        item.peripheralIdentifier = stand.phone.identifiers.identifier(of: ListingStand.address)
        stand.run {
            manager.session.activate(on: .main) { _ in }
            manager.centralBeforeMigration(migrationItem: item) { failed($0) }
        }
        #expect(try await failed.value)
        #expect(stand.phone.warnings.map(\.rule) == ["M3"])
        #expect(stand.phone.shownScreens.isEmpty)
    }

    @Test("A session cannot be used after invalidation, but a new one can", .covers("K8"))
    func reuse() async throws {
        let stand = try await ListingStand()
        let manager = stand.run { MistakenManager() }
        let failed = Answer<Bool>()
        stand.run {
            manager.session.activate(on: .main) { _ in }
            manager.reuse(items: []) { failed($0) }
        }
        #expect(try await failed.value)
        #expect(stand.phone.warnings.map(\.rule) == ["K8"])
        let session = stand.run { manager.replace() }
        try await stand.waitForEvent("activated")
        withExtendedLifetime(session) {}
    }

    @Test("An undeclared service ends the app", .covers("P2"))
    func undeclared() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let stand = try await ListingStand()
            stand.run {
                let manager = MistakenManager()
                manager.session.activate(on: .main) { _ in }
                manager.undeclared(image: UIImage(named: "my-accessory")!)
            }
        }
        let reason = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(reason.contains("hil-app-crash: P2 "))
    }

    @Test("An SSID together with a prefix ends the app", .covers("D3"))
    func bothNetworks() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let stand = try await ListingStand()
            stand.run {
                let manager = MistakenManager()
                manager.session.activate(on: .main) { _ in }
                manager.bothNetworks(image: UIImage(named: "my-accessory")!)
            }
        }
        let reason = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(reason.contains("hil-app-crash: D3 "))
    }
}
