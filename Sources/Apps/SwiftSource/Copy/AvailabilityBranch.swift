/// The `else` of an `if #available(iOS 18, *)`, which this phone never runs: its code may need APIs that only older
/// systems have.
struct AvailabilityBranch {
    /// The newest version of the system whose modules are simulated.
    private static let newestSystem = 26

    /// The indexes of the braces of the `else`.
    let opening: Int
    let closing: Int

    /// - Parameter index: Of the word `if`.
    /// - Returns: nil if the condition says more than the system's version, or the phone's may be older.
    init?(_ tokens: [SwiftToken], at index: Int) {
        guard index + 3 < tokens.count, tokens[index].isWord("if"), tokens[index + 1].isSign("#"),
            tokens[index + 2].isWord("available"), tokens[index + 3].isSign("(")
        else { return nil }
        guard let end = Self.closing(tokens, of: index + 3), end + 1 < tokens.count, tokens[end + 1].isSign("{"),
            let then = Self.closing(tokens, of: end + 1), then + 2 < tokens.count, tokens[then + 1].isWord("else"),
            tokens[then + 2].isSign("{"), let last = Self.closing(tokens, of: then + 2), last > then + 3
        else { return nil }
        let systems = index + 4..<end
        for system in systems where tokens[system].isWord("iOS") && system + 1 < end {
            let version = tokens[system + 1].text.prefix { $0 != "." }
            guard let version = Int(version), version <= Self.newestSystem else { return nil }
        }
        // An `#if` inside may begin or end outside.
        guard !tokens[then + 3..<last].contains(where: { $0.isSign("#") }) else { return nil }
        opening = then + 2
        closing = last
    }

    /// The index of what closes a parenthesis or brace.
    private static func closing(_ tokens: [SwiftToken], of index: Int) -> Int? {
        let (open, close) = tokens[index].isSign("(") ? ("(", ")") : ("{", "}")
        var depth = 0
        for place in index..<tokens.count {
            depth += tokens[place].isSign(open) ? 1 : tokens[place].isSign(close) ? -1 : 0
            if depth == 0 { return place }
        }
        return nil
    }
}
