/// A scenario is known to be bad: it runs and is shown, and does not decide how a run ends, until a day has passed.
public struct Quarantine: Sendable, Hashable, Codable {
    /// Who mends it.
    public let owner: String
    /// Where that is written down.
    public let ticket: String
    /// The last day, in UTC: `2026-12-31`.
    public let until: String

    public init(owner: String, ticket: String, until: String) {
        self.owner = owner
        self.ticket = ticket
        self.until = until
    }

    /// Whether it still holds.
    ///
    /// - Parameter today: The day in UTC, written as ``until`` is.
    public func holds(on today: String) -> Bool { today <= until }

    /// Whether ``until`` is a day: days are compared as text.
    public var isReadable: Bool {
        guard let match = until.wholeMatch(of: /\d{4}-(\d\d)-(\d\d)/), let month = Int(match.1), let day = Int(match.2)
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}
