import Foundation

// If a key is not the name of a property, Foundation on Linux needs no Objective-C. Source: Foundation,
// NSKeyValueCoding.

extension UserDefaults {
    /// The value that is stored under a key.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// Stores a value under a key; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
