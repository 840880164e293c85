import Synchronization

/// Announces each change of an object before it happens. Source: Combine, ObservableObjectPublisher.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {  // A subject may be used on any thread.
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()

    public init() {}
    public func send() { subject.send(()) }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        subject.receive(subscriber: subscriber)
    }
}

/// An object that announces each change of its ``Published`` properties before it happens. Source: Combine,
/// ObservableObject.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Announces each change of a ``Published`` property of this object before it happens.
    public var objectWillChange: ObservableObjectPublisher {
        var properties: [any PublishedProperty] = []
        var mirror: Mirror? = Mirror(reflecting: self)
        while let current = mirror {
            properties += current.children.compactMap { $0.value as? any PublishedProperty }
            mirror = current.superclassMirror
        }
        let publisher = properties.lazy.compactMap(\.changes).first ?? ObservableObjectPublisher()
        for property in properties { property.tell(publisher) }
        return publisher
    }
}

/// A property wrapper, of any type, whose changes an object announces.
package protocol PublishedProperty {
    var changes: ObservableObjectPublisher? { get }
    func tell(_ publisher: ObservableObjectPublisher)
}

extension Publisher where Failure == Never {
    /// Sets a published property to each value, as long as the property lives. Source: Combine, Publisher.
    public func assign(to published: inout Published<Output>.Publisher) { published.assign(self) }
}

/// A property whose values can be subscribed to, by `$name`. Source: Combine, Published.
@propertyWrapper
public struct Published<Value> {
    /// The values: the current one, and each new one before it is set.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        fileprivate let storage: Storage

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.subject.receive(subscriber: subscriber)
        }

        /// Sets the property to each value of a publisher, as long as the property lives.
        func assign<P: Combine.Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
            storage.assign(publisher)
        }
    }

    // The owner's isolation guards the value, as on Apple's systems.
    fileprivate final class Storage: @unchecked Sendable {
        var value: Value
        let subject: CurrentValueSubject<Value, Never>
        let changes = Mutex<ObservableObjectPublisher?>(nil)
        /// The publishers that set the value.
        private var assignments: [AnyCancellable] = []

        init(_ value: Value) {
            self.value = value
            subject = CurrentValueSubject(value)
        }

        func set(_ value: Value) {
            changes.withLock { $0 }?.send()
            subject.send(value)
            self.value = value
        }

        func assign<P: Combine.Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
            assignments.append(publisher.sink { [weak self] in self?.set($0) })
        }
    }

    private let storage: Storage

    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
    public init(initialValue: Value) { storage = Storage(initialValue) }

    /// The values. It can be set so that `assign(to: &$name)` compiles; setting it has no effect.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set {}
    }

    @available(*, unavailable, message: "@Published is only for properties of classes")
    public var wrappedValue: Value {
        get { fatalError("the compiler does not let this happen") }
        set { fatalError("the compiler does not let this happen") }
    }

    public static subscript<Owner: AnyObject>(
        _enclosingInstance object: Owner, wrapped wrappedKeyPath: ReferenceWritableKeyPath<Owner, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Owner, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set { object[keyPath: storageKeyPath].storage.set(newValue) }
    }
}

extension Published: PublishedProperty {
    package var changes: ObservableObjectPublisher? { storage.changes.withLock { $0 } }
    package func tell(_ publisher: ObservableObjectPublisher) { storage.changes.withLock { $0 = publisher } }
}
