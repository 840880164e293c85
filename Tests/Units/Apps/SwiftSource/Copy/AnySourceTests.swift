import TestSupport
import Testing

@testable import HILSwiftSource

/// Sources of strangers may be anything.
@Suite("Any source is copied line by line")
struct AnySourceTests {
    private static let parts = [
        "@objc", "@objc(", "@main", "#selector(", "#selector(roll)", "#keyPath(", "#if os(iOS)\n", "#if ",
        "#elseif !os(macOS)\n",
        "#else\n", "#endif\n", "os(", "&&", "||", "!", "(", ")", "{", "}", "class A ", "extension A.B ",
        "func roll() {}",
        "optional func", "import os.log\n", "\"", "\"\"\"", "\\(", "/*", "*/", "//", "\n", "\r\n", " ", "é", "🎲", ".",
        "Selector", "import Darwin\n", "if #available(iOS 18, *) {", "} else {", ".centralManager?(", "didConnect: ",
        "Timer(timeInterval: ", "target: ", "ObservableObject ", "URLSession",
    ]

    private func source(_ numbers: inout SeededNumbers) -> String {
        (0..<Int.random(in: 0...80, using: &numbers)).map { _ in Self.parts.randomElement(using: &numbers) ?? "" }
            .joined()
    }

    @Test("The copy has as many lines, and the same words outside of what is rewritten")
    func lines() {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<400 {
            let source = source(&numbers)
            let copy = AppleSourceCopy(of: source, path: "/a.swift").text
            let added = copy.prefix { $0 != "#" }.utf8.count { $0 == 10 } + 1
            #expect(copy.utf8.count { $0 == 10 } == source.utf8.count { $0 == 10 } + added)
        }
    }

    @Test("A copy of a copy changes nothing more")
    func twice() {
        var numbers = SeededNumbers(seed: 8)
        for _ in 0..<400 {
            let once = AppleSourceCopy(of: source(&numbers), path: "/a.swift")
            guard once.problems.isEmpty else { continue }
            let twice = AppleSourceCopy(of: once.text, path: "/a.swift").text
            #expect(twice.hasSuffix(once.text))
        }
    }

    @Test("Conditions without end, and deep ones, are read to their end")
    func deep() {
        let deep = "#if " + String(repeating: "(", count: 20_000) + "os(iOS)"
        #expect(AppleSourceCopy(of: deep, path: "/a.swift").problems.isEmpty)
        let many = String(repeating: "#if os(iOS)\n", count: 20_000)
        #expect(!AppleSourceCopy(of: many, path: "/a.swift").text.contains("os(iOS)"))
    }
}
