/// Matches events of an ``EventLog`` and takes a value from each. It also describes the event for an error.
///
/// Declare the patterns for a type of events in an extension. Waits and searches then use the same names:
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

    /// - Parameters:
    ///   - what: What is awaited, as a noun phrase: `the door to open`.
    ///   - value: Returns the value of an event that matches, and nil for any other event.
    public init(_ what: String, value: @escaping @Sendable (Event) -> Value?) {
        self.what = what
        self.value = value
    }

    /// The value of an event that matches; nil for any other event.
    public func value(of event: Event) -> Value? { value(event) }

    /// A pattern that matches an event only if its value also meets a condition.
    ///
    /// - Parameters:
    ///   - what: What is awaited, as a noun phrase; nil to keep the words of this pattern.
    ///   - holds: The condition.
    public func `where`(_ what: String? = nil, _ holds: @escaping @Sendable (Value) -> Bool) -> EventPattern {
        EventPattern(what ?? self.what) { [value] event in value(event).flatMap { holds($0) ? $0 : nil } }
    }
}

extension EventPattern where Value == Event {
    /// Matches every event; the value is the event.
    public static func any(_ what: String) -> EventPattern { EventPattern(what) { $0 } }
}

extension EventPattern where Event: Equatable, Value == Event {
    /// Matches only events that are equal to this one.
    public static func event(_ event: Event) -> EventPattern {
        EventPattern("\(event)") { $0 == event ? $0 : nil }
    }
}
