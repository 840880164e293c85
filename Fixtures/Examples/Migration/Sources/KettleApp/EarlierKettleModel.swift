import Foundation

/// The app's version before it used AccessorySetupKit: Core Bluetooth alone, with access to all of Bluetooth.
@MainActor
public final class EarlierKettleModel: KettleConnectionDelegate {
    /// The last temperature from the kettle, in °C.
    public private(set) var temperature: Int?
    /// Why the kettle could not be set up.
    public private(set) var failure: (any Error)?

    private let connection = KettleConnection()
    private let saved: SavedKettles

    public init(library: URL) {
        saved = SavedKettles(library: library)
        connection.delegate = self
    }

    /// Sets up the first kettle that is found.
    public func start() { connection.open() }

    public func connectionIsReady(_ connection: KettleConnection) { connection.scan() }

    public func connection(_ connection: KettleConnection, didFind identifier: UUID) {
        connection.connect(to: identifier)
    }

    public func connection(_ connection: KettleConnection, didRead temperature: Int, of identifier: UUID) {
        self.temperature = temperature
        do { try saved.add(identifier) } catch { failure = error }
    }

    public func connection(_ connection: KettleConnection, didFailWith error: any Error) { failure = error }
}
