/// Ends an activity when it is cancelled or released. Source: Combine, AnyCancellable.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {  // The lock guards the closure.
    private let lock = NSLock()
    private var onCancel: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { onCancel = cancel }
    public init<C: Cancellable>(_ canceller: C) { onCancel = canceller.cancel }

    deinit { cancel() }

    /// Ends the activity. A second call has no effect.
    public func cancel() {
        let body = lock.withLock {
            defer { onCancel = nil }
            return onCancel
        }
        body?()
    }

    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Cancellable {
    public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}
