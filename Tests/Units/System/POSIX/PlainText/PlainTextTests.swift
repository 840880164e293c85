import HILPOSIX
import Testing

struct PlainTextTests {
    @Test("All control characters are made visible; other text is unchanged")
    func escaped() {
        #expect(PlainText.line("Die \u{1B}[31m7\u{1B}[0m") == "Die #x1B[31m7#x1B[0m")
        #expect(PlainText.line("a\nb\tc\rd") == "a#xAb#x9c#xDd")
        #expect(PlainText.line("\u{9B}2J\u{7F}\u{0}") == "#x9B2J#x7F#x0")
        #expect(PlainText.line("7 \u{202E}eiD\u{2066}\u{2028}") == "7 #x202EeiD#x2066#x2028")
        let harmless = "Kim’s “Würfel” → 骰子 🎲👩‍👩‍👧 e\u{301}\u{A0}"
        #expect(PlainText.line(harmless) == harmless)
    }

    @Test("Line breaks are kept in text of several lines, but a carriage return alone is made visible")
    func lines() {
        #expect(PlainText.lines("one\r\ntwo\n\tthree\rfour\u{1B}") == "one\ntwo\n\tthree#xDfour#x1B")
    }

    @Test("A long text keeps its start and says how much was left out")
    func cut() {
        #expect(
            PlainText.cut(String(repeating: "a", count: 1_048_576), to: 576).hasSuffix("aa… 1,048,000 more characters"))
        #expect(PlainText.cut("abc", to: 3) == "abc")
        #expect(PlainText.cut("äöü", to: 3) == "äöü")
        #expect(PlainText.cut("äöüß", to: 3) == "äöü… 1 more character")
        #expect(PlainText.grouped(-1234567) == "-1,234,567" && PlainText.grouped(999) == "999")
    }

    @Test("A cut text is also short in bytes, however many marks a character has")
    func marks() {
        let text = "e" + String(repeating: "\u{301}", count: 100_000) + "nd"
        #expect(PlainText.cut(text, to: 100).utf8.count < 500)
    }
}
