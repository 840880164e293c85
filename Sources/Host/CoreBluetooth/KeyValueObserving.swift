import Foundation

// Foundation on Linux has no key-value observing. Core Bluetooth's objects bring it for the properties that apps observe.
// Source: Foundation, NSKeyValueObserving.

/// What an observer is given.
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
final class PropertyObservers {
    private struct Observer {
        let property: AnyKeyPath
        let tell: (_ old: Any, _ new: Any, _ isPrior: Bool) -> Void
    }

    private let observers = Locked<[Int: Observer]>([:])
    private let last = Locked(0)

    func add<Value>(
        _ property: AnyKeyPath, _ options: NSKeyValueObservingOptions, current: Value,
        _ handler: @escaping (NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let number = last.withLock {
            $0 += 1
            return $0
        }
        let observer = Observer(property: property) { old, new, isPrior in
            guard !isPrior || options.contains(.prior) else { return }
            handler(
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) && !isPrior ? new as? Value : nil,
                    oldValue: options.contains(.old) ? old as? Value : nil, indexes: nil, isPrior: isPrior))
        }
        observers.withLock { $0[number] = observer }
        if options.contains(.initial) {
            handler(
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) ? current : nil, oldValue: nil, indexes: nil,
                    isPrior: false))
        }
        return NSKeyValueObservation { [weak self] in self?.observers.withLock { _ = $0.removeValue(forKey: number) } }
    }

    /// Makes a change, and tells the observers of the property in the order in which they began.
    func change<Value>(_ property: AnyKeyPath, from old: Value, to new: Value, _ change: () -> Void) {
        let told = observers.withLock { observers in
            observers.filter { $0.value.property == property }.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in told { observer.tell(old, new, true) }
        change()
        for observer in told { observer.tell(old, new, false) }
    }
}

extension CBPeripheral {
    /// Observes `\.state`. The handler is called on the manager's queue, or where the app connects or cancels.
    ///
    /// Nothing is called for other properties: the delegate tells of their changes.
    public func observe<Value>(
        _ keyPath: KeyPath<CBPeripheral, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (CBPeripheral, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        if keyPath as AnyKeyPath != \CBPeripheral.state { client.misuse("only a peripheral's state can be observed") }
        return observers.add(keyPath, options, current: self[keyPath: keyPath]) { [weak self] change in
            if let self { changeHandler(self, change) }
        }
    }
}

extension CBCentralManager {
    /// Observes `\.isScanning`. The handler is called where the app starts or stops the scan, or on the manager's queue.
    ///
    /// Nothing is called for other properties: the delegate tells of their changes.
    public func observe<Value>(
        _ keyPath: KeyPath<CBCentralManager, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (CBCentralManager, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        if keyPath as AnyKeyPath != \CBCentralManager.isScanning {
            client.misuse("only isScanning of a central manager can be observed")
        }
        return observers.add(keyPath, options, current: self[keyPath: keyPath]) { [weak self] change in
            if let self { changeHandler(self, change) }
        }
    }
}

extension NSObjectProtocol where Self: NSObject {
    @available(
        *, unavailable,
        message:
            "Foundation on Linux has no key-value observing: observe the peripheral (\\.state) or the central manager (\\.isScanning) itself"
    )
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { fatalError("the compiler does not let this happen") }
}
