/// The types of operators, and the place for an app's own. Source: Combine, Publishers.
public enum Publishers {
    /// Gives the values of both. Source: Combine, Publishers.Merge.
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            a.merge(with: b).receive(subscriber: subscriber)
        }
    }

    /// Gives the values of all three. Source: Combine, Publishers.Merge3.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
        public typealias Output = A.Output
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
            a.merge(with: b).merge(with: c).receive(subscriber: subscriber)
        }
    }

    /// Gives the values of any number. Source: Combine, Publishers.MergeMany.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let publishers: [Upstream]

        public init(_ upstream: Upstream...) { publishers = upstream }
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let all = publishers.reduce(Empty(completeImmediately: true).eraseToAnyPublisher()) { $0.merge(with: $1) }
            all.receive(subscriber: subscriber)
        }
    }

    /// Gives the newest values of both, once both have one. Source: Combine, Publishers.CombineLatest.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            a.combineLatest(b).receive(subscriber: subscriber)
        }
    }

    /// Gives the newest values of all three, once all have one. Source: Combine, Publishers.CombineLatest3.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
            a.combineLatest(b).combineLatest(c).map { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
        }
    }
}

/// Identifies a subscription. Source: Combine, CombineIdentifier.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private let text: String

    /// The identity of an object.
    public init(_ obj: AnyObject) { text = "0x\(String(UInt(bitPattern: ObjectIdentifier(obj).hashValue), radix: 16))" }

    /// A new, unique identity.
    public init() { text = "0x\(String(UInt64.random(in: .min ... .max), radix: 16))" }

    public var description: String { text }
}

/// Something that has a ``CombineIdentifier``. Source: Combine, CustomCombineIdentifierConvertible.
public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
