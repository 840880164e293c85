/// A scenario is known to be bad: it runs and is shown, and does not decide how a run ends, until a day has passed.
package struct Quarantine: Sendable, Hashable, Codable {
    /// Who mends it.
    package let owner: String
    /// Where that is written down.
    package let ticket: String
    /// The last day, in UTC: `2026-12-31`.
    package let until: String

    package init(owner: String, ticket: String, until: String) {
        self.owner = owner
        self.ticket = ticket
        self.until = until
    }

    /// Whether it still holds.
    ///
    /// - Parameter today: The day in UTC, written as ``until`` is.
    package func holds(on today: String) -> Bool { today <= until }

    /// Whether ``until`` is a day: days are compared as text.
    package var isReadable: Bool {
        guard let match = until.wholeMatch(of: /\d{4}-(\d\d)-(\d\d)/), let month = Int(match.1), let day = Int(match.2)
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}
