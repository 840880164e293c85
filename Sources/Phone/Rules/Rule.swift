/// A behaviour of a phone or an accessory that a scenario or a test verifies.
///
/// ``phone`` has the rules of the phone: documented by Apple, seen by developers, or our choice where nothing is
/// documented. A team adds its own rules. A scenario or test names the rules that it covers; `hil rules` lists all
/// rules with their coverage.
public struct Rule: Sendable, Hashable, Identifiable {
    /// How a rule is known.
    public struct Source: Sendable, Hashable {
        /// In a word or two: `seed`, or `our specification, 4.2`.
        public let name: String
        /// The meaning of the name, for the legend below a list; empty where the name is clear.
        public let meaning: String

        /// Makes a source; the properties say what each value means.
        public init(_ name: String, meaning: String = "") {
            self.name = name
            self.meaning = meaning
        }

        /// Apple's documentation says so.
        public static let seed = Source("seed", meaning: "Apple's documentation says so")
        package static let header = Source("header", meaning: "a header of Apple's SDK says so")
        /// Developers reported it.
        public static let seen = Source("seen", meaning: "developers reported it")
        /// It follows from other rules.
        public static let inferred = Source("inferred", meaning: "it follows from the others")
        /// A choice of ``HostPolicy``, whose default is in brackets.
        public static let open = Source("open", meaning: "not documented: our choice")
    }

    /// Letters for the family and a number: `K3`, `LAMP12`.
    public let id: String
    /// How it is known.
    public let sources: [Source]
    /// One or a few sentences.
    public let text: String

    /// - Parameters:
    ///   - id: Unique among all rules, including those of the phone, which have one letter.
    ///   - sources: How it is known; at least one.
    public init(_ id: String, _ sources: [Source], _ text: String) {
        self.id = id
        self.sources = sources
        self.text = text
    }

    /// The letters before the number.
    package var family: String { String(id.prefix { !$0.isNumber }) }

    /// The rules of the phone, in the order in which a person meets them: from the property list to the notifications.
    package static let phone: [Rule] = setup + connection + launches + notifications
}

/// The rules of the phone, and those of a team.
package struct RuleBook: Sendable {
    /// Every rule, the phone's first.
    package let rules: [Rule]
    /// Names that several rules have.
    package let duplicates: [String]
    private let byName: [String: Rule]
    private let ownNames: Set<String>

    /// - Parameter own: The team's.
    package init(adding own: [Rule] = []) {
        rules = Rule.phone + own
        byName = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
        ownNames = Set(own.map(\.id))
        duplicates = Dictionary(grouping: rules, by: \.id).filter { $0.value.count > 1 }.keys.sorted()
    }

    /// The rule with that name; nil if there is none.
    package func named(_ id: String) -> Rule? { byName[id] }

    /// Whether a rule is the team's.
    package func isOwn(_ rule: Rule) -> Bool { ownNames.contains(rule.id) }
}
