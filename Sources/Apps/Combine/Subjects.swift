/// Gives the values that the app sends to the current subscribers. Source: Combine, PassthroughSubject.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let outlets = Outlets<Output, Failure>()

    public init() {}

    public func send(_ value: Output) { outlets.send(value) }
    public func send(completion: Subscribers.Completion<Failure>) { outlets.finish(completion) }
    public func send(subscription: any Subscription) { subscription.request(.unlimited) }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        outlets.add(AnySubscriber(subscriber))
    }
}

/// Gives the last value that the app sent, and those that follow. Source: Combine, CurrentValueSubject.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let outlets = Outlets<Output, Failure>()

    public init(_ value: Output) { outlets.replaceCurrent(value) }

    /// The last value. Setting it sends it.
    public var value: Output {
        get {
            guard let current = outlets.current else { preconditionFailure("it has had a value since it was made") }
            return current
        }
        set { send(newValue) }
    }

    public func send(_ value: Output) {
        outlets.replaceCurrent(value)
        outlets.send(value)
    }
    public func send(completion: Subscribers.Completion<Failure>) { outlets.finish(completion) }
    public func send(subscription: any Subscription) { subscription.request(.unlimited) }
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        outlets.add(AnySubscriber(subscriber))
    }
}

/// The subscribers of a subject, and its last value if it keeps one.
final class Outlets<Output, Failure: Error>: @unchecked Sendable {  // The lock guards the state.
    private let lock = NSLock()
    private var outlets: [Outlet<Output, Failure>] = []
    private var completion: Subscribers.Completion<Failure>?
    private var value: Output?

    var current: Output? { lock.withLock { value } }

    /// Nothing changes after the end.
    func replaceCurrent(_ value: Output) { lock.withLock { if completion == nil { self.value = value } } }

    func add(_ subscriber: AnySubscriber<Output, Failure>) {
        let outlet = Outlet(subscriber) { [weak self] in self?.remove($0) }
        let (completion, value) = lock.withLock {
            if self.completion == nil { outlets.append(outlet) }
            return (self.completion, self.value)
        }
        outlet.begin(with: completion == nil ? value : nil)
        if let completion { outlet.finish(completion) }
    }

    private func remove(_ outlet: Outlet<Output, Failure>) { lock.withLock { outlets.removeAll { $0 === outlet } } }

    func send(_ value: Output) { lock.withLock { outlets }.forEach { $0.send(value) } }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        let ended = lock.withLock {
            guard self.completion == nil else { return [Outlet<Output, Failure>]() }
            self.completion = completion
            defer { outlets = [] }
            return outlets
        }
        ended.forEach { $0.finish(completion) }
    }
}

/// One subscriber of a subject. It gets no more values than it asked for.
final class Outlet<Output, Failure: Error>: Subscription, @unchecked Sendable {  // The lock guards the state.
    private let lock = NSRecursiveLock()
    private var subscriber: AnySubscriber<Output, Failure>?
    private var demand = Subscribers.Demand.none
    /// The value to give on the first request: the one that the subject had before.
    private var pending: Output?
    private let onEnd: (Outlet) -> Void

    init(_ subscriber: AnySubscriber<Output, Failure>, onEnd: @escaping (Outlet) -> Void) {
        self.subscriber = subscriber
        self.onEnd = onEnd
    }

    func begin(with value: Output?) {
        lock.withLock { pending = value }
        lock.withLock { subscriber }?.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {
        let value = lock.withLock {
            self.demand += demand
            guard self.demand > 0, pending != nil else { return Output?.none }
            defer { pending = nil }
            return pending
        }
        if let value { send(value) }
    }

    func send(_ value: Output) {
        let subscriber = lock.withLock {
            pending = nil
            guard demand > 0 else { return AnySubscriber<Output, Failure>?.none }
            demand -= 1
            return self.subscriber
        }
        guard let more = subscriber?.receive(value) else { return }
        lock.withLock { demand += more }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        let subscriber = lock.withLock {
            defer { self.subscriber = nil }
            return self.subscriber
        }
        subscriber?.receive(completion: completion)
    }

    func cancel() {
        lock.withLock { subscriber = nil }
        onEnd(self)
    }
}
