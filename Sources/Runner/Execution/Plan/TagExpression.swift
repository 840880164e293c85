import HIL

/// A choice of tags on the command line: `smoke and not (wifi or pairing)`.
///
/// `not` binds strongest, then `and`, then `or`; parentheses group. Tags are written as they are declared.
struct TagExpression: Sendable {
    private indirect enum Node: Sendable {
        case tag(String)
        case not(Node)
        case and(Node, Node)
        case or(Node, Node)
    }

    /// The tags that it names, in order.
    let tags: [String]
    private let root: Node

    /// - Throws: ``PlanError/unreadableTags(_:why:)``.
    init(_ text: String) throws(PlanError) {
        var parser = Parser(text)
        root = try parser.alternatives()
        if let extra = parser.words.first { throw parser.error("“\(extra)” is one word too many") }
        tags = parser.tags
    }

    func matches(_ tags: [Tag]) -> Bool {
        let words = Set(tags.map(\.description))
        func holds(_ node: Node) -> Bool {
            switch node {
            case .tag(let word): words.contains(word)
            case .not(let inner): !holds(inner)
            case .and(let left, let right): holds(left) && holds(right)
            case .or(let left, let right): holds(left) || holds(right)
            }
        }
        return holds(root)
    }

    /// A recursive descent parser, with a function for each precedence.
    private struct Parser {
        /// Deeper than any person writes, and too shallow for a stack overflow.
        private static let depthLimit = 50

        let text: String
        var words: ArraySlice<String>
        var tags: [String] = []
        private var depth = 0

        init(_ text: String) {
            self.text = text
            let spaced = text.replacing("(", with: " ( ").replacing(")", with: " ) ")
            words = spaced.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        }

        func error(_ why: String) -> PlanError { .unreadableTags(text, why: why) }

        mutating func alternatives() throws(PlanError) -> Node {
            var node = try conjunction()
            while words.first == "or" {
                words.removeFirst()
                node = .or(node, try conjunction())
            }
            return node
        }

        private mutating func conjunction() throws(PlanError) -> Node {
            var node = try operand()
            while words.first == "and" {
                words.removeFirst()
                node = .and(node, try operand())
            }
            return node
        }

        private mutating func operand() throws(PlanError) -> Node {
            depth += 1
            defer { depth -= 1 }
            if depth > Parser.depthLimit { throw error("it is nested too deeply") }
            guard let word = words.popFirst() else { throw error("a tag is missing at its end") }
            switch word {
            case "not": return .not(try operand())
            case "and", "or", ")": throw error("a tag is missing before “\(word)”")
            case "(":
                let node = try alternatives()
                guard words.popFirst() == ")" else { throw error("a “)” is missing") }
                return node
            default:
                tags.append(word)
                return .tag(word)
            }
        }
    }
}
