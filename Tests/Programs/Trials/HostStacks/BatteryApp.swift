import AccessorySetupKit
import CoreBluetooth
import HIL

/// An app that sets up one kind of accessory with the picker, as a team would write it.
@MainActor
class PickingApp {
    let session = ASAccessorySession()
    private var accessory: ASAccessory?
    private let events = EventLog<ASAccessoryEventType>()

    required init() async throws {
        session.activate(on: .main) { [weak self] event in
            MainActor.assumeIsolated {
                if event.eventType == .accessoryAdded { self?.accessory = event.accessory }
                self?.events.append(event.eventType)
            }
        }
    }

    /// Shows the picker for accessories with this service, and returns the one that was set up.
    func add(service: String, name: String) async throws -> ASAccessory? {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: service)
        descriptor.bluetoothNameSubstring = name
        descriptor.supportedOptions = [.bluetoothPairingLE]
        guard let picture = UIImage(named: "die") else { return nil }
        _ = try await events.first(within: .seconds(5), waitingFor: "the session") { $0 == .activated }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: name, productImage: picture, descriptor: descriptor)])
        return accessory
    }
}

/// The app of the battery.
final class BatteryApp: PickingApp, AppUnderTest {
    nonisolated static var bundle: AppBundle {
        AppBundle(
            identifier: "com.example.batteries", infoPlist: "\(Files.hostStacks)/App/Info.plist",
            resources: "\(Files.checkout)/Fixtures/DiceApp")
    }
}
