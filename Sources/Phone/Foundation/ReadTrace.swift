import Foundation

// Apps also observe a property of Core Bluetooth through their own property: `observe(\.manager?.isScanning)`. The key
// path does not say which object that is; reading it once does.

/// The observable properties that are read while a key path is followed.
package final class ReadTrace {
    @TaskLocal private static var current: ReadTrace?
    private(set) var reads: [(observers: PropertyObservers, property: AnyKeyPath)] = []

    /// A property is read.
    package static func note(_ observers: PropertyObservers, _ property: AnyKeyPath) {
        current?.reads.append((observers, property))
    }

    /// The properties that `body` reads.
    static func reading(_ body: () -> Void) -> ReadTrace {
        let trace = ReadTrace()
        $current.withValue(trace, operation: body)
        return trace
    }
}

extension ReadTrace: @unchecked Sendable {}  // Only the thread that reads uses it.

extension NSObjectProtocol where Self: NSObject {
    /// Observes the property at the end of a key path.
    ///
    /// - Returns: nil if nothing there can be observed.
    package func observeRead<Value>(
        _ keyPath: KeyPath<Self, Value>, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation? {
        let first = Locked(self[keyPath: keyPath])
        guard let read = ReadTrace.reading({ _ = self[keyPath: keyPath] }).reads.last else { return nil }
        let tell = { [weak self] (old: Value, isPrior: Bool) in
            guard let self, !isPrior || options.contains(.prior) else { return }
            handler(
                self,
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) && !isPrior ? self[keyPath: keyPath] : nil,
                    oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior))
        }
        if options.contains(.initial) {
            handler(
                self,
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) ? first.withLock { $0 } : nil, oldValue: nil,
                    indexes: nil, isPrior: false))
        }
        return read.observers.add(read.property) { [weak self] isPrior in
            guard let self else { return }
            if isPrior {
                let old = self[keyPath: keyPath]
                first.withLock { $0 = old }
            }
            tell(first.withLock { $0 }, isPrior)
        }
    }
}

/// Why a key path cannot be observed, for the message that ends the program.
package let nothingToObserve =
    "the observed key path does not end at a property of Core Bluetooth: Foundation on Linux observes no other "
    + "properties, and a manager or peripheral must be there before it is observed"
