/// A table of a bounded size. Beyond it, the entry that was unused for the longest time is dropped.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var used: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    /// - Parameter limit: The most entries, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { entries.count }

    /// The value of a key, without counting as a use.
    func peek(_ key: Key) -> Value? { entries[key]?.value }

    /// The key that was used last of those with a property. It takes time in proportion to the table.
    func lastKey(where isMatch: (Key) -> Bool) -> Key? {
        entries.filter { isMatch($0.key) }.max { $0.value.used < $1.value.used }?.key
    }

    /// The value of a key. This counts as a use.
    mutating func use(_ key: Key) -> Value? {
        guard let value = entries[key]?.value else { return nil }
        set(key, value)
        return value
    }

    mutating func set(_ key: Key, _ value: Value) {
        clock &+= 1
        entries[key] = Entry(value: value, used: clock)
        guard entries.count > limit, let oldest = entries.min(by: { $0.value.used < $1.value.used }) else { return }
        entries[oldest.key] = nil
    }

    mutating func remove(_ key: Key) { entries[key] = nil }

    mutating func removeAll(where isDropped: (Key, Value) -> Bool) {
        entries = entries.filter { !isDropped($0.key, $0.value.value) }
    }

    mutating func removeAll() { entries = [:] }
}
