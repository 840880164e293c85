import Foundation

// Operators that say something about all values, gather several of them, or begin again. Source: Combine, Publisher.

extension Publisher {
    /// Gives how many values there were, at the end.
    public func count() -> AnyPublisher<Int, Failure> { reduce(0) { count, _ in count + 1 } }

    /// Gives a value at the end if there was none.
    public func replaceEmpty(with output: Output) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            var isEmpty = true
            return (
                { value in
                    isEmpty = false
                    return next.receive(value)
                },
                { completion in
                    if case .finished = completion, isEmpty { _ = next.receive(output) }
                    next.receive(completion: completion)
                }
            )
        }
    }

    /// Gives a value in place of nil.
    public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? { map { $0 ?? output } }

    /// Gives the values of a few properties.
    public func map<A, B>(
        _ first: KeyPath<Output, A>, _ second: KeyPath<Output, B>
    ) -> Publishers.Map<Self, (A, B)> { map { ($0[keyPath: first], $0[keyPath: second]) } }

    /// Gives whether a value matches, as soon as one does, or at the end.
    public func contains(where predicate: @escaping (Output) -> Bool) -> AnyPublisher<Bool, Failure> {
        first(where: predicate).map { _ in true }.replaceEmpty(with: false)
    }

    /// Gives whether all values match, as soon as one does not, or at the end.
    public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> AnyPublisher<Bool, Failure> {
        first { !predicate($0) }.map { _ in false }.replaceEmpty(with: true)
    }

    /// Gives the greatest value, at the end.
    public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> AnyPublisher<Output, Failure> {
        collect().compactMap { $0.max(by: areInIncreasingOrder) }.eraseToAnyPublisher()
    }

    /// Gives the least value, at the end.
    public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> AnyPublisher<Output, Failure> {
        collect().compactMap { $0.min(by: areInIncreasingOrder) }.eraseToAnyPublisher()
    }

    /// Gives the value with this number, from 0, and ends.
    public func output(at index: Int) -> AnyPublisher<Output, Failure> { dropFirst(index).first() }

    /// Gives the values with these numbers, from 0, and ends.
    public func output<R: RangeExpression>(in range: R) -> AnyPublisher<Output, Failure> where R.Bound == Int {
        let bounds = range.relative(to: 0..<Int.max)
        return dropFirst(bounds.lowerBound).prefix(bounds.count)
    }

    /// Gives the last value that matches, at the end.
    public func last(where predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        filter(predicate).last()
    }

    /// Gives arrays of so many values; the last may be shorter.
    public func collect(_ count: Int) -> AnyPublisher<[Output], Failure> {
        operate { next, _ in
            var values: [Output] = []
            return (
                { value in
                    values.append(value)
                    guard values.count >= count else { return .max(1) }
                    defer { values = [] }
                    return next.receive(values)
                },
                { completion in
                    if case .finished = completion, !values.isEmpty { _ = next.receive(values) }
                    next.receive(completion: completion)
                }
            )
        }
    }

    /// Gives the result of the values so far; an error ends it.
    public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> AnyPublisher<T, any Error> {
        // Each subscriber begins anew.
        Deferred {
            var result = initialResult
            return self.tryMap { value in
                result = try nextPartialResult(result, value)
                return result
            }
        }.eraseToAnyPublisher()
    }

    /// Gives the result of all values, at the end; an error ends it.
    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> AnyPublisher<T, any Error> {
        tryScan(initialResult, nextPartialResult).last().replaceEmpty(with: initialResult)
    }

    /// Subscribes again after an error, at most so many times.
    public func retry(_ retries: Int) -> AnyPublisher<Output, Failure> {
        guard retries > 0 else { return eraseToAnyPublisher() }
        return self.catch { _ in self.retry(retries - 1) }
    }

    /// Continues with another publisher after an error, or ends with a new error.
    public func tryCatch<P: Publisher>(
        _ handler: @escaping (Failure) throws -> P
    ) -> AnyPublisher<Output, any Error> where P.Output == Output {
        self.catch { error -> AnyPublisher<Output, any Error> in
            do { return try handler(error).mapError { $0 as any Error } } catch {
                return Fail(error: error).eraseToAnyPublisher()
            }
        }
    }

    /// The same values; an error ends the app.
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> AnyPublisher<Output, Never> {
        mapError { error -> Never in fatalError("\(prefix)\(error)", file: file, line: line) }
    }

    /// Turns each value into a publisher, and gives the values of all of these; of so many at a time, and the others wait.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand, _ transform: @escaping (Output) -> P
    ) -> AnyPublisher<P.Output, Failure> where P.Failure == Failure {
        AnyPublisher { subscriber in
            let inner = Inner<P.Output, Failure>(subscriber)
            let turns = Turns<Output>(maxPublishers) { value, next in inner.addHeld(transform(value), then: next) }
            inner.begin {
                self.sink(
                    receiveCompletion: inner.end,
                    receiveValue: { value in
                        inner.hold()
                        turns.add(value)
                    })
            }
        }
    }

    /// Gives the values of all three.
    public func merge<P: Publisher, Q: Publisher>(with second: P, _ third: Q) -> Publishers.Merge3<Self, P, Q>
    where P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure {
        Publishers.Merge3(self, second, third)
    }

    /// Gives what a closure makes of the newest values of both, once both have one.
    public func combineLatest<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> AnyPublisher<T, Failure> where P.Failure == Failure {
        combineLatest(other).map { transform($0, $1) }.eraseToAnyPublisher()
    }

    /// Gives the newest values of all three, once all have one.
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ second: P, _ third: Q
    ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, second, third)
    }
}

extension Publisher where Output: Equatable {
    /// Gives whether a value comes, as soon as it does, or at the end.
    public func contains(_ output: Output) -> AnyPublisher<Bool, Failure> { contains { $0 == output } }
}

extension Publisher where Output: Comparable {
    /// Gives the greatest value, at the end.
    public func max() -> AnyPublisher<Output, Failure> { max(by: <) }

    /// Gives the least value, at the end.
    public func min() -> AnyPublisher<Output, Failure> { min(by: <) }
}

/// Values that wait for their turn.
private final class Turns<Value>: @unchecked Sendable {  // The lock guards the state.
    private let lock = NSLock()
    private let limit: Int
    private let start: (Value, _ next: @escaping () -> Void) -> Void
    private var running = 0
    private var waiting: [Value] = []

    init(_ demand: Subscribers.Demand, start: @escaping (Value, _ next: @escaping () -> Void) -> Void) {
        limit = demand.max ?? .max
        self.start = start
    }

    func add(_ value: Value) {
        lock.withLock { waiting.append(value) }
        startNext()
    }

    private func startNext() {
        let value: Value? = lock.withLock {
            guard running < limit, !waiting.isEmpty else { return nil }
            running += 1
            return waiting.removeFirst()
        }
        guard let value else { return }
        start(value) {
            self.lock.withLock { self.running -= 1 }
            self.startNext()
        }
    }
}

extension Subscribers {
    /// Calls closures for the values and the end. Source: Combine, Subscribers.Sink.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        public let receiveValue: (Input) -> Void
        public let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let tie = Tie()

        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public func receive(subscription: any Subscription) { tie.hold(subscription, requesting: .unlimited) }

        public func receive(_ value: Input) -> Subscribers.Demand {
            if !tie.isCancelled { receiveValue(value) }
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            if !tie.isCancelled { receiveCompletion(completion) }
            tie.release()
        }

        public func cancel() { tie.cancel() }
    }
}
