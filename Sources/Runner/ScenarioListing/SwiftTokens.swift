/// A word or a sign of a Swift source.
struct SwiftToken: Equatable {
    enum Kind: Equatable {
        /// A keyword or a name, with its backticks if it has any.
        case word
        /// A number, a string or a regular expression. Its text is empty.
        case literal
        /// One character of punctuation or of an operator.
        case sign
    }

    var kind: Kind
    var text: String
    /// Counted from 1.
    var line: Int
}

/// Splits a Swift source into words and signs, without comments and without the content of literals.
///
/// It is not a parser: it only knows enough of the language to find the braces and names that are code.
/// Source: The Swift Programming Language, Lexical Structure.
struct SwiftTokens {
    private let source: [Character]
    private var place = 0
    private var line = 1
    private var tokens: [SwiftToken] = []

    static func read(_ text: String) -> [SwiftToken] {
        // "\r\n" is one character, which is a newline as well.
        var reader = SwiftTokens(source: Array(text))
        reader.readCode(untilParenthesis: false)
        return reader.tokens
    }

    private init(source: [Character]) { self.source = source }

    private func peek(_ offset: Int = 0) -> Character? {
        place + offset < source.count ? source[place + offset] : nil
    }

    private func stands(_ text: String) -> Bool { source[place...].starts(with: text) }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where place < source.count {
            if source[place].isNewline { line += 1 }
            place += 1
        }
    }

    /// Reads code to the end, or in a string's interpolation, to its closing parenthesis.
    private mutating func readCode(untilParenthesis isInterpolation: Bool) {
        var depth = 0
        while let character = peek() {
            if character.isWhitespace {
                advance()
            } else if stands("//") {
                while let next = peek(), !next.isNewline { advance() }
            } else if stands("/*") {
                skipComment()
            } else if character == "\"" || character == "#" && isHashedQuote("\"") {
                readString()
            } else if character == "/" && beginsRegex || character == "#" && isHashedQuote("/") {
                readRegex()
            } else if character.isLetter || character == "_" || character == "`" {
                readWord()
            } else if character.isNumber {
                add(.literal, "")
                while let next = peek(), next.isLetter || next.isNumber || next == "_" { advance() }
            } else {
                if isInterpolation {
                    if character == ")", depth == 0 { return }
                    depth += character == "(" ? 1 : character == ")" ? -1 : 0
                }
                add(.sign, String(character))
                advance()
            }
        }
    }

    private mutating func add(_ kind: SwiftToken.Kind, _ text: String) {
        tokens.append(SwiftToken(kind: kind, text: text, line: line))
    }

    /// Skips a comment, which may contain comments.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if stands("/*") {
                depth += 1
                advance(2)
            } else if stands("*/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && place < source.count
    }

    private mutating func readWord() {
        let (start, begin) = (place, line)
        if peek() == "`" {
            advance()
            while let next = peek(), next != "`", !next.isNewline { advance() }
            advance()
        } else {
            while let next = peek(), next.isLetter || next.isNumber || next == "_" { advance() }
        }
        tokens.append(SwiftToken(kind: .word, text: String(source[start..<place]), line: begin))
    }

    /// Whether one or more `#` and this quote follow.
    private func isHashedQuote(_ quote: Character) -> Bool {
        var count = 0
        while peek(count) == "#" { count += 1 }
        return peek(count) == quote
    }

    private mutating func readHashes() -> String {
        var hashes = ""
        while peek() == "#" {
            hashes += "#"
            advance()
        }
        return hashes
    }

    /// Reads a string of any form. The tokens of interpolated code are dropped.
    private mutating func readString() {
        add(.literal, "")
        let hashes = readHashes()
        let isLong = stands("\"\"\"")
        let quote = isLong ? "\"\"\"" : "\""
        advance(quote.count)
        while let character = peek() {
            if stands(quote + hashes) { return advance(quote.count + hashes.count) }
            // An unclosed string is an error that the compiler reports.
            if !isLong, character.isNewline { return }
            if stands("\\" + hashes + "(") {
                advance(hashes.count + 2)
                let kept = tokens
                readCode(untilParenthesis: true)
                tokens = kept
                advance()
            } else if stands("\\" + hashes) {
                advance(hashes.count + 2)
            } else {
                advance()
            }
        }
    }

    /// Whether the slash here begins a regular expression and is not a division: a value is expected here, no space
    /// follows, and the line has another slash.
    private var beginsRegex: Bool {
        if let last = tokens.last {
            let keywords = ["return", "in", "case", "try", "await", "else", "where", "if", "guard", "while", "switch"]
            let isValue =
                switch last.kind {
                case .literal: true
                case .word: !keywords.contains(last.text)
                case .sign: [")", "]", "}"].contains(last.text)
                }
            if isValue { return false }
        }
        guard let next = peek(1), !next.isWhitespace else { return false }
        var ahead = place + 1
        while ahead < source.count, !source[ahead].isNewline {
            if source[ahead] == "/" { return true }
            ahead += source[ahead] == "\\" ? 2 : 1
        }
        return false
    }

    private mutating func readRegex() {
        add(.literal, "")
        let hashes = readHashes()
        advance()
        while let character = peek() {
            if stands("/" + hashes) { return advance(1 + hashes.count) }
            if hashes.isEmpty, character.isNewline { return }
            advance(character == "\\" ? 2 : 1)
        }
    }
}
