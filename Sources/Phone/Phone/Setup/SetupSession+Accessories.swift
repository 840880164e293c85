import Foundation
import RadioModel

extension SetupSession {
    /// Removes an accessory from the app if the person agrees: deletes the bond, and notifies every session of the app
    /// (A5).
    ///
    /// - Parameters:
    ///   - accessory: The accessory's ``AccessoryRecord/id``.
    ///   - completion: Called once, with nil when the accessory is removed.
    package func removeAccessory(_ accessory: UUID, completion: @escaping Completion) {
        note("asked to remove an accessory")
        ask(about: accessory, completion) { session, record in
            let screen = Screen(
                .removeAccessory, title: "Remove “\(record.displayName)”?", controls: [.allow, .deny], willing: .allow)
            guard try await session.phone.display.ask(screen) == .allow else {
                throw SetupError(.userCancelled, "the person kept “\(record.displayName)”")
            }
            await session.setup.remove(record, from: session.app.bundle.identifier)
        }
    }

    /// Asks the person for a new name of an accessory, and notifies every session of the app (A6).
    ///
    /// - Parameters:
    ///   - accessory: The accessory's ``AccessoryRecord/id``.
    ///   - renamesSSID: Whether the SSID changes with the name.
    ///   - completion: Called once, with nil when the person has answered with a name.
    package func renameAccessory(_ accessory: UUID, renamesSSID: Bool, completion: @escaping Completion) {
        note("asked to rename an accessory")
        ask(about: accessory, completion) { session, record in
            let screen = Screen(
                .rename, title: "Rename “\(record.displayName)”", lines: [record.displayName],
                controls: [.rename, .cancel], willing: .rename(record.displayName))
            guard case .rename(let name) = try await session.phone.display.ask(screen) else {
                throw SetupError(.userCancelled, "the person kept the name “\(record.displayName)”")
            }
            session.setup.rename(record, to: name, renamesSSID: renamesSSID, for: session.app.bundle.identifier)
        }
    }
}

extension AccessorySetup {
    /// Removes an accessory from an app: ends forwarding to it, deletes the bond, and notifies the app (A5, A7, N6).
    ///
    /// - Parameter app: The app's bundle identifier.
    package func remove(_ record: AccessoryRecord, from app: String) async {
        // Before the bond and the link are deleted: without a link the accessory could not be informed.
        await phone.notifications.endForwarding(removing: record.id, of: app)
        if let device = record.bluetoothIdentifier.flatMap(phone.identifiers.address) {
            await AccessorySetup.forget(device, on: phone)
        }
        phone.store.remove(record.id, from: app)
        var removed = record
        removed.state = .unauthorized
        for session in sessions(of: app) { session.tell(SetupEvent(.accessoryRemoved, accessory: removed)) }
    }

    /// Renames an accessory, and notifies the app if the name is a new one (A6, A7). Ignores an empty name.
    ///
    /// - Parameters:
    ///   - renamesSSID: Whether the SSID changes with the name.
    ///   - app: The app's bundle identifier.
    package func rename(_ record: AccessoryRecord, to name: String, renamesSSID: Bool, for app: String) {
        guard !name.isEmpty, name != record.displayName else { return }
        // It may have changed, or may be gone, while the person was typing.
        let changed = phone.store.update(record.id, of: app) { record in
            record.displayName = name
            if renamesSSID, record.ssid != nil { record.ssid = name }
        }
        guard let changed else { return }
        for session in sessions(of: app) { session.tell(SetupEvent(.accessoryChanged, accessory: changed)) }
    }
}
