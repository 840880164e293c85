/// The scenarios that a source file declares.
package struct ScenarioFile: Sendable, Equatable {
    /// A reason why a scenario of the file would never run.
    package struct Problem: Sendable, Equatable {
        /// Counted from 1.
        package var line: Int
        /// What is wrong, and what to write instead.
        package var text: String
    }

    /// The names of its scenarios in the order of declaration. A keyword is in backticks.
    package private(set) var scenarios: [String] = []
    package private(set) var problems: [Problem] = []

    /// Finds every constant at the top level of the file that is declared with `= Scenario(` or as `: Scenario`.
    ///
    /// A scenario that cannot be listed is a problem: one that is private, in a type, in `#if` or in an expression,
    /// and a constant with the name of its file, `foo` in `Foo.swift`, that does not look like a scenario.
    ///
    /// - Parameters:
    ///   - text: The source.
    ///   - name: The file's name: `Foo.swift`.
    package init(_ text: String, name: String) { self.init(SwiftLexer.read(text), name: name) }

    init(_ tokens: [SwiftToken], name: String) {
        var reader = Reader(tokens: tokens, expected: ScenarioFile.declaration(for: name))
        reader.read()
        scenarios = reader.scenarios
        problems = reader.problems
    }

    /// The usual name of the scenario in a file: `newLampIsOnboarded` in `NewLampIsOnboarded.swift`, and
    /// `wpa3Join` in `WPA3Join.swift`.
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

/// Reads the tokens of a file once.
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
    /// Whether the current declaration is one of constants, which a comma may continue.
    private var declaresConstants = false
    /// Whether the current value belongs to a scenario that has been handled.
    private var isHandled = false

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
        case "Scenario" where text(1) == "(" && braces == 0 && !isHandled: reportExpression()
        default: break
        }
    }

    private mutating func endDeclaration() {
        (isPrivate, isStatic, declaresConstants, isHandled) = (false, false, false, false)
    }

    private mutating func reportExpression() {
        report("this scenario is not a constant of the file, so it would never run: write `let name = Scenario(…)`")
    }

    private mutating func report(_ text: String) {
        problems.append(ScenarioFile.Problem(line: tokens[place].line, text: text))
    }

    /// Reads the declaration of a constant with its name at this offset.
    private mutating func declare(at offset: Int) {
        let (wasPrivate, wasStatic) = (isPrivate, isStatic)
        if tokens[place].text != "," { endDeclaration() }
        guard groups == 0, isWord(offset), let name = text(offset) else { return }
        let isScenario = isScenario(after: offset + 1)
        if braces > 0 {
            if isScenario, wasStatic {
                report("`\(name)` is inside a type, so it would never run: declare it outside of all braces")
            }
            return
        }
        declaresConstants = true
        isHandled = isScenario
        if tokens[place].text == "," { isPrivate = wasPrivate }
        if !isScenario {
            if name == expected { reportName(name) }
        } else if wasPrivate {
            report("`\(name)` is private, so it would never run: leave out the word")
            isPrivate = true
        } else if conditions > 0 {
            report("`\(name)` is inside #if, so it may not exist: declare it outside")
        } else {
            scenarios.append(name)
        }
    }

    private mutating func reportName(_ name: String) {
        report(
            "`\(name)` has the name of this file's scenario, but does not begin with Scenario(: write `let"
                + " \(name): Scenario = …` if it is one, or give it another name")
    }

    /// Whether the text after a constant's name makes it a scenario: `= Scenario(`, `: Scenario`, with or without
    /// `HIL.`.
    private func isScenario(after offset: Int) -> Bool {
        guard let sign = text(offset), sign == "=" || sign == ":" else { return false }
        let start = text(offset + 1) == "HIL" && text(offset + 2) == "." ? offset + 3 : offset + 1
        guard text(start) == "Scenario" else { return false }
        let next = text(start + 1)
        return sign == "=" ? next == "(" : next == nil || next == "=" || next == "{"
    }
}
