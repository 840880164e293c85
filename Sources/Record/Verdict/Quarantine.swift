/// Marks a scenario as known to fail. It runs and is shown, but does not affect the exit code until a day has passed.
package struct Quarantine: Sendable, Hashable, Codable {
    /// The person or team that repairs it.
    package let owner: String
    /// The ticket about it.
    package let ticket: String
    /// The last day of the quarantine, in UTC: `2026-12-31`.
    package let until: String

    package init(owner: String, ticket: String, until: String) {
        self.owner = owner
        self.ticket = ticket
        self.until = until
    }

    /// Whether the quarantine still holds.
    ///
    /// - Parameter today: The day in UTC, written as ``until`` is.
    package func holds(on today: String) -> Bool { today <= until }

    /// Whether ``until`` is written as a day. It must be, because days are compared as text.
    package var isReadable: Bool {
        guard let match = until.wholeMatch(of: /\d{4}-(\d\d)-(\d\d)/), let month = Int(match.1), let day = Int(match.2)
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}
