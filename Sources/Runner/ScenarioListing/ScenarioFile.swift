/// What a source file declares of scenarios.
package struct ScenarioFile: Sendable, Equatable {
    /// Why a scenario of the file would never run.
    package struct Problem: Sendable, Equatable {
        /// From 1.
        package var line: Int
        /// What is wrong, and what to write instead.
        package var text: String
    }

    /// The names of its scenarios, as declared, in their order; one that is a keyword stands in backticks.
    package private(set) var scenarios: [String] = []
    package private(set) var problems: [Problem] = []

    /// Finds every constant of the file, not of a type or a function, that is declared with `= Scenario(` or as
    /// `: Scenario`.
    ///
    /// A scenario that cannot be listed is a problem: one that is private or a type's, one that stands in `#if` or in an
    /// expression, and a constant that is called as its file, `foo` in `Foo.swift`, and shows no sign of being one.
    ///
    /// - Parameters:
    ///   - text: The source.
    ///   - name: The file's name: `Foo.swift`.
    package init(_ text: String, name: String) {
        let tokens = SwiftTokens.read(text)
        var reader = Reader(tokens: tokens, expected: ScenarioFile.declaration(for: name))
        reader.read()
        scenarios = reader.scenarios
        problems = reader.problems
    }

    /// What somebody calls a scenario in a file of its own: `NewLampIsOnboarded.swift` is `newLampIsOnboarded`, and
    /// `WPA3Join.swift` is `wpa3Join`.
    static func declaration(for file: String) -> String {
        let name = file.hasSuffix(".swift") ? file.dropLast(".swift".count) : file[...]
        let characters = Array(name)
        let capitals = characters.prefix { !$0.isLowercase }.count
        // The last capital before a small letter begins the next word, unless it is the first.
        let head =
            capitals < characters.count && capitals > 1 && characters[capitals - 1].isUppercase
            ? capitals - 1 : max(1, capitals)
        return name.prefix(head).lowercased() + String(name.dropFirst(head))
    }
}

/// Goes through the words of a file once.
private struct Reader {
    let tokens: [SwiftToken]
    /// A constant of this name is probably meant to be a scenario.
    let expected: String
    var scenarios: [String] = []
    var problems: [ScenarioFile.Problem] = []
    private var place = 0
    /// How many braces are open.
    private var braces = 0
    /// How many parentheses and brackets are open.
    private var groups = 0
    private var conditions = 0
    private var isPrivate = false
    private var isStatic = false
    /// Whether the declaration under way is one of constants, which a comma may continue.
    private var declaresConstants = false
    /// Whether the value under way belongs to a scenario that was dealt with.
    private var isDealtWith = false

    init(tokens: [SwiftToken], expected: String) {
        self.tokens = tokens
        self.expected = expected
    }

    private func text(_ offset: Int) -> String? {
        place + offset < tokens.count ? tokens[place + offset].text : nil
    }

    private func isWord(_ offset: Int) -> Bool {
        place + offset < tokens.count && tokens[place + offset].kind == .word
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
        case "}": braces -= 1
        case "(", "[": groups += 1
        case ")", "]": groups -= 1
        case "#" where text(1) == "if": conditions += 1
        case "#" where text(1) == "endif": conditions -= 1
        case "private", "fileprivate": if text(1) != "(" { isPrivate = true }
        case "static": isStatic = true
        case "let", "var": declare(at: 1)
        case "," where braces == 0 && groups == 0 && declaresConstants && isWord(1) && ["=", ":"].contains(text(2)):
            declare(at: 1)
        case "func", "struct", "class", "enum", "extension", "actor", "protocol", "import", "typealias", "init",
            "subscript":
            endDeclaration()
        case "Scenario" where text(1) == "(" && braces == 0 && !isDealtWith: complainOfExpression()
        default: break
        }
    }

    private mutating func endDeclaration() {
        (isPrivate, isStatic, declaresConstants, isDealtWith) = (false, false, false, false)
    }

    private mutating func complainOfExpression() {
        complain("no constant of the file is this scenario, so it would never run: write `let name = Scenario(…)`")
    }

    private mutating func complain(_ text: String) {
        problems.append(ScenarioFile.Problem(line: tokens[place].line, text: text))
    }

    /// A constant whose name stands at this offset.
    private mutating func declare(at offset: Int) {
        let (wasPrivate, wasStatic) = (isPrivate, isStatic)
        if tokens[place].text != "," { endDeclaration() }
        guard groups == 0, isWord(offset), let name = text(offset) else { return }
        let isScenario = isScenario(after: offset + 1)
        if braces > 0 {
            if isScenario, wasStatic {
                complain("`\(name)` is a type's, so it would never run: declare it outside of all braces")
            }
            return
        }
        declaresConstants = true
        isDealtWith = isScenario
        if tokens[place].text == "," { isPrivate = wasPrivate }
        if !isScenario {
            if name == expected { complainOfName(name) }
        } else if wasPrivate {
            complain("`\(name)` is private, so it would never run: leave out the word")
            isPrivate = true
        } else if conditions > 0 {
            complain("`\(name)` stands in #if, where nobody knows whether it is there: declare it outside")
        } else {
            scenarios.append(name)
        }
    }

    private mutating func complainOfName(_ name: String) {
        complain(
            "`\(name)` is called as a scenario of this file would be, and does not begin with Scenario(: write `let"
                + " \(name): Scenario = …` if it is one, and else give it another name")
    }

    /// Whether what follows a constant's name makes it a scenario: `= Scenario(`, `: Scenario`, with `HIL.` or without.
    private func isScenario(after offset: Int) -> Bool {
        guard let sign = text(offset), sign == "=" || sign == ":" else { return false }
        let start = text(offset + 1) == "HIL" && text(offset + 2) == "." ? offset + 3 : offset + 1
        guard text(start) == "Scenario" else { return false }
        let next = text(start + 1)
        return sign == "=" ? next == "(" : next == nil || next == "=" || next == "{"
    }
}
