/// The condition of an `#if` or `#elseif`, as an iPhone evaluates it.
///
/// The compiler evaluates what is not about the operating system.
/// Source: The Swift Programming Language, Conditional Compilation Block.
struct CompilationCondition {
    /// What the condition is for an iPhone; nil if only the compiler knows.
    private(set) var value: Bool?
    /// Each `os(…)` in it, with its value in the copy.
    private(set) var systems: [(range: Range<Int>, holds: Bool)] = []
    /// The index of the first token after it.
    private(set) var end: Int

    private let tokens: [SwiftToken]
    /// A hostile source must not use up the stack.
    private var nesting = 0

    /// Reads the condition whose first token has this index.
    init(_ tokens: [SwiftToken], at index: Int) {
        self.tokens = tokens
        end = index
        value = readAlternatives()
    }

    private func sign(_ text: String, at offset: Int = 0) -> Bool {
        end + offset < tokens.count && tokens[end + offset].isSign(text)
    }

    /// Takes an operator of two adjacent signs.
    private mutating func takes(_ sign: String) -> Bool {
        guard self.sign(sign), self.sign(sign, at: 1), tokens[end].range.upperBound == tokens[end + 1].range.lowerBound
        else { return false }
        end += 2
        return true
    }

    private mutating func readAlternatives() -> Bool? {
        var value = readConjunction()
        while takes("|") {
            let other = readConjunction()
            value = value == true || other == true ? true : value == nil || other == nil ? nil : false
        }
        return value
    }

    private mutating func readConjunction() -> Bool? {
        var value = readTerm()
        while takes("&") {
            let other = readTerm()
            value = value == false || other == false ? false : value == nil || other == nil ? nil : true
        }
        return value
    }

    private mutating func readTerm() -> Bool? {
        nesting += 1
        defer { nesting -= 1 }
        guard end < tokens.count, nesting < 64 else { return nil }
        if sign("!") {
            end += 1
            return readTerm().map { !$0 }
        }
        if sign("(") {
            end += 1
            let value = readAlternatives()
            if sign(")") { end += 1 }
            return value
        }
        guard tokens[end].kind == .word else { return nil }
        let word = tokens[end]
        end += 1
        guard sign("(") else { return word.text == "true" ? true : word.text == "false" ? false : nil }
        let start = end + 1
        skipArguments()
        guard word.text == "os", end == start + 2, tokens[start].kind == .word else { return nil }
        let holds = tokens[start].text == "iOS"
        systems.append((word.range.lowerBound..<tokens[end - 1].range.upperBound, holds))
        return holds
    }

    /// Skips parentheses with all that is in them.
    private mutating func skipArguments() {
        var depth = 0
        repeat {
            depth += sign("(") ? 1 : sign(")") ? -1 : 0
            end += 1
        } while depth > 0 && end < tokens.count
    }
}
