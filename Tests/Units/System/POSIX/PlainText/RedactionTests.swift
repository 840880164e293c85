import Testing

@testable import HILPOSIX

@Suite("A secret in a text for logs")
struct RedactionTests {
    private let redaction = Redaction(["correct horse", "abc"])

    @Test("is taken out as it is, as bytes, and if it was cut")
    func hides() {
        let texts = [
            ("join Home correct horse!", "join Home •••!"),
            ("written 0A 63 6F 72 72 65 63 74 20 68 6F 72 73 65 00", "written 0A ••• 00"),
            ("written 636f727265637420686f727365", "written •••"),
            // A text of a write shows its first bytes only.
            ("write of 48 6F 0A 63 6F 72 72 65 … (21 bytes)", "write of 48 6F 0A ••• … (21 bytes)"),
            ("join Home corre… (60 characters)", "join Home •••… (60 characters)"),
        ]
        for (text, expected) in texts { #expect(redaction.apply(text) == expected) }
    }

    @Test("is not looked for in what is too short to give it away")
    func short() {
        for text in ["abc", "cor…", "63 6F 72", ""] { #expect(redaction.apply(text) == text) }
        #expect(Redaction(["abc"]).isEmpty && Redaction([]).apply("x") == "x")
    }
}
