/// The accessories, and what audits are to expect of them, that a source file declares by a name of a type: `.latch`.
package struct AccessoryFile: Sendable, Equatable {
    /// A constant in an extension: `static let latch` of `AccessoryProgram`.
    package struct Constant: Sendable, Equatable {
        /// The extended type: `AccessoryProgram`.
        package var type: String
        /// As it is written. A keyword is in backticks.
        package var name: String
        /// Counted from 1.
        package var line: Int
    }

    /// The types whose constants may be accessories, and the type of expectations.
    package static let types = ["AccessoryProgram", "AuditExpectations", "HostStack", "Peripheral"]

    /// In the order of declaration.
    package private(set) var constants: [Constant] = []

    /// Finds each `static let` and `static var` that stands in an extension of one of the types at the top level of a file,
    /// and that the whole module can use at any time.
    ///
    /// Which type a constant has, the compiler knows. Left out is what other files cannot name (`private`), what may not
    /// exist (`#if`), what warns or cannot be used (`@available`, another actor, a getter that throws), functions, and
    /// what is in a type inside the extension.
    package init(_ text: String) { self.init(SwiftLexer.read(text)) }

    init(_ tokens: [SwiftToken]) {
        var reader = AccessoryReader(tokens: tokens)
        reader.read()
        constants = reader.constants
    }
}

/// Reads the tokens of a file once.
private struct AccessoryReader {
    let tokens: [SwiftToken]
    var constants: [AccessoryFile.Constant] = []
    private var place = 0
    private var conditions = 0
    private var braces = 0
    /// How many parentheses and brackets are open.
    private var groups = 0
    /// The extended type, between the braces of an extension that counts; else nil.
    private var type: String?

    /// Words that may stand before `let`, and with arguments in parentheses: `private(set)`.
    private static let modifiers: Set<String> = [
        "class", "fileprivate", "final", "internal", "nonisolated", "open", "override", "package", "private", "public",
        "static",
    ]
    /// Attributes that change nothing for those who use a constant on the main actor.
    private static let attributes: Set<String> = [
        "MainActor", "available", "inlinable", "preconcurrency", "usableFromInline",
    ]
    /// Arguments of `@available` with which a use warns, or is an error.
    private static let unavailable: Set<String> = ["deprecated", "noasync", "obsoleted", "unavailable"]

    init(tokens: [SwiftToken]) { self.tokens = tokens }

    private func text(_ offset: Int = 0) -> String? {
        tokens.indices.contains(place + offset) ? tokens[place + offset].text : nil
    }

    mutating func read() {
        while place < tokens.count {
            step()
            place += 1
        }
    }

    private mutating func step() {
        switch tokens[place].text {
        case "{": braces += 1
        case "}":
            braces = max(0, braces - 1)
            if braces == 0 { type = nil }
        case "(", "[": groups += 1
        case ")", "]": groups = max(0, groups - 1)
        case "#" where text(1) == "if": conditions += 1
        case "#" where text(1) == "endif": conditions = max(0, conditions - 1)
        case "extension" where braces == 0 && groups == 0: beginExtension()
        case "let" where isAtMembers, "var" where isAtMembers: declare()
        default: break
        }
    }

    private var isAtMembers: Bool { type != nil && braces == 1 && groups == 0 && conditions == 0 }

    /// Goes to the opening brace of an extension, and remembers its type if its members count.
    private mutating func beginExtension() {
        let isUsable = modifiersAreUsable(before: place)
        var name = text(1)
        var end = place + 2
        if name == "HIL", text(2) == ".", let member = text(3) { (name, end) = (member, place + 4) }
        // `Peripheral.Service` is another type, and constraints belong to generic ones.
        guard tokens.indices.contains(end), ["{", ":"].contains(tokens[end].text), isUsable, conditions == 0, let name,
            AccessoryFile.types.contains(name)
        else { return }
        while end < tokens.count, tokens[end].text != "{" {
            if tokens[end].isWord("where") { return }
            end += 1
        }
        place = end
        braces += 1
        type = name
    }

    /// Reads the names of a declaration: `static let one = …, two = …`.
    private mutating func declare() {
        guard let type, modifiersAreUsable(before: place), modifiers(before: place).words.contains("static") else {
            return
        }
        repeat {
            place += 1
            guard tokens.indices.contains(place), tokens[place].kind == .word else { return }
            let constant = AccessoryFile.Constant(type: type, name: tokens[place].text, line: tokens[place].line)
            if !hasThrowingGetter(after: place + 1) { constants.append(constant) }
        } while skipToComma()
    }

    /// Goes over a constant's type and value.
    ///
    /// - Returns: Whether a comma follows, and so another constant.
    private mutating func skipToComma() -> Bool {
        var depth = 0
        var next = place + 1
        while next < tokens.count {
            let token = tokens[next]
            switch token.text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth < 0 { return false }
            case ";" where depth == 0: return false
            case "," where depth == 0:
                // A name and its type or value; the arguments of a generic type also have commas.
                guard tokens.indices.contains(next + 2), tokens[next + 1].kind == .word,
                    ["=", ":"].contains(tokens[next + 2].text)
                else { break }
                place = next
                return true
            default: if depth == 0, beginsDeclaration(next) { return false }
            }
            next += 1
        }
        return false
    }

    /// Whether another declaration, or a condition of the compiler, begins at a token.
    private func beginsDeclaration(_ index: Int) -> Bool {
        guard index == 0 || !tokens[index - 1].isSign(".") else { return false }
        switch tokens[index].text {
        case "static", "let", "var", "func", "extension": return true
        case "#": return tokens.indices.contains(index + 1) && ["if", "else", "endif"].contains(tokens[index + 1].text)
        default: return false
        }
    }

    /// Whether a property after its name has an accessor `get async` or `get throws`.
    private func hasThrowingGetter(after start: Int) -> Bool {
        var next = start
        // Its type, up to the braces of its accessors, or to its value.
        while next < tokens.count, tokens[next].text != "{" {
            if ["=", "}"].contains(tokens[next].text) || beginsDeclaration(next) { return false }
            next += 1
        }
        let accessors = tokens[min(next, tokens.count)...].prefix(16)
        guard let getter = accessors.firstIndex(where: { $0.isWord("get") }) else { return false }
        return tokens[getter...].dropFirst().prefix { $0.text != "{" && $0.text != "}" }.contains {
            $0.isWord("async") || $0.isWord("throws")
        }
    }

    // MARK: What stands before a declaration

    /// Whether the whole module can use the declaration, on the main actor, without a warning.
    private func modifiersAreUsable(before index: Int) -> Bool {
        let found = modifiers(before: index)
        return found.words.isDisjoint(with: ["private", "fileprivate"]) && found.isUsable
    }

    /// The modifiers right before a declaration, and whether its attributes let everybody use it.
    private func modifiers(before index: Int) -> (words: Set<String>, isUsable: Bool) {
        var words: Set<String> = []
        var isUsable = true
        var last = index - 1
        while last >= 0 {
            var arguments: ArraySlice<SwiftToken> = []
            var word = last
            if tokens[last].isSign(")") {
                guard let opening = opening(of: last), opening > 0 else { break }
                arguments = tokens[opening...last]
                word = opening - 1
            }
            guard tokens[word].kind == .word else { break }
            let text = tokens[word].text
            if word > 0, tokens[word - 1].isSign("@") {
                isUsable =
                    isUsable && Self.attributes.contains(text)
                    && !arguments.contains { Self.unavailable.contains($0.text) }
                last = word - 2
            } else if Self.modifiers.contains(text) {
                // `private(set)` is for those who write.
                if arguments.isEmpty || !arguments.contains(where: { $0.isWord("set") }) { words.insert(text) }
                last = word - 1
            } else {
                break
            }
        }
        return (words, isUsable)
    }

    /// The place of the parenthesis that a closing one belongs to; nil if it is far away, as in no attribute.
    private func opening(of closing: Int) -> Int? {
        var depth = 0
        for index in stride(from: closing, through: max(0, closing - 64), by: -1) {
            if tokens[index].isSign(")") { depth += 1 }
            if tokens[index].isSign("(") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
