// The listings stay as they were written.
// swift-format-ignore-file

import AccessorySetupKit
import CoreBluetooth
import NetworkExtension
import Testing

// The listings of the guide to AccessorySetupKit (seed 002), each in a place where it can stand.

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
