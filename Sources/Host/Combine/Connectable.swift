import Foundation

/// A publisher that begins only on `connect()`. Source: Combine, ConnectablePublisher.
public protocol ConnectablePublisher: Publisher {
    /// Begins. Cancel the result to end it.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Begins with the first subscriber, and ends with the last.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publisher {
    /// Gives all subscribers the same values, by one subject, once it is connected.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: { subject })
    }

    /// Gives all subscribers the same values, by a subject that is made for the first one, once it is connected.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }
}

extension Publisher where Failure == Never {
    /// Begins only on `connect()`.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { Publishers.MakeConnectable(upstream: self) }
}

extension Publishers {
    /// Gives all subscribers the same values by a subject. Source: Combine, Publishers.Multicast.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let createSubject: () -> SubjectType
        private let lock = NSRecursiveLock()
        private lazy var subject = createSubject()

        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            lock.withLock { subject }.receive(subscriber: subscriber)
        }

        public func connect() -> any Cancellable { upstream.subscribe(lock.withLock { subject }) }
    }

    /// Begins only on `connect()`. Source: Combine, Publishers.MakeConnectable.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        private let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

        public init(upstream: Upstream) { inner = upstream.multicast { PassthroughSubject() } }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            inner.receive(subscriber: subscriber)
        }

        public func connect() -> any Cancellable { inner.connect() }
    }

    /// Begins with the first subscriber, and ends with the last. Source: Combine, Publishers.Autoconnect.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        private let lock = NSLock()
        private var subscribers = 0
        private var connection: (any Cancellable)?

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isFirst = lock.withLock {
                subscribers += 1
                return subscribers == 1
            }
            upstream.handleEvents(
                receiveCompletion: { [weak self] _ in self?.leave() }, receiveCancel: { [weak self] in self?.leave() }
            ).receive(subscriber: subscriber)
            guard isFirst else { return }
            let connection = upstream.connect()
            lock.withLock { self.connection = connection }
        }

        private func leave() {
            let connection = lock.withLock { () -> (any Cancellable)? in
                subscribers -= 1
                guard subscribers == 0 else { return nil }
                defer { self.connection = nil }
                return self.connection
            }
            connection?.cancel()
        }
    }
}
