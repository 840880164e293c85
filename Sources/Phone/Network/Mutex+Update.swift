import Synchronization

extension Mutex where Value: Sendable {
    /// Changes the value. The old value is released after the lock.
    ///
    /// An app's closure may be the last to hold an object that comes back here when it is released: a connection whose
    /// handler holds it, a view model that cancels its browser.
    func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, before) = withLock { value in
            let before = value
            return (change(&value), before)
        }
        return withExtendedLifetime(before) { result }
    }
}
