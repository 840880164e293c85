import Foundation

/// A value with a lock.
///
/// `Mutex` takes only values that may move between threads. Core Bluetooth's objects may not, as on iOS, but its own
/// threads and the app's queue use them.
package final class Locked<Value> {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
