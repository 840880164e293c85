import Synchronization

/// Remembers values by a key.
final class Memo<Key: Sendable & Hashable, Value: Sendable>: Sendable {
    private let state = Mutex<[Key: Value]>([:])

    subscript(key: Key) -> Value? {
        get { state.withLock { $0[key] } }
        set { state.withLock { $0[key] = newValue } }
    }
}
