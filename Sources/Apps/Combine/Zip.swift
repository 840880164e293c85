import Foundation

// Values of several publishers, one of each. Source: Combine, Publisher.

extension Publisher {
    /// Gives pairs: the first values of both, the second ones, and so on. It ends when no further pair can come.
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
        Publishers.Zip(self, other)
    }

    /// Gives what a closure makes of the first values of both, of the second ones, and so on.
    public func zip<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
        Publishers.Zip(self, other).map { transform($0, $1) }
    }

    /// The same with three publishers.
    public func zip<P: Publisher, Q: Publisher>(_ second: P, _ third: Q) -> Publishers.Zip3<Self, P, Q>
    where P.Failure == Failure, Q.Failure == Failure { Publishers.Zip3(self, second, third) }
}

extension Publishers {
    /// Pairs of the values of two publishers. Source: Combine, Publishers.Zip.
    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Zipper<A.Output, B.Output, Failure>(AnySubscriber(subscriber)).begin(a, b)
        }
    }

    /// Triples of the values of three publishers. Source: Combine, Publishers.Zip3.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Zip(Zip(a, b), c).map { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
        }
    }
}

/// Pairs the values of two publishers.
private final class Zipper<A, B, Failure: Error>: @unchecked Sendable {  // The lock guards the state.
    private let lock = NSRecursiveLock()
    private let outlet: Outlet<(A, B), Failure>
    private let ending: Ending
    private var first: [A] = []
    private var second: [B] = []
    private var firstHasEnded = false
    private var secondHasEnded = false
    private var tasks: [AnyCancellable] = []
    private var hasEnded = false

    /// The steps after the subscriber cancels.
    private final class Ending {
        var body: (() -> Void)?
    }

    init(_ subscriber: AnySubscriber<(A, B), Failure>) {
        let ending = Ending()
        self.ending = ending
        outlet = Outlet(subscriber) { _ in ending.body?() }
    }

    func begin<P: Publisher, Q: Publisher>(_ one: P, _ other: Q)
    where P.Output == A, Q.Output == B, P.Failure == Failure, Q.Failure == Failure {
        // The publishers' subscriptions keep this object.
        ending.body = { [weak self] in self?.stop() }
        outlet.begin(with: nil)
        keep(
            one.sink(
                receiveCompletion: { completion in self.end(completion) { self.firstHasEnded = true } },
                receiveValue: { value in self.pair { self.first.append(value) } }))
        keep(
            other.sink(
                receiveCompletion: { completion in self.end(completion) { self.secondHasEnded = true } },
                receiveValue: { value in self.pair { self.second.append(value) } }))
    }

    private func pair(_ add: () -> Void) {
        let pair: (A, B)? = lock.withLock {
            add()
            guard !first.isEmpty, !second.isEmpty else { return nil }
            return (first.removeFirst(), second.removeFirst())
        }
        if let pair { outlet.send(pair) }
        finishIfDone()
    }

    private func end(_ completion: Subscribers.Completion<Failure>, _ note: () -> Void) {
        lock.withLock { note() }
        if case .failure = completion { finish(completion) } else { finishIfDone() }
    }

    private func finishIfDone() {
        let isDone = lock.withLock { firstHasEnded && first.isEmpty || secondHasEnded && second.isEmpty }
        if isDone { finish(.finished) }
    }

    private func finish(_ completion: Subscribers.Completion<Failure>) {
        guard lock.withLock({ !hasEnded }) else { return }
        stop()
        outlet.finish(completion)
    }

    private func keep(_ task: AnyCancellable) {
        let isLate = lock.withLock {
            if !hasEnded { tasks.append(task) }
            return hasEnded
        }
        if isLate { task.cancel() }
    }

    private func stop() {
        let tasks = lock.withLock {
            hasEnded = true
            defer { self.tasks = [] }
            return self.tasks
        }
        tasks.forEach { $0.cancel() }
    }
}
