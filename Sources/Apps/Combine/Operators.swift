// Operators that give at most one value for each incoming value. Source: Combine, Publisher.

extension Publisher {
    /// A publisher that does something with each value and the end of this one.
    func operate<NewOutput, NewFailure>(
        _ make:
            @escaping (AnySubscriber<NewOutput, NewFailure>, Tie) -> (
                value: (Output) -> Subscribers.Demand, end: (Subscribers.Completion<Failure>) -> Void
            )
    ) -> AnyPublisher<NewOutput, NewFailure> {
        AnyPublisher { subscriber in
            // Ends this publisher when the operator has enough.
            let tie = Tie()
            let (value, end) = make(subscriber, tie)
            self.receive(
                subscriber: AnySubscriber<Output, Failure>(
                    receiveSubscription: {
                        tie.hold($0, requesting: .none)
                        subscriber.receive(subscription: $0)
                    }, receiveValue: value, receiveCompletion: end))
        }
    }

    /// Gives each transformed value.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    fileprivate func mapped<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> {
        operate { next, _ in ({ next.receive(transform($0)) }, next.receive(completion:)) }
    }

    /// Gives each transformed value; an error ends it.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }

    fileprivate func triedMap<T>(_ transform: @escaping (Output) throws -> T) -> AnyPublisher<T, any Error> {
        operate { next, tie in
            (
                { value in
                    do { return next.receive(try transform(value)) } catch {
                        tie.cancel()
                        next.receive(completion: .failure(error))
                        return .none
                    }
                },
                { completion in
                    if !tie.isCancelled { next.receive(completion: completion.mapError { $0 as any Error }) }
                }
            )
        }
    }

    /// Gives each transformed value, without nil.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }

    fileprivate func compactMapped<T>(_ transform: @escaping (Output) -> T?) -> AnyPublisher<T, Failure> {
        operate { next, _ in ({ transform($0).map { next.receive($0) } ?? .max(1) }, next.receive(completion:)) }
    }

    /// Gives the values that match.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }

    /// Leaves out values that equal the one before.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            var last: Output?
            return (
                { value in
                    if let before = last, predicate(before, value) { return .max(1) }
                    last = value
                    return next.receive(value)
                }, next.receive(completion:)
            )
        }
    }

    /// Leaves out the first values.
    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            var left = count
            return (
                { value in
                    guard left <= 0 else {
                        left -= 1
                        return .max(1)
                    }
                    return next.receive(value)
                }, next.receive(completion:)
            )
        }
    }

    /// Gives the first values and ends.
    public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> {
        operate { next, tie in
            var left = maxLength
            return (
                { value in
                    guard left > 0 else { return .none }
                    left -= 1
                    let demand = next.receive(value)
                    if left == 0 {
                        tie.cancel()
                        next.receive(completion: .finished)
                    }
                    return demand
                }, { if !tie.isCancelled { next.receive(completion: $0) } }
            )
        }
    }

    /// Gives the first value and ends.
    public func first() -> AnyPublisher<Output, Failure> { prefix(1) }

    /// Gives the first value that matches and ends.
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }

    /// Ends with another error.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> AnyPublisher<Output, E> {
        operate { next, _ in (next.receive(_:), { next.receive(completion: $0.mapError(transform)) }) }
    }

    /// Gives a value instead of an error, and ends.
    public func replaceError(with output: Output) -> AnyPublisher<Output, Never> {
        operate { next, _ in
            (
                next.receive(_:),
                { completion in
                    if case .failure = completion { _ = next.receive(output) }
                    next.receive(completion: .finished)
                }
            )
        }
    }

    /// Calls closures for what happens; nothing changes.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { subscriber in
            self.receive(
                subscriber: AnySubscriber<Output, Failure>(
                    receiveSubscription: {
                        receiveSubscription?($0)
                        subscriber.receive(
                            subscription: WatchedSubscription($0, onCancel: receiveCancel, onRequest: receiveRequest))
                    },
                    receiveValue: {
                        receiveOutput?($0)
                        return subscriber.receive($0)
                    },
                    receiveCompletion: {
                        receiveCompletion?($0)
                        subscriber.receive(completion: $0)
                    }))
        }
    }
}

/// A subscription that reports each request.
private struct WatchedSubscription: Subscription {
    let combineIdentifier = CombineIdentifier()
    private let whole: any Subscription
    private let onCancel: (() -> Void)?
    private let onRequest: ((Subscribers.Demand) -> Void)?

    init(_ whole: any Subscription, onCancel: (() -> Void)?, onRequest: ((Subscribers.Demand) -> Void)?) {
        (self.whole, self.onCancel, self.onRequest) = (whole, onCancel, onRequest)
    }

    func request(_ demand: Subscribers.Demand) {
        onRequest?(demand)
        whole.request(demand)
    }

    func cancel() {
        onCancel?()
        whole.cancel()
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out values that equal the one before.
    public func removeDuplicates() -> AnyPublisher<Output, Failure> { removeDuplicates(by: ==) }
}

extension Publisher where Failure == Never {
    /// The same values with an error type; no error comes.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }

    fileprivate func withFailureType<E: Error>(_ failureType: E.Type) -> AnyPublisher<Output, E> {
        operate { next, _ in (next.receive(_:), { _ in next.receive(completion: .finished) }) }
    }
}

extension Subscribers.Completion {
    func mapError<E: Error>(_ transform: (Failure) -> E) -> Subscribers.Completion<E> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(transform(error))
        }
    }
}

extension Publishers {
    /// Each transformed value. Source: Combine, Publishers.Map.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.mapped(transform).receive(subscriber: subscriber)
        }
    }

    /// Each transformed value; an error ends it. Source: Combine, Publishers.TryMap.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error
        public let upstream: Upstream
        public let transform: (Upstream.Output) throws -> Output

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.triedMap(transform).receive(subscriber: subscriber)
        }
    }

    /// Each transformed value, without nil. Source: Combine, Publishers.CompactMap.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output?

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.compactMapped(transform).receive(subscriber: subscriber)
        }
    }

    /// The values that match. Source: Combine, Publishers.Filter.
    public struct Filter<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let isIncluded: (Upstream.Output) -> Bool

        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.compactMapped { isIncluded($0) ? $0 : nil }.receive(subscriber: subscriber)
        }
    }

    /// The first value that matches. Source: Combine, Publishers.FirstWhere.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let predicate: (Upstream.Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.compactMapped { predicate($0) ? $0 : nil }.prefix(1).receive(subscriber: subscriber)
        }
    }

    /// Values with an error type; no error comes. Source: Combine, Publishers.SetFailureType.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        public typealias Output = Upstream.Output
        public let upstream: Upstream

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.withFailureType(Failure.self).receive(subscriber: subscriber)
        }
    }

    /// Only the end. Source: Combine, Publishers.IgnoreOutput.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        public typealias Output = Never
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, S.Failure == Failure {
            upstream.compactMapped { _ in Never?.none }.receive(subscriber: subscriber)
        }
    }
}
