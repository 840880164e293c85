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
        private let connection: SharedConnection

        public init(upstream: Upstream) {
            self.upstream = upstream
            connection = SharedConnection { upstream.connect() }
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let member = connection.join()
            upstream.receive(
                subscriber: AnySubscriber<Output, Failure>(
                    receiveSubscription: {
                        subscriber.receive(subscription: EndedSubscription(of: $0, onCancel: member.leave))
                    }, receiveValue: subscriber.receive(_:),
                    receiveCompletion: { completion in
                        member.leave()
                        subscriber.receive(completion: completion)
                    }))
            connection.begin()
        }
    }

    /// Gives all subscribers the values of one subscription, which begins with the first of them and ends with the last;
    /// the next one begins it again. Source: Combine, Publishers.Share.
    public final class Share<Upstream: Publisher>: Publisher, Equatable {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        private let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

        public init(upstream: Upstream) {
            self.upstream = upstream
            inner = upstream.multicast { PassthroughSubject() }.autoconnect()
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            inner.receive(subscriber: subscriber)
        }

        public static func == (one: Share, other: Share) -> Bool { one === other }
    }
}

extension Publisher {
    /// Gives the values of one subscription to this publisher to all subscribers.
    public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

/// One connection for all subscribers. They keep it alive, not the publisher, which apps release at once.
private final class SharedConnection: @unchecked Sendable {  // The lock guards the state.
    /// One subscriber's part.
    final class Member: @unchecked Sendable {  // The connection's lock guards the state.
        fileprivate var connection: SharedConnection?

        fileprivate init(_ connection: SharedConnection) { self.connection = connection }

        /// Ends the connection if this was the last subscriber. A second call has no effect.
        func leave() { connection?.remove(self) }
    }

    private let lock = NSRecursiveLock()
    private let connect: () -> any Cancellable
    private var members = 0
    private var isConnecting = false
    private var current: (any Cancellable)?

    init(_ connect: @escaping () -> any Cancellable) { self.connect = connect }

    func join() -> Member {
        lock.withLock { members += 1 }
        return Member(self)
    }

    /// Connects, unless that was done or nobody is left.
    func begin() {
        let isFirst = lock.withLock {
            guard members > 0, current == nil, !isConnecting else { return false }
            isConnecting = true
            return true
        }
        guard isFirst else { return }
        let made = connect()
        let isUnused = lock.withLock {
            isConnecting = false
            // The values may have come, and the end, while it connected.
            if members > 0 { current = made }
            return members == 0
        }
        if isUnused { made.cancel() }
    }

    private func remove(_ member: Member) {
        let ended = lock.withLock { () -> (any Cancellable)? in
            guard member.connection != nil else { return nil }
            member.connection = nil
            members -= 1
            guard members == 0 else { return nil }
            defer { current = nil }
            return current
        }
        ended?.cancel()
    }
}
