import Foundation

extension Publishers {
    /// When a buffer asks the publisher before it for values. Source: Combine, Publishers.PrefetchStrategy.
    public enum PrefetchStrategy: Sendable, Hashable {
        /// As many as fit, at once.
        case keepFull
        /// As many as are asked for.
        case byRequest
    }

    /// How a full buffer handles another value. Source: Combine, Publishers.BufferingStrategy.
    public enum BufferingStrategy<Failure: Error> {
        case dropNewest
        case dropOldest
        case customError(() -> Failure)
    }
}

extension Publisher {
    /// Keeps values until they are asked for.
    ///
    /// - Parameters:
    ///   - size: How many are kept.
    ///   - prefetch: Both strategies take every value: a publisher here gives all it has.
    ///   - whenFull: How another value is handled.
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { subscriber in
            let kept = Kept(subscriber, size, whenFull)
            subscriber.receive(subscription: kept)
            self.receive(
                subscriber: AnySubscriber<Output, Failure>(
                    receiveSubscription: { kept.tie.hold($0, requesting: .unlimited) },
                    receiveValue: { value in
                        kept.add(value)
                        return .none
                    }, receiveCompletion: kept.end))
        }
    }
}

/// The values that a subscriber has not asked for yet.
private final class Kept<Output, Failure: Error>: Subscription, @unchecked Sendable {  // The lock guards the state.
    let tie = Tie()
    private let lock = NSRecursiveLock()
    private let size: Int
    private let whenFull: Publishers.BufferingStrategy<Failure>
    private var subscriber: AnySubscriber<Output, Failure>?
    private var values: [Output] = []
    private var completion: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isGiving = false

    init(
        _ subscriber: AnySubscriber<Output, Failure>, _ size: Int, _ whenFull: Publishers.BufferingStrategy<Failure>
    ) {
        self.subscriber = subscriber
        self.size = size
        self.whenFull = whenFull
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            self.demand += demand
            give()
        }
    }

    func add(_ value: Output) {
        lock.withLock {
            guard completion == nil else { return }
            if values.count < size || demand > 0 {
                values.append(value)
            } else {
                switch whenFull {
                case .dropNewest: break
                case .dropOldest: values = values.dropFirst() + (size > 0 ? [value] : [])
                case .customError(let error):
                    tie.cancel()
                    completion = .failure(error())
                }
            }
            give()
        }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        lock.withLock {
            if self.completion == nil { self.completion = completion }
            give()
        }
    }

    func cancel() {
        tie.cancel()
        lock.withLock { subscriber = nil }
    }

    /// Gives the requested values, and the end after the last one. A subscriber may ask for more meanwhile.
    private func give() {
        guard !isGiving else { return }
        isGiving = true
        defer { isGiving = false }
        while demand > 0, !values.isEmpty, let subscriber {
            demand -= 1
            demand += subscriber.receive(values.removeFirst())
        }
        guard values.isEmpty, let completion, let subscriber else { return }
        self.subscriber = nil
        subscriber.receive(completion: completion)
    }
}
