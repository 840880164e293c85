/// One rule of the phone's behaviour: documented by Apple, observed by developers, or chosen here where nobody says.
///
/// Scenarios and unit tests name the rules that they cover. `hil rules` lists all rules, each with what covers it.
public struct Rule: Sendable, Hashable, Identifiable {
    /// How we know a rule.
    public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// Apple's documentation says so.
        case seed
        /// The headers of Apple's SDK say so.
        case header
        /// Shipping developers reported it.
        case seen
        /// It follows from other rules.
        case inferred
        /// Nobody documents it: it is a choice in ``HostPolicy``. The text has the default in brackets.
        case open
    }

    /// The letter of the rule's family and a number: `K3`.
    public let id: String
    public let sources: [Source]
    /// The rule in one or a few sentences.
    public let text: String

    init(_ id: String, _ sources: [Source], _ text: String) {
        self.id = id
        self.sources = sources
        self.text = text
    }

    /// The first letter of ``id``: rules with the same letter are about the same part of the phone.
    public var family: Character { id.first ?? "?" }

    /// All rules, in the order in which a new user meets them: from the property list to the notifications.
    public static let all: [Rule] = setup + connection + notifications

    /// The rule with that ``id``; nil if there is none.
    public static func named(_ id: String) -> Rule? { byName[id] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
