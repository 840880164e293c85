// The listings keep their original format.
// swift-format-ignore-file

import AccessorySetupKit
import CoreBluetooth
import NetworkExtension
import Testing

// The listings of the guide to AccessorySetupKit (seeds 000 and 002 are the same), each in a type or function so that
// it compiles. `GuideListingTests` runs them.

private func bluetoothDescriptor() -> ASDiscoveryDescriptor {
    var descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: "12345678-1234-1234-1234-123456789ABC")
    descriptor.bluetoothNameSubstring = "MyDevice"
    descriptor.bluetoothRange = .immediate  // Only nearby devices
    descriptor.supportedOptions = [.bluetoothPairingLE, .bluetoothTransportBridging]
    return descriptor
}

private func wifiDescriptor() -> ASDiscoveryDescriptor {
    var descriptor = ASDiscoveryDescriptor()
    descriptor.ssid = "MyAccessory-Network"
    // OR use a prefix:
    // descriptor.ssidPrefix = "MyAccessory-"
    return descriptor
}

final class AccessoryManager {
    private let session = ASAccessorySession()

    func start() {
        session.activate(on: .main) { [weak self] event in
            self?.handleEvent(event)
        }
    }

    private func handleEvent(_ event: ASAccessoryEvent) {
        switch event.eventType {
        case .activated:
            // Session ready. Check session.accessories for previously paired devices.
            break
        case .accessoryAdded:
            guard let accessory = event.accessory else { return }
            handleAccessoryAdded(accessory)
        case .accessoryChanged:
            // Accessory properties changed (e.g., display name updated in Settings)
            break
        case .accessoryRemoved:
            // Accessory removed by user or app
            break
        case .invalidated:
            // Session invalidated, cannot be reused
            break
        default:
            break
        }
    }

    private func handleAccessoryAdded(_ accessory: ASAccessory) {}

    func showAccessoryPicker() {
        var descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "ABCD1234-0000-1000-8000-00805F9B34FB")

        guard let image = UIImage(named: "my-accessory") else { return }

        let item = ASPickerDisplayItem(
            name: "My Bluetooth Accessory",
            productImage: image,
            descriptor: descriptor
        )

        session.showPicker(for: [item]) { error in
            if let error {
                print("Picker failed: \(error.localizedDescription)")
            }
        }
    }

    func setupOptions(image: UIImage, descriptor: ASDiscoveryDescriptor) {
        var item = ASPickerDisplayItem(
            name: "My Accessory",
            productImage: image,
            descriptor: descriptor
        )
        item.setupOptions = [.rename, .confirmAuthorization]
    }

    func migrateExistingAccessories(existingPeripheralUUID: UUID) {
        guard let image = UIImage(named: "my-accessory") else { return }

        var descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "ABCD1234-0000-1000-8000-00805F9B34FB")

        let migrationItem = ASMigrationDisplayItem(
            name: "My Accessory",
            productImage: image,
            descriptor: descriptor
        )
        // Set the peripheral identifier from CoreBluetooth
        migrationItem.peripheralIdentifier = existingPeripheralUUID

        // For Wi-Fi accessories:
        // migrationItem.hotspotSSID = "MyAccessory-WiFi"

        session.showPicker(for: [migrationItem]) { error in
            if let error {
                print("Migration failed: \(error.localizedDescription)")
            }
        }
    }
}

class WiFiManager {
    func handleWiFiAccessoryAdded(_ accessory: ASAccessory) {
        guard let ssid = accessory.ssid else { return }

        let configuration = NEHotspotConfiguration(ssid: ssid)
        NEHotspotConfigurationManager.shared.apply(configuration) { error in
            if let error {
                print("Wi-Fi join failed: \(error.localizedDescription)")
            }
        }
    }
}

class BluetoothManager: NSObject, CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func handleAccessoryAdded(_ accessory: ASAccessory) {
        guard let btIdentifier = accessory.bluetoothIdentifier else { return }

        // Create CBCentralManager — no Bluetooth permission prompt appears
        let centralManager = CBCentralManager(delegate: self, queue: nil)

        // After poweredOn, retrieve the peripheral
        let peripherals = centralManager.retrievePeripherals(
            withIdentifiers: [btIdentifier]
        )
        guard let peripheral = peripherals.first else { return }
        centralManager.connect(peripheral, options: nil)
    }

    // CORRECT — wait for .migrationComplete before using CoreBluetooth
    func waitForMigration(_ session: ASAccessorySession) {
        session.activate(on: .main) { event in
            if event.eventType == .migrationComplete {
                let central = CBCentralManager(delegate: self, queue: nil)
            }
        }
    }
}

// "Coordinating Picker Dismissal".
final class DismissalManager {
    let session = ASAccessorySession()
    private(set) var setUp: [ASAccessory] = []

    private var pendingAccessory: ASAccessory?

    private func handleEvent(_ event: ASAccessoryEvent) {
        switch event.eventType {
        case .accessoryAdded:
            pendingAccessory = event.accessory
        case .pickerDidDismiss:
            if let accessory = pendingAccessory {
                pendingAccessory = nil
                beginCustomSetup(accessory)
            }
        default:
            break
        }
    }

    private func beginCustomSetup(_ accessory: ASAccessory) { setUp.append(accessory) }

    func start() { session.activate(on: .main) { [weak self] in self?.handleEvent($0) } }
}

// "Common Mistakes": the wrong listings fail in the way that the guide says.
final class MistakenManager: NSObject, CBCentralManagerDelegate {
    let session = ASAccessorySession()

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    // WRONG — service UUID not in NSAccessorySetupBluetoothServices
    func undeclared(image: UIImage) {
        var descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "D1CEDEAD-0000-1000-8000-00805F9B34FB")
        let item = ASPickerDisplayItem(name: "My Accessory", productImage: image, descriptor: descriptor)
        session.showPicker(for: [item]) { _ in }  // Crash
    }

    // CORRECT — declare all UUIDs in Info.plist first
    // Info.plist: NSAccessorySetupBluetoothServices = ["ABCD1234-..."]
    func declared(image: UIImage) {
        var descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "ABCD1234-0000-1000-8000-00805F9B34FB")
        let item = ASPickerDisplayItem(name: "My Accessory", productImage: image, descriptor: descriptor)
        session.showPicker(for: [item]) { _ in }
    }

    // WRONG — crashes at runtime
    func bothNetworks(image: UIImage) {
        var descriptor = ASDiscoveryDescriptor()
        descriptor.ssid = "MyNetwork"
        descriptor.ssidPrefix = "My"  // Cannot set both
        let item = ASPickerDisplayItem(name: "My Accessory", productImage: image, descriptor: descriptor)
        session.showPicker(for: [item]) { _ in }
    }

    // WRONG — migration fails, picker does not appear
    func centralBeforeMigration(migrationItem: ASMigrationDisplayItem, failed: @escaping (Bool) -> Void) {
        let central = CBCentralManager(delegate: self, queue: nil)
        session.showPicker(for: [migrationItem]) { error in
            // error is non-nil
            failed(error != nil)
        }
    }

    // WRONG — session is dead after invalidation
    func reuse(items: [ASPickerDisplayItem], failed: @escaping (Bool) -> Void) {
        session.invalidate()
        session.showPicker(for: items) { failed($0 != nil) }  // No effect
    }

    // CORRECT — create a new session
    func replace() -> ASAccessorySession {
        let newSession = ASAccessorySession()
        newSession.activate(on: .main) { event in
            // Handle events
        }
        return newSession
    }
}

class UIButton {}

class MistakenViewController: UIViewController {
    let session = ASAccessorySession()
    var items: [ASPickerDisplayItem] = []

    // WRONG — picker appears unexpectedly on app launch
    override func viewDidLoad() {
        super.viewDidLoad()
        session.showPicker(for: items) { _ in }
    }

    // CORRECT — bind picker to a user action
    @IBAction func addAccessoryTapped(_ sender: UIButton) {
        session.showPicker(for: items) { _ in }
    }
}
