import Foundation
import RadioModel

extension SetupSession {
    /// Asks the person, deletes the bond, and tells every session of the app (A5).
    public func removeAccessory(_ accessory: UUID, completion: @escaping Completion) {
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

    /// Lets the person give another name, and tells every session of the app (A6).
    ///
    /// - Parameter renamesSSID: Whether the SSID changes with the name.
    public func renameAccessory(_ accessory: UUID, renamesSSID: Bool, completion: @escaping Completion) {
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
    /// Takes an accessory from an app: forwarding to it ends, the bond is deleted, the app is told (A5, A7, N6).
    public func remove(_ record: AccessoryRecord, from app: String) async {
        // While there is a link: without it the accessory could not be told.
        await phone.notifications.endForwarding(removing: record.id, of: app)
        if let device = record.bluetoothIdentifier.flatMap(phone.identifiers.address) {
            do { try await phone.radio.forget(device) } catch {
                phone.note(error, during: "deleting the bond of \(device)", by: "setup")
            }
        }
        phone.store.remove(record.id, from: app)
        var removed = record
        removed.state = .unauthorized
        for session in sessions(of: app) { session.tell(SetupEvent(.accessoryRemoved, accessory: removed)) }
    }

    /// Gives an accessory another name; the app is told if it is another one (A6, A7).
    public func rename(_ record: AccessoryRecord, to name: String, renamesSSID: Bool, for app: String) {
        guard !name.isEmpty, name != record.displayName else { return }
        var record = record
        record.displayName = name
        if renamesSSID, record.ssid != nil { record.ssid = name }
        phone.store.set(record, for: app)
        for session in sessions(of: app) { session.tell(SetupEvent(.accessoryChanged, accessory: record)) }
    }
}
