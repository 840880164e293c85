/// Gives one value and ends. Source: Combine, Just.
public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public let output: Output

    public init(_ output: Output) { self.output = output }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        Outlet.give(output, .finished, to: AnySubscriber(subscriber))
    }
}

/// Ends without a value. Source: Combine, Empty.
public struct Empty<Output, Failure: Error>: Publisher {
    private let completes: Bool

    public init(completeImmediately: Bool = true) { completes = completeImmediately }
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        completes = completeImmediately
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber)) { _ in }
        outlet.begin(with: nil)
        if completes { outlet.finish(.finished) }
    }
}

/// Ends with an error. Source: Combine, Fail.
public struct Fail<Output, Failure: Error>: Publisher {
    public let error: Failure

    public init(error: Failure) { self.error = error }
    public init(outputType: Output.Type, failure: Failure) { error = failure }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber)) { _ in }
        outlet.begin(with: nil)
        outlet.finish(.failure(error))
    }
}

/// Makes a publisher for each subscriber. Source: Combine, Deferred.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    public let createPublisher: () -> DeferredPublisher

    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().receive(subscriber: subscriber)
    }
}

/// Gives one result, once it is there. Source: Combine, Future.
public final class Future<Output, Failure: Error>: Publisher {
    public typealias Promise = (Result<Output, Failure>) -> Void
    private let lock = NSLock()
    private var result: Result<Output, Failure>?
    private var waiting: [AnySubscriber<Output, Failure>] = []

    /// Runs the closure at once; it calls the promise when it has the result.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) { attemptToFulfill(fulfil) }

    private func fulfil(_ result: Result<Output, Failure>) {
        let ready = lock.withLock {
            guard self.result == nil else { return [AnySubscriber<Output, Failure>]() }
            self.result = result
            defer { waiting = [] }
            return waiting
        }
        ready.forEach { give(result, to: $0) }
    }

    private func give(_ result: Result<Output, Failure>, to subscriber: AnySubscriber<Output, Failure>) {
        switch result {
        case .success(let value): Outlet.give(value, .finished, to: subscriber)
        case .failure(let error):
            let outlet = Outlet(subscriber) { _ in }
            outlet.begin(with: nil)
            outlet.finish(.failure(error))
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscriber = AnySubscriber(subscriber)
        let result = lock.withLock {
            if self.result == nil { waiting.append(subscriber) }
            return self.result
        }
        if let result { give(result, to: subscriber) }
    }
}

extension Outlet {
    /// Gives one value as soon as it is asked for, and then the end.
    static func give(
        _ value: Output, _ completion: Subscribers.Completion<Failure>, to subscriber: AnySubscriber<Output, Failure>
    ) {
        let isGiven = Tie()
        let outlet = Outlet(
            AnySubscriber(
                receiveSubscription: subscriber.receive(subscription:),
                receiveValue: { value in
                    guard !isGiven.isCancelled else { return .none }
                    isGiven.cancel()
                    _ = subscriber.receive(value)
                    subscriber.receive(completion: completion)
                    return .none
                })
        ) { _ in isGiven.cancel() }
        outlet.begin(with: value)
    }
}

extension Publisher {
    /// Attaches a subscriber, and runs a body when it cancels.
    func onCancel(_ subscriber: AnySubscriber<Output, Failure>, _ body: @escaping () -> Void) {
        receive(
            subscriber: AnySubscriber<Output, Failure>(
                receiveSubscription: { subscriber.receive(subscription: EndedSubscription(of: $0, onCancel: body)) },
                receiveValue: subscriber.receive(_:), receiveCompletion: subscriber.receive(completion:)))
    }
}

/// A subscription with an additional action on cancellation.
struct EndedSubscription: Subscription {
    let combineIdentifier = CombineIdentifier()
    private let subscription: any Subscription
    private let onCancel: () -> Void

    init(of subscription: any Subscription, onCancel: @escaping () -> Void) {
        self.subscription = subscription
        self.onCancel = onCancel
    }

    func request(_ demand: Subscribers.Demand) { subscription.request(demand) }
    func cancel() {
        subscription.cancel()
        onCancel()
    }
}
