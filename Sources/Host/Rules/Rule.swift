/// Something that the phone does: what Apple documents, what was seen of it, or what we chose where nobody says.
///
/// A scenario or a unit test names the rules that it covers; `hil rules` lists them all with what covers each.
public struct Rule: Sendable, Hashable, Identifiable {
    /// How it is known.
    public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// Apple's documentation says so.
        case seed
        /// The headers of Apple's SDK say so.
        case header
        /// Shipping developers reported it.
        case seen
        /// It follows from what the others say.
        case inferred
        /// Nobody documents it: it is a choice of ``HostPolicy``, whose default stands in brackets.
        case open
    }

    /// A letter for the family and a number: `K3`.
    public let id: String
    public let sources: [Source]
    /// One or a few sentences.
    public let text: String

    init(_ id: String, _ sources: [Source], _ text: String) {
        self.id = id
        self.sources = sources
        self.text = text
    }

    /// The family's letter.
    public var family: Character { id.first ?? "?" }

    /// Every rule, in the order in which a person meets them: from the property list to the notifications.
    public static let all: [Rule] = setup + connection + notifications

    /// The rule of that name; nil if there is none.
    public static func named(_ id: String) -> Rule? { byName[id] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
