@_exported import Foundation

/// Something that gives values to subscribers over time. Source: Combine, Publisher.
///
/// This is the part of Combine that apps use beside their accessories: subjects, `@Published`, and the operators of
/// this module. Operators return ``AnyPublisher``, where Apple's have their own types.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    /// Attaches a subscriber. Apps call ``subscribe(_:)`` or ``sink(receiveValue:)``.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// Something that takes the values of a publisher. Source: Combine, Subscriber.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    /// The publisher has attached this subscriber, which may now ask for values.
    func receive(subscription: any Subscription)
    /// A value came. The result is how many more are wanted.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Nothing more comes.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// Something that can be ended. Source: Combine, Cancellable.
public protocol Cancellable {
    func cancel()
}

/// The tie between a publisher and a subscriber. Source: Combine, Subscription.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Asks for this many more values.
    func request(_ demand: Subscribers.Demand)
}

/// A publisher to which the app itself gives values. Source: Combine, Subject.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    public func send() { send(()) }
}

/// The types that subscribers are made of. Source: Combine, Subscribers.
public enum Subscribers {
    /// How many values are wanted.
    public struct Demand: Sendable, Hashable, Comparable {
        /// nil means no limit.
        public let max: Int?

        public static let unlimited = Demand(max: nil)
        public static let none = Demand(max: 0)
        public static func max(_ value: Int) -> Demand { Demand(max: value) }

        public static func + (one: Demand, other: Demand) -> Demand {
            guard let first = one.max, let second = other.max else { return .unlimited }
            return Demand(max: first + second)
        }
        public static func += (one: inout Demand, other: Demand) { one = one + other }
        public static func -= (one: inout Demand, count: Int) {
            one = Demand(max: one.max.map { Swift.max(0, $0 - count) })
        }
        public static func + (one: Demand, count: Int) -> Demand { one + .max(count) }
        public static func += (one: inout Demand, count: Int) { one = one + count }
        public static func - (one: Demand, count: Int) -> Demand { one - .max(count) }
        public static func - (one: Demand, other: Demand) -> Demand {
            guard let first = one.max else { return .unlimited }
            return Demand(max: other.max.map { Swift.max(0, first - $0) } ?? 0)
        }
        public static func * (one: Demand, count: Int) -> Demand { Demand(max: one.max.map { $0 * count }) }
        public static func > (one: Demand, count: Int) -> Bool { one.max.map { $0 > count } ?? true }
        public static func >= (one: Demand, count: Int) -> Bool { one.max.map { $0 >= count } ?? true }
        public static func < (one: Demand, count: Int) -> Bool { !(one >= count) }
        public static func <= (one: Demand, count: Int) -> Bool { !(one > count) }
        public static func == (one: Demand, count: Int) -> Bool { one.max == count }
        public static func < (one: Demand, other: Demand) -> Bool {
            guard let first = one.max else { return false }
            return other.max.map { first < $0 } ?? true
        }
    }

    /// How a publisher ends.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}

extension Publisher {
    /// Attaches a subscriber.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Gives all values to a subject.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        sink(receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
    }

    /// Calls closures for the values and the end, until the result is cancelled or gone.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let tie = Tie()
        receive(
            subscriber: AnySubscriber<Output, Failure>(
                receiveSubscription: { tie.hold($0, requesting: .unlimited) },
                receiveValue: { value in
                    if !tie.isCancelled { receiveValue(value) }
                    return .none
                },
                receiveCompletion: { completion in
                    // First, so that a cancellation meanwhile does not reach the publisher any more.
                    let isWanted = !tie.isCancelled
                    tie.release()
                    if isWanted { receiveCompletion(completion) }
                }))
        return AnyCancellable { tie.cancel() }
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure for each value, until the result is cancelled or gone.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Writes each value into a property of an object, and retains the object.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }
}

/// Holds a subscription until it is cancelled or has ended.
final class Tie: @unchecked Sendable {  // The lock is held wherever the state is touched.
    private let lock = NSLock()
    private var subscription: (any Subscription)?
    private var hasEnded = false

    var isCancelled: Bool { lock.withLock { hasEnded } }

    func hold(_ subscription: any Subscription, requesting demand: Subscribers.Demand) {
        let isLate = lock.withLock {
            if !hasEnded { self.subscription = subscription }
            return hasEnded
        }
        if isLate { subscription.cancel() } else { subscription.request(demand) }
    }

    func release() { end() }

    func cancel() { end()?.cancel() }

    @discardableResult
    private func end() -> (any Subscription)? {
        lock.withLock {
            hasEnded = true
            defer { subscription = nil }
            return subscription
        }
    }
}
