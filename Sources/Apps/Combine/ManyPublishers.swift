import Synchronization

// Operators over several publishers, and values for `for await`. Source: Combine, Publisher.

extension Publisher {
    /// Turns each value into a publisher, and gives the values of all of these.
    public func flatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> AnyPublisher<P.Output, Failure>
    where P.Failure == Failure {
        AnyPublisher { subscriber in
            let inner = Inner<P.Output, Failure>(subscriber)
            inner.begin { self.sink(receiveCompletion: inner.end, receiveValue: { inner.add(transform($0)) }) }
        }
    }

    /// Gives the values of both.
    public func merge<P: Publisher>(with other: P) -> AnyPublisher<Output, Failure>
    where P.Output == Output, P.Failure == Failure {
        AnyPublisher { subscriber in
            let inner = Inner<Output, Failure>(subscriber)
            inner.begin {
                inner.add(self)
                inner.add(other)
                inner.end(.finished)
                return AnyCancellable {}
            }
        }
    }

    /// Gives the newest values of both, once both have one.
    public func combineLatest<P: Publisher>(_ other: P) -> AnyPublisher<(Output, P.Output), Failure>
    where P.Failure == Failure {
        AnyPublisher { subscriber in
            let pair = Pair<Output, P.Output>()
            let inner = Inner<(Output, P.Output), Failure>(subscriber)
            inner.begin {
                inner.add(self.compactMap { pair.set(first: $0) })
                inner.add(other.compactMap { pair.set(second: $0) })
                inner.end(.finished)
                return AnyCancellable {}
            }
        }
    }

    /// Continues with another publisher after an error.
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> AnyPublisher<Output, P.Failure>
    where P.Output == Output {
        AnyPublisher { subscriber in
            let inner = Inner<Output, P.Failure>(subscriber)
            inner.begin {
                self.sink(
                    receiveCompletion: { completion in
                        if case .failure(let error) = completion { inner.add(handler(error)) }
                        inner.end(.finished)
                    }, receiveValue: { inner.give($0) })
            }
        }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Gives the values of the newest publisher that came; the one before it is cancelled.
    public func switchToLatest() -> AnyPublisher<Output.Output, Failure> {
        AnyPublisher { subscriber in
            let inner = Inner<Output.Output, Failure>(subscriber)
            inner.begin { self.sink(receiveCompletion: inner.end, receiveValue: { inner.change(to: $0) }) }
        }
    }
}

extension Publisher {
    /// The values, for `for try await`. Values that nobody has taken yet are kept.
    public var values: AsyncThrowingStream<Output, any Error> {
        AsyncThrowingStream { continuation in
            let task = sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: continuation.finish()
                    case .failure(let error): continuation.finish(throwing: error)
                    }
                },
                receiveValue: { value in
                    nonisolated(unsafe) let value = value  // The sender does not use it any more.
                    continuation.yield(value)
                })
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension Publisher where Failure == Never {
    /// The values, for `for await`. Values that nobody has taken yet are kept.
    public var values: AsyncStream<Output> {
        AsyncStream { continuation in
            let task = sink(
                receiveCompletion: { _ in continuation.finish() },
                receiveValue: { value in
                    nonisolated(unsafe) let value = value  // The sender does not use it any more.
                    continuation.yield(value)
                })
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// The newest values of two publishers.
private final class Pair<First, Second>: @unchecked Sendable {  // The lock guards the state.
    private let lock = NSLock()
    private var first: First?
    private var second: Second?

    func set(first: First? = nil, second: Second? = nil) -> (First, Second)? {
        lock.withLock {
            self.first = first ?? self.first
            self.second = second ?? self.second
            return self.first.flatMap { one in self.second.map { (one, $0) } }
        }
    }
}

/// Gives the values of several publishers to one subscriber, and ends with the last of them or with the first error.
final class Inner<Output, Failure: Error>: @unchecked Sendable {  // The lock guards the state.
    private let lock = NSRecursiveLock()
    private let outlet: Outlet<Output, Failure>
    private var running = 1
    private var tasks: [AnyCancellable] = []
    private var hasEnded = false
    /// The publisher that may be replaced: how many there were, whether it runs, and its subscription.
    private var latest = (count: 0, runs: false, task: AnyCancellable?.none)

    init(_ subscriber: AnySubscriber<Output, Failure>) {
        let ending = Ending()
        outlet = Outlet(subscriber) { _ in ending.body?() }
        ending.body = { [weak self] in self?.stop() }
    }

    /// The steps after the subscriber cancels.
    private final class Ending {
        var body: (() -> Void)?
    }

    func begin(_ start: () -> AnyCancellable) {
        outlet.begin(with: nil)
        keep(start())
    }

    func give(_ value: Output) { outlet.send(value) }

    func add<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        lock.withLock { running += 1 }
        keep(publisher.sink(receiveCompletion: end, receiveValue: give))
    }

    /// Counts a publisher that ``addHeld(_:then:)`` will add.
    func hold() { lock.withLock { running += 1 } }

    /// Adds a publisher that was counted before.
    ///
    /// - Parameter then: Called when it has ended without an error.
    func addHeld<P: Publisher>(_ publisher: P, then: @escaping () -> Void)
    where P.Output == Output, P.Failure == Failure {
        keep(
            publisher.sink(
                receiveCompletion: { completion in
                    // The next one begins before this one ends: it counts already.
                    if case .finished = completion { then() }
                    self.end(completion)
                }, receiveValue: give))
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        let isLast = lock.withLock {
            running -= 1
            if case .failure = completion { running = 0 }
            guard running <= 0, !hasEnded else { return false }
            hasEnded = true
            return true
        }
        if isLast { outlet.finish(completion) }
    }

    /// Replaces the previous publisher with this one.
    func change<P: Publisher>(to publisher: P) where P.Output == Output, P.Failure == Failure {
        let (number, before) = lock.withLock {
            if !latest.runs { running += 1 }
            defer { latest = (latest.count + 1, true, nil) }
            return (latest.count + 1, latest.task)
        }
        before?.cancel()
        let task = publisher.sink(
            receiveCompletion: { [self] completion in
                let isLatest = lock.withLock {
                    guard latest.count == number else { return false }
                    latest.runs = false
                    return true
                }
                if isLatest { end(completion) }
            },
            receiveValue: { [self] value in if lock.withLock({ latest.count == number }) { give(value) } })
        lock.withLock { if !hasEnded, latest.count == number { latest.task = task } }
    }

    private func keep(_ task: AnyCancellable) { lock.withLock { if !hasEnded { tasks.append(task) } } }

    private func stop() {
        let tasks = lock.withLock {
            hasEnded = true
            defer { (self.tasks, latest.task) = ([], nil) }
            return self.tasks + [latest.task].compactMap { $0 }
        }
        tasks.forEach { $0.cancel() }
    }
}
