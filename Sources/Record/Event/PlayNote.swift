/// What happened in a scenario that is played by hand, beside what the phone reports.
package struct PlayNote: Sendable, Hashable, Codable {
    /// One line for people; nil if another event says the same.
    package var text: String?

    package init(_ text: String?) { self.text = text }

    enum CodingKeys: String, CodingKey { case text }
}
