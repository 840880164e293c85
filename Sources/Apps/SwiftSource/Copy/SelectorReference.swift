/// The method that a `#selector` names.
struct SelectorReference {
    /// As written in the source: `roll(_:)`.
    let name: String
    /// The method of its type, not yet applied to an object: `Die.roll(_:)`.
    let method: String

    /// - Parameters:
    ///   - tokens: The tokens between the parentheses.
    ///   - type: The type that contains the source.
    /// - Returns: nil unless it is a method whose type the source names.
    init?(_ tokens: [SwiftToken], in type: String?) {
        // Not supported: the setter or getter of a property, `method as (Int) -> Void`, and anything that is not Swift.
        let labels = tokens.firstIndex { $0.isSign("(") } ?? tokens.endIndex
        guard var path = Self.path(tokens[..<labels]), Self.areLabels(tokens[labels...]), path.first != "super",
            let method = path.popLast()
        else { return nil }
        name = method + tokens[labels...].map(\.text).joined()
        if path.isEmpty || path == ["self"] || path == ["Self"] {
            guard let type else { return nil }
            path = [type]
        }
        self.method = path.joined(separator: ".") + "." + name
    }

    /// The names with dots between them; nil for anything else.
    static func path(_ tokens: ArraySlice<SwiftToken>) -> [String]? {
        let isPath = tokens.enumerated().allSatisfy { index, token in
            index % 2 == 0 ? token.kind == .word : token.isSign(".")
        }
        return isPath && tokens.count % 2 == 1 ? tokens.filter { $0.kind == .word }.map(\.text) : nil
    }

    /// Whether the tokens are `(_:with:)`, or none.
    private static func areLabels(_ tokens: ArraySlice<SwiftToken>) -> Bool {
        guard !tokens.isEmpty else { return true }
        guard tokens.count > 2, tokens.last?.isSign(")") == true else { return false }
        return tokens.dropFirst().dropLast().enumerated().allSatisfy { index, token in
            index % 2 == 0 ? token.kind == .word : token.isSign(":")
        } && tokens.count % 2 == 0
    }
}
