import AccessorySetupKit
import CoreBluetooth
import HIL

/// The smallest app that sets a thermostat up.
@MainActor
final class ThermostatApp: AppUnderTest {
    static let service = "7E570000-1C2B-4E0A-9F4B-6D1E0C5A8B21"

    nonisolated static var bundle: AppBundle {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("App").path
        return AppBundle(identifier: "com.example.thermostat", folder: folder)
    }

    private let session = ASAccessorySession()
    private var added: [ASAccessory] = []

    required init() async throws {
        session.activate(on: .main) { [weak self] event in
            MainActor.assumeIsolated {
                if event.eventType == .accessoryAdded, let accessory = event.accessory { self?.added.append(accessory) }
            }
        }
    }

    /// Shows the picker, and returns the accessory that the person picked.
    func add() async throws -> ASAccessory? {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: ThermostatApp.service)
        guard let picture = UIImage(named: "thermostat") else { return nil }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Thermostat", productImage: picture, descriptor: descriptor)])
        return added.last
    }
}
