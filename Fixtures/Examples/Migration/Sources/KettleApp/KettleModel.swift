import AccessorySetupKit
import Foundation

/// The app: it migrates the kettles that its earlier version used, adds new ones, and shows how hot their water is.
@MainActor
public final class KettleModel {
    public let manager = SessionManager()
    public let connection = KettleConnection()
    /// The last temperature from each kettle, in °C.
    public private(set) var temperatures: [UUID: Int] = [:]
    /// Why the last action failed.
    public private(set) var failure: (any Error)?
    /// Whether Core Bluetooth can be used.
    public private(set) var isReady = false
    /// Whether the app asks the person to continue with the kettles of its earlier version.
    public private(set) var asksToMigrate = false

    private let saved: SavedKettles

    public init(library: URL) {
        saved = SavedKettles(library: library)
        manager.delegate = self
        connection.delegate = self
    }

    /// What the app does when it is launched.
    public func start() { manager.activate() }

    /// The person wants to continue with the kettles of the earlier version.
    public func migrateKettles() {
        asksToMigrate = false
        manager.migrate(kettlesToMigrate)
    }

    /// Lets the person add a kettle.
    public func addKettle() { manager.showMyPicker() }

    /// The kettles that only the earlier version of the app knows.
    private var kettlesToMigrate: [UUID] {
        let known = manager.accessories.compactMap(\.bluetoothIdentifier)
        return saved.identifiers.filter { !known.contains($0) }
    }

    private func connectToAll() {
        for identifier in manager.accessories.compactMap(\.bluetoothIdentifier) { connection.connect(to: identifier) }
    }
}

extension KettleModel: SessionManagerDelegate {
    public func sessionManagerDidActivate(_ manager: SessionManager) {
        asksToMigrate = !kettlesToMigrate.isEmpty
        // A CBCentralManager must not be made before the migration is complete.
        if !asksToMigrate { connection.open() }
    }

    public func sessionManagerDidMigrate(_ manager: SessionManager) { connection.open() }

    public func sessionManager(_ manager: SessionManager, didAdd accessory: ASAccessory) {
        do { if let identifier = accessory.bluetoothIdentifier { try saved.add(identifier) } } catch { failure = error }
        if isReady { connectToAll() }
    }

    public func sessionManager(_ manager: SessionManager, didFailWith error: any Error) { failure = error }
}

extension KettleModel: KettleConnectionDelegate {
    public func connectionIsReady(_ connection: KettleConnection) {
        isReady = true
        connectToAll()
    }

    public func connection(_ connection: KettleConnection, didFind identifier: UUID) {}

    public func connection(_ connection: KettleConnection, didRead temperature: Int, of identifier: UUID) {
        temperatures[identifier] = temperature
    }

    public func connection(_ connection: KettleConnection, didFailWith error: any Error) { failure = error }
}
