/// What to look for in an ``EventLog``: which events are meant, the value that each of them carries, and the words for both.
///
/// An extension gives the patterns of a type of events their names, so that a wait and a search read alike:
///
/// ```swift
/// extension EventPattern where Event == DoorEvent, Value == Int {
///     static var opened: Self { Self("the door to open") { if case .opened(let degrees) = $0 { degrees } else { nil } } }
/// }
/// let degrees = try await door.events.next(.opened)
/// ```
public struct EventPattern<Event: Sendable, Value: Sendable>: Sendable {
    /// What is awaited, as a noun phrase for an error: `the door to open`.
    public let what: String
    private let value: @Sendable (Event) -> Value?

    /// - Parameter value: Gives the value of an event that is meant, and nil for any other event.
    public init(_ what: String, value: @escaping @Sendable (Event) -> Value?) {
        self.what = what
        self.value = value
    }

    /// The value of an event that is meant; nil for any other event.
    public func value(of event: Event) -> Value? { value(event) }

    /// The same pattern for fewer events.
    ///
    /// - Parameter what: What is awaited then; by default the words stay the same.
    public func `where`(_ what: String? = nil, _ holds: @escaping @Sendable (Value) -> Bool) -> EventPattern {
        EventPattern(what ?? self.what) { [value] event in value(event).flatMap { holds($0) ? $0 : nil } }
    }
}

extension EventPattern where Value == Event {
    /// Any event at all.
    public static func any(_ what: String) -> EventPattern { EventPattern(what) { $0 } }
}

extension EventPattern where Event: Equatable, Value == Event {
    /// Exactly this event.
    public static func event(_ event: Event) -> EventPattern {
        EventPattern("\(event)") { $0 == event ? $0 : nil }
    }
}
