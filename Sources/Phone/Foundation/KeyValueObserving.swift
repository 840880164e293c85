import Foundation

// Foundation on Linux has no key-value observing. This is the part that apps use. Each module says which of its
// properties can be observed: Core Bluetooth's does.
// Source: Foundation, NSKeyValueObserving.

/// The values and calls that an observer gets.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let new = Self(rawValue: 1 << 0)
    public static let old = Self(rawValue: 1 << 1)
    /// Calls the handler at once as well.
    public static let initial = Self(rawValue: 1 << 2)
    /// Calls the handler before the change as well.
    public static let prior = Self(rawValue: 1 << 3)
}

/// The kind of a change. Only properties with one value are observed here.
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}

/// A change of an observed property. The values are nil unless the options ask for them.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange
    public let kind: Kind
    public let newValue: Value?
    public let oldValue: Value?
    /// Always nil: properties with one value have no indexes.
    public let indexes: IndexSet?
    /// Whether the change comes after this call.
    public let isPrior: Bool
}

/// An observation. It ends when the app invalidates or releases it.
public final class NSKeyValueObservation: NSObject {
    private let end: Locked<(() -> Void)?>

    init(_ end: @escaping () -> Void) { self.end = Locked(end) }

    deinit { invalidate() }

    /// Ends the observation.
    public func invalidate() {
        let body = end.withLock { end in
            defer { end = nil }
            return end
        }
        body?()
    }
}

/// The observers of one object.
package final class PropertyObservers {
    package init() {}

    private struct Observer {
        let property: AnyKeyPath
        let tell: (_ old: Any, _ new: Any, _ isPrior: Bool) -> Void
    }

    private let observers = Locked<[Int: Observer]>([:])
    private let last = Locked(0)

    package func add<Value>(
        _ property: AnyKeyPath, _ options: NSKeyValueObservingOptions, current: Value,
        _ handler: @escaping (NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observation = add(property) { old, new, isPrior in
            guard !isPrior || options.contains(.prior) else { return }
            handler(
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) && !isPrior ? new as? Value : nil,
                    oldValue: options.contains(.old) ? old as? Value : nil, indexes: nil, isPrior: isPrior))
        }
        if options.contains(.initial) {
            handler(
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) ? current : nil, oldValue: nil, indexes: nil,
                    isPrior: false))
        }
        return observation
    }

    /// Calls `tell` with the old and the new value before each change of the property, and after it.
    private func add(
        _ property: AnyKeyPath, _ tell: @escaping (_ old: Any, _ new: Any, _ isPrior: Bool) -> Void
    ) -> NSKeyValueObservation {
        let number = last.withLock {
            $0 += 1
            return $0
        }
        observers.withLock { $0[number] = Observer(property: property, tell: tell) }
        return NSKeyValueObservation { [weak self] in self?.observers.withLock { _ = $0.removeValue(forKey: number) } }
    }

    /// Calls `tell` before each change of the property, and after it.
    func add(_ property: AnyKeyPath, _ tell: @escaping (_ isPrior: Bool) -> Void) -> NSKeyValueObservation {
        add(property) { _, _, isPrior in tell(isPrior) }
    }

    /// Makes a change, and notifies the observers of the property in the order in which they began.
    package func change<Value>(_ property: AnyKeyPath, from old: Value, to new: Value, _ change: () -> Void) {
        let told = observers.withLock { observers in
            observers.filter { $0.value.property == property }.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in told { observer.tell(old, new, true) }
        change()
        for observer in told { observer.tell(old, new, false) }
    }
}

extension NSObjectProtocol where Self: NSObject {
    @available(
        *, unavailable,
        message:
            "Foundation on Linux has no key-value observing: only a peripheral's state and a central manager's isScanning can be observed"
    )
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { fatalError("the compiler does not let this happen") }
}
