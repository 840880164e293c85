/// The type that contains the current token.
struct TypeNesting {
    private struct Declaration {
        var name: String
        var isExtension: Bool
    }

    /// A brace that is open, with the type that it belongs to; nil for any other.
    private var braces: [Declaration?] = []
    /// The type whose brace comes next.
    private var next: Declaration?

    private static let introducers: Set = ["class", "struct", "enum", "actor", "extension", "protocol"]
    /// What may follow the word `class` where it declares a member of a type.
    private static let members: Set = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "public", "open",
        "package", "nonisolated", "dynamic",
    ]

    /// The innermost type with those around it: `Lab.Die`; nil outside of all.
    var name: String? {
        let names = braces.compactMap { $0?.name }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }

    /// Whether the current token is directly within an extension's braces.
    var isInExtension: Bool { braces.last??.isExtension == true }

    /// Reads the token with this index.
    mutating func read(_ tokens: [SwiftToken], at index: Int) {
        let token = tokens[index]
        if token.isSign("{") {
            braces.append(next)
            next = nil
        } else if token.isSign("}") {
            _ = braces.popLast()
        } else if token.kind == .word, Self.introducers.contains(token.text), index + 1 < tokens.count,
            tokens[index + 1].kind == .word, !Self.members.contains(tokens[index + 1].text),
            index == 0 || !tokens[index - 1].isSign(".")
        {
            next = Declaration(
                name: Self.path(tokens, from: index + 1), isExtension: token.text == "extension")
        }
    }

    /// The names with dots between them.
    private static func path(_ tokens: [SwiftToken], from index: Int) -> String {
        var path = tokens[index].text
        var place = index + 1
        while place + 1 < tokens.count, tokens[place].isSign("."), tokens[place + 1].kind == .word {
            path += ".\(tokens[place + 1].text)"
            place += 2
        }
        return path
    }
}
