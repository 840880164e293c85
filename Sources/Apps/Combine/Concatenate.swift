import Foundation

extension Publishers {
    /// Gives the values of one publisher, then those of another. Source: Combine, Publishers.Concatenate.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        public typealias Output = Suffix.Output
        public typealias Failure = Suffix.Failure
        public let prefix: Prefix
        public let suffix: Suffix

        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let chain = Chain(AnySubscriber(subscriber))
            subscriber.receive(subscription: chain)
            chain.follow(prefix) { chain.follow(suffix) { chain.finish(.finished) } }
        }
    }
}

extension Publisher {
    /// Gives values first.
    public func prepend(_ elements: Output...)
        -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
    { prepend(elements) }

    /// Gives the values of a sequence first.
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
    where S.Element == Output {
        Publishers.Concatenate(prefix: Publishers.Sequence(sequence: elements), suffix: self)
    }

    /// Gives the values of another publisher first.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }

    /// Gives values at the end.
    public func append(_ elements: Output...)
        -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
    { Publishers.Concatenate(prefix: self, suffix: Publishers.Sequence(sequence: elements)) }

    /// Gives the values of another publisher at the end.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }
}

/// The publishers whose values one subscriber gets, one after the other.
private final class Chain<Output, Failure: Error>: Subscription, @unchecked Sendable {  // The lock guards the state.
    private let lock = NSRecursiveLock()
    private var subscriber: AnySubscriber<Output, Failure>?
    private var current: (any Subscription)?
    /// The demand that is not met yet.
    private var demand = Subscribers.Demand.none

    init(_ subscriber: AnySubscriber<Output, Failure>) { self.subscriber = subscriber }

    /// Gives the values of a publisher, and calls `end` when it has finished.
    func follow<P: Publisher>(_ publisher: P, end: @escaping () -> Void)
    where P.Output == Output, P.Failure == Failure {
        guard lock.withLock({ subscriber != nil }) else { return }
        publisher.receive(
            subscriber: AnySubscriber<Output, Failure>(
                receiveSubscription: { subscription in
                    let demand = self.lock.withLock {
                        self.current = subscription
                        return self.demand
                    }
                    if demand > 0 { subscription.request(demand) }
                },
                receiveValue: { value in
                    let subscriber = self.lock.withLock {
                        self.demand = self.demand - 1
                        return self.subscriber
                    }
                    let more = subscriber?.receive(value) ?? .none
                    self.lock.withLock { self.demand += more }
                    return more
                },
                receiveCompletion: { completion in
                    if case .failure = completion { self.finish(completion) } else { end() }
                }))
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        let subscriber = lock.withLock {
            defer { (self.subscriber, current) = (nil, nil) }
            return self.subscriber
        }
        subscriber?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let current = lock.withLock {
            self.demand += demand
            return self.current
        }
        current?.request(demand)
    }

    func cancel() {
        let current = lock.withLock {
            defer { (subscriber, self.current) = (nil, nil) }
            return self.current
        }
        current?.cancel()
    }
}
