import AccessorySetupKit
import CoreBluetooth
import Foundation

#if canImport(UIKit)
    import UIKit
#endif

/// Receives the events of the accessory session.
@MainActor
public protocol SessionManagerDelegate: AnyObject {
    /// The session is activated. Its accessories are those that were added or migrated before.
    func sessionManagerDidActivate(_ manager: SessionManager)
    /// The person picked an accessory, and the picker is gone.
    func sessionManager(_ manager: SessionManager, didAdd accessory: ASAccessory)
    /// Accessories of an earlier version of the app were migrated.
    func sessionManagerDidMigrate(_ manager: SessionManager)
    /// The picker ended without a result.
    func sessionManager(_ manager: SessionManager, didFailWith error: any Error)
}

/// The app's accessory session, and its picker.
@MainActor
public final class SessionManager: NSObject {
    public weak var delegate: (any SessionManagerDelegate)?

    private let session = ASAccessorySession()
    private var pickedAccessory: ASAccessory?

    /// The accessories that the app may use.
    public var accessories: [ASAccessory] { session.accessories }

    public func activate() {
        session.activate(on: DispatchQueue.main) { [weak self] event in
            MainActor.assumeIsolated { self?.handle(event) }
        }
    }

    private func handle(_ event: ASAccessoryEvent) {
        switch event.eventType {
        case .activated:
            delegate?.sessionManagerDidActivate(self)
        case .accessoryAdded:
            pickedAccessory = event.accessory
        case .pickerDidDismiss:
            guard let accessory = pickedAccessory else { return }
            pickedAccessory = nil
            delegate?.sessionManager(self, didAdd: accessory)
        case .migrationComplete:
            delegate?.sessionManagerDidMigrate(self)
        default: break
        }
    }

    /// Shows the picker for new kettles.
    public func showMyPicker() {
        guard let productImage = UIImage(named: "kettle") else { return }
        show([ASPickerDisplayItem(name: "Kettle", productImage: productImage, descriptor: descriptor)])
    }

    /// Migrates kettles that an earlier version of the app used, by the identifiers that Core Bluetooth gave it.
    public func migrate(_ identifiers: [UUID]) {
        guard let productImage = UIImage(named: "kettle") else { return }
        show(
            identifiers.map { identifier in
                let item = ASMigrationDisplayItem(
                    name: "My Kettle", productImage: productImage, descriptor: descriptor)
                item.peripheralIdentifier = identifier
                return item
            })
    }

    private var descriptor: ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: Kettle.service)
        return descriptor
    }

    private func show(_ items: [ASPickerDisplayItem]) {
        session.showPicker(for: items) { [weak self] error in
            guard let error else { return }
            Task { @MainActor [weak self] in
                guard let self else { return }
                self.delegate?.sessionManager(self, didFailWith: error)
            }
        }
    }
}
