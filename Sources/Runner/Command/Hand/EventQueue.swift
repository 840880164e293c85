import Synchronization

/// Values that are taken one after the other.
final class EventQueue<Value: Sendable>: Sendable {
    private let rest: Mutex<[Value]>

    init(_ values: [Value]) { rest = Mutex(values.reversed()) }

    /// The next one; nil if there is none.
    func next() -> Value? { rest.withLock { $0.popLast() } }
}
