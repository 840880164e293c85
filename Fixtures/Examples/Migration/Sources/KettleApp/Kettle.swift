import Foundation

/// What every kettle has on the air.
public enum Kettle {
    /// The GATT service that it advertises.
    public static let service = "7E771000-5B1E-4C0B-8B39-0A5E4D1C9F10"
    /// Its characteristic with the temperature in °C, one byte. Only a paired phone may read it.
    public static let temperature = "7E771001-5B1E-4C0B-8B39-0A5E4D1C9F10"
}

/// The kettles that the app knows, in a file of its library folder. Each version of the app reads the file of the
/// previous one.
public struct SavedKettles {
    private let file: URL

    public init(library: URL) { file = library.appendingPathComponent("kettles.json") }

    /// The identifiers that Core Bluetooth gave.
    public var identifiers: [UUID] {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([UUID].self, from: $0) } ?? []
    }

    public func add(_ identifier: UUID) throws {
        guard !identifiers.contains(identifier) else { return }
        try JSONEncoder().encode(identifiers + [identifier]).write(to: file, options: .atomic)
    }
}
