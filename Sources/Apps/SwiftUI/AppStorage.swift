import Combine
import Foundation
import Synchronization

/// A value in the app's defaults, under a key: `@AppStorage("isOn") var isOn = false`. Source: SwiftUI, AppStorage.
///
/// The defaults are those of the app and of the scenario (`UserDefaults.standard`), unless `store` names others. In an
/// `ObservableObject` it announces its changes as `@Published` does.
@propertyWrapper
public struct AppStorage<Value> {
    // UserDefaults may be used on any thread.
    private final class Place: @unchecked Sendable {
        let read: () -> Value
        let write: (Value) -> Void
        let changes = Mutex<ObservableObjectPublisher?>(nil)

        init(read: @escaping () -> Value, write: @escaping (Value) -> Void) { (self.read, self.write) = (read, write) }
    }

    private let place: Place

    /// - Parameters:
    ///   - standard: The value while there is none under the key.
    ///   - read: Gives the stored value; nil if it has another type.
    ///   - write: Stores a value; nil to remove it.
    private init(
        _ key: String, _ store: UserDefaults?, standard: Value, read: @escaping (UserDefaults) -> Value?,
        write: @escaping (Value, UserDefaults) -> Void
    ) {
        // The app's own defaults are asked for at each use: another app may run by then.
        let defaults = { store ?? .standard }
        place = Place(
            read: {
                let defaults = defaults()
                guard defaults.object(forKey: key) != nil else { return standard }
                return read(defaults) ?? standard
            }, write: { write($0, defaults()) })
    }

    public var wrappedValue: Value {
        get { place.read() }
        nonmutating set {
            place.changes.withLock { $0 }?.send()
            place.write(newValue)
        }
    }

    public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }
}

extension AppStorage: PublishedProperty {
    package var changes: ObservableObjectPublisher? { place.changes.withLock { $0 } }
    package func tell(_ publisher: ObservableObjectPublisher) { place.changes.withLock { $0 = publisher } }
}

// The types of values that defaults hold.
extension AppStorage {
    /// Foundation on Linux keeps only the path of a URL, so its text is stored.
    private static func url(in defaults: UserDefaults, _ key: String) -> URL? {
        defaults.string(forKey: key).flatMap { URL(string: $0) }
    }

    public init(wrappedValue: Bool, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(
            key, store, standard: wrappedValue, read: { $0.bool(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(wrappedValue: Int, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(
            key, store, standard: wrappedValue, read: { $0.integer(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(wrappedValue: Double, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(
            key, store, standard: wrappedValue, read: { $0.double(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(wrappedValue: String, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(
            key, store, standard: wrappedValue, read: { $0.string(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(wrappedValue: URL, _ key: String, store: UserDefaults? = nil) where Value == URL {
        self.init(
            key, store, standard: wrappedValue, read: { Self.url(in: $0, key) },
            write: { $1.set($0.absoluteString, forKey: key) })
    }

    public init(wrappedValue: Data, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(
            key, store, standard: wrappedValue, read: { $0.data(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(wrappedValue: Date, _ key: String, store: UserDefaults? = nil) where Value == Date {
        self.init(
            key, store, standard: wrappedValue, read: { $0.object(forKey: key) as? Date },
            write: { $1.set($0, forKey: key) })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(
            key, store, standard: wrappedValue,
            read: { defaults in (defaults.integer(forKey: key) as Int?).flatMap(Value.init) },
            write: { $1.set($0.rawValue, forKey: key) })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(
            key, store, standard: wrappedValue,
            read: { defaults in (defaults.string(forKey: key) as String?).flatMap(Value.init) },
            write: { $1.set($0.rawValue, forKey: key) })
    }
}

// Values that may be missing: nil removes them.
extension AppStorage where Value: ExpressibleByNilLiteral {
    private init<Stored>(
        optional key: String, _ store: UserDefaults?, read: @escaping (UserDefaults) -> Stored?,
        write: @escaping (Stored, UserDefaults) -> Void
    ) where Value == Stored? {
        self.init(
            key, store, standard: nil, read: { .some(read($0)) },
            write: { value, defaults in
                guard let value else { return defaults.removeObject(forKey: key) }
                write(value, defaults)
            })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
        self.init(optional: key, store, read: { $0.bool(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
        self.init(optional: key, store, read: { $0.integer(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
        self.init(optional: key, store, read: { $0.double(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
        self.init(optional: key, store, read: { $0.string(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == URL? {
        self.init(
            optional: key, store, read: { Self.url(in: $0, key) }, write: { $1.set($0.absoluteString, forKey: key) })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
        self.init(optional: key, store, read: { $0.data(forKey: key) }, write: { $1.set($0, forKey: key) })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Date? {
        self.init(optional: key, store, read: { $0.object(forKey: key) as? Date }, write: { $1.set($0, forKey: key) })
    }

    public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
    where Value == R?, R.RawValue == Int {
        self.init(
            optional: key, store,
            read: { defaults in (defaults.integer(forKey: key) as Int?).flatMap(R.init) },
            write: { $1.set($0.rawValue, forKey: key) })
    }

    public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
    where Value == R?, R.RawValue == String {
        self.init(
            optional: key, store,
            read: { defaults in (defaults.string(forKey: key) as String?).flatMap(R.init) },
            write: { $1.set($0.rawValue, forKey: key) })
    }
}
