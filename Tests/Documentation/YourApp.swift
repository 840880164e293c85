// The listings of the article "Your app", which ArticleTests compares.

import AccessorySetupKit
import CoreBluetooth
import HIL

@MainActor
final class LampApp {
    private let session = ASAccessorySession()
    private var added: ASAccessory?

    required init() async throws {
        session.activate(on: .main) { [weak self] event in
            MainActor.assumeIsolated {
                if event.eventType == .accessoryAdded { self?.added = event.accessory }
            }
        }
    }

    /// Shows the picker, and returns the lamp that the person chose.
    func add() async throws -> ASAccessory? {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "7E570000-1C2B-4E0A-9F4B-6D1E0C5A8B21")
        guard let picture = UIImage(named: "lamp") else { return nil }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: descriptor)])
        return added
    }
}

extension LampApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return AppBundle(identifier: "com.example.lamp", folder: package.appendingPathComponent("App").path)
    }
}

let personCancels = Scenario("A person who closes the picker adds nothing") { lab in
    let app = try await lab.phone.launch(LampApp.self)
    lab.phone.person.will(.cancel)
    try await lab.expect(throwing: ASError.self, "the app hears it", where: { $0.code == .userCancelled }) {
        _ = try await app.add()
    }
    lab.expect(lab.phone.shownScreens.map(\.kind), equals: [.picker], "the person saw the picker, and nothing else")
}
