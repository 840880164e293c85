import TestSupport
import Testing

@testable import HILSwiftSource

/// Sources are split into the tokens that the compiler sees.
@Suite("A Swift source is split into words, signs and literals")
struct SwiftLexerTests {
    private func texts(_ source: String) -> [String] { SwiftLexer.read(source).map(\.text) }

    @Test(
        "A string, a regular expression or a number is one literal, whatever is in it",
        arguments: [
            #""a \(f("}", { "{" }) + ")") {""#, ##"#"{ " \( @objc "#"##, ###"##"a "# \##(f("{")) "##"###, "\"\"",
            "\"\"\"\n@objc \" \"\" \\(f(\"\"\"\n{\n\"\"\"))\n\"\"\"", "#\"\"\"\n\"\"\" \\(\n\"\"\"#", #""\\""#,
            #""\"""#,
            #"/[{"(]\/{/"#, ##"#/ @objc " / let ( /#"##, "0x1F", "1_000", "1.5", "1e10", #""\u{1F600}""#, #""é → ü""#,
        ])
    func literals(_ literal: String) {
        let tokens = SwiftLexer.read("let value = \(literal)\nnext")
        #expect(tokens.map(\.text) == ["let", "value", "=", literal, "next"])
        #expect(tokens[3].kind == .literal && tokens[4].kind == .word)
    }

    @Test(
        "A comment is nothing, and comments may contain comments",
        arguments: [
            "// @objc \"", "/* { \" */", "/* /* @objc */ \" */", "/**/", "/// #if os(iOS)\n//", "/* /* /* */ */ */",
        ])
    func comments(_ comment: String) {
        #expect(texts("a \(comment)\nb") == ["a", "b"])
    }

    @Test("A slash between values divides, and `#/` with another sign behind is no regular expression")
    func divisions() {
        #expect(texts("a / b / c") == ["a", "/", "b", "/", "c"])
        #expect(texts("f(1)/2 + x[0]/3") == ["f", "(", "1", ")", "/", "2", "+", "x", "[", "0", "]", "/", "3"])
        #expect(texts("#//comment\nx") == ["#", "x"])
        #expect(texts("1...5, x.0.description") == ["1", ".", ".", ".", "5", ",", "x", ".", "0", ".", "description"])
    }

    @Test("Lines are counted over comments, strings and each kind of line end", arguments: ["\n", "\r\n", "\r"])
    func lines(_ end: String) {
        let source = ["a", "/* x", "y */ b", "\"\"\"", "text", "\"\"\" c", "`class`"].joined(separator: end)
        let tokens = SwiftLexer.read(source)
        #expect(tokens.map(\.line) == [1, 3, 4, 6, 7])
        #expect(tokens.map(\.isFirstOnLine) == [true, true, true, false, true])
        #expect(tokens.last == tokens.first { $0.text == "`class`" } && tokens.last?.kind == .word)
    }

    @Test("Tokens keep what they cover, in order and apart, for any source")
    func property() {
        var numbers = SeededNumbers(seed: 19)
        let parts = [
            "a", "1", "\"", "\"\"\"", "#", "/", "*", "/*", "*/", "//", "\\", "\\(", "(", ")", "{", "}", "\n", "\r", " ",
            "@objc", "`", "é", "🎲", "#if ", "os(iOS)", ".", "\0",
        ]
        for _ in 0..<400 {
            let source = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in
                parts.randomElement(using: &numbers) ?? ""
            }.joined()
            let bytes = Array(source.utf8)
            var end = 0
            var line = 1
            for token in SwiftLexer.read(bytes) {
                #expect(token.range.lowerBound >= end && token.range.upperBound <= bytes.count && !token.range.isEmpty)
                #expect(token.text == String(decoding: bytes[token.range], as: UTF8.self))
                #expect(token.line >= line)
                (end, line) = (token.range.upperBound, token.line)
            }
        }
    }

    @Test("Interpolations without end take no more room than the source")
    func nesting() {
        let source = String(repeating: "\"\\(", count: 20_000)
        #expect(SwiftLexer.read(source).count <= source.utf8.count)
    }
}
