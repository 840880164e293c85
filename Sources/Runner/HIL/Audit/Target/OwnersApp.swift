import AccessorySetupKit
import CoreBluetooth
import Foundation
import HILPhone
import RadioModel
import Synchronization

/// An app of the harness that sets up the accessory whose descriptor it has: what an owner has on the phone if no team's app is
/// in an audit.
@MainActor
final class OwnersApp: AppUnderTest {
    /// What the app's Info.plist declares.
    struct Declaration: Sendable {
        let service: BluetoothUUID?
        let company: UInt16?

        /// The content of the Info.plist.
        var content: [String: any Sendable] {
            var content: [String: any Sendable] = [
                "CFBundleIdentifier": OwnersApp.identifier, "CFBundleName": "Owner",
                "NSAccessorySetupSupports": ["Bluetooth"],
            ]
            if let service { content["NSAccessorySetupBluetoothServices"] = ["\(service)"] }
            if let company {
                content["NSAccessorySetupBluetoothCompanyIdentifiers"] = [String(company, radix: 16, uppercase: true)]
            }
            return content
        }
    }

    nonisolated static let identifier = "audit.hil.owner"
    /// The folder of its Info.plist, which depends on the accessory.
    nonisolated private static let folder = Mutex("")

    nonisolated static var bundle: AppBundle { AppBundle(identifier: identifier, folder: folder.withLock(\.self)) }

    let session = ASAccessorySession()

    /// Writes its Info.plist. It is launched with that the next time.
    nonisolated static func install(_ declaration: Declaration) throws {
        // Not into a folder of an app, which depends on the app that runs; and each into a new one, as a new version.
        let place = AppHome.current?.folder ?? NSTemporaryDirectory()
        let folder = "\(place)/owner-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = try PropertyListSerialization.data(fromPropertyList: declaration.content, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: "\(folder)/Info.plist"))
        self.folder.withLock { $0 = folder }
    }

    required init() async throws {
        await withCheckedContinuation { continuation in
            session.activate(on: .main) { event in
                if event.eventType == .activated { continuation.resume() }
            }
        }
    }

    /// Shows the picker.
    ///
    /// - Parameter pairs: Whether the picker pairs.
    /// - Returns: The identifier of what the person picked.
    func add(_ declaration: Declaration, named name: String, pairs: Bool) async throws -> UUID? {
        let descriptor = ASDiscoveryDescriptor()
        if let service = declaration.service {
            descriptor.bluetoothServiceUUID = CBUUID(string: "\(service)")
        } else if let company = declaration.company {
            descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(company)
        }
        if pairs { descriptor.supportedOptions = .bluetoothPairingLE }
        let picture = UIImage(systemName: "sensor") ?? UIImage()
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: name, productImage: picture, descriptor: descriptor)])
        return session.accessories.first?.bluetoothIdentifier
    }
}
