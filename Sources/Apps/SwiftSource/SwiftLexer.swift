/// Splits a Swift source into words, signs and literals, without comments and without what is in literals.
///
/// It is not a parser: it only knows enough of the language to find the braces and names that are code. It takes any
/// bytes, and reads each of them once, besides looking ahead to the end of a line where a regular expression may begin.
/// Source: The Swift Programming Language, Lexical Structure.
package struct SwiftLexer {
    private let source: [UInt8]
    private var place = 0
    private var line = 1
    private var lineOfLastToken = 0
    private var tokens: [SwiftToken] = []
    /// How many interpolations are open. A hostile source must not use up the stack.
    private var nesting = 0
    private static let deepestNesting = 64

    /// The tokens of a source.
    package static func read(_ text: String) -> [SwiftToken] { read(Array(text.utf8)) }

    /// The tokens of a source in UTF-8.
    package static func read(_ source: [UInt8]) -> [SwiftToken] {
        var lexer = SwiftLexer(source: source)
        lexer.readCode(untilParenthesis: false)
        return lexer.tokens
    }

    private init(source: [UInt8]) { self.source = source }

    private func peek(_ offset: Int = 0) -> UInt8? { place + offset < source.count ? source[place + offset] : nil }

    private func stands(_ text: String) -> Bool { source[place...].starts(with: text.utf8) }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where place < source.count {
            // "\r\n" is one newline.
            if source[place] == .newline || source[place] == .return && peek(1) != .newline { line += 1 }
            place += 1
        }
    }

    /// Reads code to the end, or in a string's interpolation, to its closing parenthesis.
    private mutating func readCode(untilParenthesis isInterpolation: Bool) {
        var depth = 0
        while let byte = peek() {
            if byte.isSpace {
                advance()
            } else if stands("//") {
                while let next = peek(), !next.isNewline { advance() }
            } else if stands("/*") {
                skipComment()
            } else if byte == .quote || byte == .hash && isHashed(.quote) {
                token(.literal) { $0.readString() }
            } else if byte == .slash && beginsRegex || byte == .hash && isHashed(.slash) {
                token(.literal) { $0.readRegex() }
            } else if byte.isDigit {
                token(.literal) { $0.readNumber() }
            } else if byte.isNamePart || byte == .backtick {
                token(.word) { $0.readWord() }
            } else {
                if isInterpolation {
                    if byte == .closing, depth == 0 { return }
                    depth += byte == .opening ? 1 : byte == .closing ? -1 : 0
                }
                token(.sign) { $0.advance() }
            }
        }
    }

    private mutating func token(_ kind: SwiftToken.Kind, _ read: (inout SwiftLexer) -> Void) {
        let (start, begin) = (place, line)
        read(&self)
        let text = String(decoding: source[start..<place], as: UTF8.self)
        tokens.append(
            SwiftToken(
                kind: kind, text: text, range: start..<place, line: begin, isFirstOnLine: begin != lineOfLastToken))
        lineOfLastToken = line
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
        if peek() == .backtick {
            advance()
            while let next = peek(), next != .backtick, !next.isNewline { advance() }
            advance()
        } else {
            while let next = peek(), next.isNamePart { advance() }
        }
    }

    private mutating func readNumber() {
        while let next = peek() {
            // The point of 1.5, and not that of 1.description or 1...5.
            let isPoint = next == .point && peek(1)?.isDigit == true
            guard next.isNamePart || isPoint else { return }
            advance()
        }
    }

    /// Whether one or more `#` and this byte follow.
    private func isHashed(_ byte: UInt8) -> Bool {
        var count = 0
        while peek(count) == .hash { count += 1 }
        // `#/` begins a regular expression, and `#//` a comment.
        return peek(count) == byte && !(byte == .slash && [.slash, .star].contains(peek(count + 1)))
    }

    private mutating func readHashes() -> String {
        var hashes = ""
        while peek() == .hash {
            hashes += "#"
            advance()
        }
        return hashes
    }

    /// Reads a string of any form. The tokens of interpolated code are dropped.
    private mutating func readString() {
        let hashes = readHashes()
        let isLong = stands("\"\"\"")
        let quote = isLong ? "\"\"\"" : "\""
        advance(quote.count)
        while let byte = peek() {
            if stands(quote + hashes) { return advance(quote.count + hashes.count) }
            // An unclosed string is an error that the compiler reports.
            if !isLong, byte.isNewline { return }
            guard byte == .backslash, stands("\\" + hashes) else {
                advance()
                continue
            }
            advance(hashes.count + 1)
            if peek() == .opening, nesting < Self.deepestNesting { skipInterpolation() } else { advance() }
        }
    }

    private mutating func skipInterpolation() {
        let (kept, last) = (tokens, lineOfLastToken)
        advance()
        nesting += 1
        readCode(untilParenthesis: true)
        nesting -= 1
        (tokens, lineOfLastToken) = (kept, last)
        advance()
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
        guard let next = peek(1), !next.isSpace, next != .closing else { return false }
        var ahead = place + 1
        while ahead < source.count, !source[ahead].isNewline {
            if source[ahead] == .slash { return true }
            ahead += source[ahead] == .backslash ? 2 : 1
        }
        return false
    }

    private mutating func readRegex() {
        let hashes = readHashes()
        advance()
        while let byte = peek() {
            if stands("/" + hashes) { return advance(1 + hashes.count) }
            if hashes.isEmpty, byte.isNewline { return }
            advance(byte == .backslash ? 2 : 1)
        }
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n"), `return` = UInt8(ascii: "\r"), quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#"), slash = UInt8(ascii: "/"), star = UInt8(ascii: "*")
    static let backslash = UInt8(ascii: "\\"), backtick = UInt8(ascii: "`"), point = UInt8(ascii: ".")
    static let opening = UInt8(ascii: "("), closing = UInt8(ascii: ")")

    var isNewline: Bool { self == .newline || self == .return }
    /// White space of Swift: NUL counts.
    var isSpace: Bool { isNewline || [0x20, 0x09, 0x0B, 0x0C, 0x00].contains(self) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Whether a name may have this byte: letters, digits, the underscore, the dollar sign and all beyond ASCII.
    var isNamePart: Bool {
        let small = self | 0x20
        return isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(small) && self < 0x80
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
    }
}
