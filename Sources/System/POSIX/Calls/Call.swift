/// Something that one process asks another to do: an enum with a case for each call.
///
/// The last value of a case is a ``Reply``, which says what the answer is: `case join(Credentials, Reply<Link>)`. So a
/// caller gets a typed value, an answerer cannot answer with another type, and a call without a handler does not
/// compile. A call may be grouped into another: `case station(StationCall)`.
///
/// Swift's distributed actors would do the same, but they name a call by the mangled name of its function. An agent of
/// another version could not say which call it does not know, and a program in another language could not answer.
package protocol Call: Codable, Sendable {
    /// The error that the answerer sends in place of an answer.
    associatedtype Failure: Error & Codable

    /// The name of the call in its message.
    static var wireName: String { get }
    /// The failure of an answerer that does not know the call, or cannot read it, or cannot write its answer.
    static func unanswerable(_ why: String) -> Failure
}

extension Call {
    package static var wireName: String { "call" }

    /// The name of the call: `station.join`. Its values are left out, as they may be secret.
    package var name: String { callName(of: self) }
}

/// The name of a call, without its values.
package func callName(of call: Any) -> String {
    guard let child = Mirror(reflecting: call).children.first, let label = child.label else { return "\(call)" }
    return Mirror(reflecting: child.value).displayStyle == .enum ? "\(label).\(callName(of: child.value))" : label
}

/// The type of the answer to a call, as the last value of the call's case. It has no content.
package struct Reply<Value: Codable & Sendable>: Sendable, Hashable, Codable {
    package init() {}

    /// Makes the answer to the call.
    package func callAsFunction(_ value: Value) -> Answer { Answer(value) }
}

extension Reply<Done> {
    /// Makes the answer to the call: it is done.
    package func callAsFunction() -> Answer { Answer(Done()) }
}

/// A call with the type of its answer.
package struct Question<C: Call, Value: Codable & Sendable>: Sendable {
    package let call: C

    /// - Parameter call: Makes the call from its reply: `{ .join(credentials, $0) }`.
    package init(_ call: (Reply<Value>) -> C) { self.call = call(Reply()) }
}

/// The answer to a call. Only the call's ``Reply`` makes one.
package struct Answer: Sendable {
    /// The answer's value.
    package let value: any Codable & Sendable

    fileprivate init(_ value: any Codable & Sendable) { self.value = value }

    /// Whether both are the same answer.
    package func isSame(as other: Answer) -> Bool {
        func equals<Known: Equatable>(_ one: Known) -> Bool { one == other.value as? Known }
        return (value as? any Equatable).map { equals($0) } ?? false
    }
}

/// The answer to a call that has no other result.
package struct Done: Sendable, Hashable, Codable {
    package init() {}
}
