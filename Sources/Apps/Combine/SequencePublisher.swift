import Foundation

extension Publishers {
    /// Gives the elements of a sequence as they are asked for, and ends. Source: Combine, Publishers.Sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        public typealias Output = Elements.Element
        public let sequence: Elements

        public init(sequence: Elements) { self.sequence = sequence }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.receive(subscription: Elapsing(AnySubscriber(subscriber), sequence.makeIterator()))
        }

        /// The remaining elements for one subscriber.
        private final class Elapsing: Subscription, @unchecked Sendable {  // The lock guards the state.
            private let lock = NSRecursiveLock()
            private var subscriber: AnySubscriber<Output, Failure>?
            private var rest: Elements.Iterator
            private var next: Output?
            private var demand = Subscribers.Demand.none
            private var isGiving = false

            init(_ subscriber: AnySubscriber<Output, Failure>, _ elements: Elements.Iterator) {
                self.subscriber = subscriber
                rest = elements
                next = rest.next()
            }

            func request(_ demand: Subscribers.Demand) {
                lock.withLock {
                    self.demand += demand
                    // A subscriber may ask for more while it is given something.
                    guard !isGiving else { return }
                    isGiving = true
                    defer { isGiving = false }
                    while self.demand > 0, let subscriber, let value = next {
                        self.demand -= 1
                        next = rest.next()
                        self.demand += subscriber.receive(value)
                    }
                    guard next == nil, let subscriber else { return }
                    self.subscriber = nil
                    subscriber.receive(completion: .finished)
                }
            }

            func cancel() { lock.withLock { subscriber = nil } }
        }
    }
}

extension Sequence {
    /// Gives the elements, and ends.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Result {
    /// Gives the value and ends, or ends with the error.
    public var publisher: Publisher { Publisher(self) }

    /// Gives a value and ends, or ends with an error. Source: Combine, Result.Publisher.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Success
        public let result: Result<Success, Failure>

        public init(_ result: Result<Success, Failure>) { self.result = result }
        public init(_ output: Success) { result = .success(output) }
        public init(_ failure: Failure) { result = .failure(failure) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
            switch result {
            case .success(let output):
                Publishers.Sequence<[Success], Failure>(sequence: [output]).receive(subscriber: subscriber)
            case .failure(let error): Fail(error: error).receive(subscriber: subscriber)
            }
        }
    }
}

extension Just {
    /// The same value, by a publisher that could end with an error.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher { .init(output) }
}

extension Optional {
    /// Gives the value, if there is one, and ends. Source: Combine, Optional.Publisher.
    public var publisher: Publishers.Sequence<[Wrapped], Never> { Publishers.Sequence(sequence: map { [$0] } ?? []) }
}
