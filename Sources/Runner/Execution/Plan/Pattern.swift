/// A pattern of the command line: a part of a title or an identifier, or the whole of one with `*` and `?`.
///
/// Upper and lower case are equal.
package struct Pattern: Sendable {
    private let text: [Character]
    private let isGlob: Bool

    package init(_ text: String) {
        self.text = Array(text.lowercased())
        isGlob = text.contains { $0 == "*" || $0 == "?" }
    }

    func matches(_ planned: PlannedScenario) -> Bool { matches(planned.title) || matches(planned.identifier) }

    /// Whether it matches a name or a title.
    package func matches(_ candidate: String) -> Bool {
        let candidate = candidate.lowercased()
        return isGlob ? matchesGlob(Array(candidate)) : candidate.contains(String(text))
    }

    /// Backtracks only to the last `*`, which then takes one more character.
    private func matchesGlob(_ candidate: [Character]) -> Bool {
        var place = 0
        var pattern = 0
        var star: (pattern: Int, place: Int)?
        while place < candidate.count {
            if pattern < text.count, text[pattern] == "*" {
                star = (pattern, place)
                pattern += 1
            } else if pattern < text.count, text[pattern] == "?" || text[pattern] == candidate[place] {
                pattern += 1
                place += 1
            } else if let last = star {
                star = (last.pattern, last.place + 1)
                pattern = last.pattern + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return text[pattern...].allSatisfy { $0 == "*" }
    }
}
