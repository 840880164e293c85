import Testing

@testable import AppleSourceCopy

/// The copy of a source without its first line.
private func body(_ source: String) -> String {
    let text = AppleSourceCopy(of: source, path: "/app/Die.swift").text
    return String(text[text.index(after: text.firstIndex(of: "\n") ?? text.startIndex)...])
}

private func problems(_ source: String) -> [AppleSourceCopy.Problem] {
    AppleSourceCopy(of: source, path: "/app/Die.swift").problems
}

@Suite("An app's source is copied for Linux")
struct AppleSourceCopyTests {
    @Test("A source without anything of Apple's stays as it is, after a line that names its file")
    func unchanged() {
        let source = "let a = 1 // @objc\r\nlet text = \"@objc #selector(x) #if os(iOS)\"\n/* #if os(iOS) */\n"
        let copy = AppleSourceCopy(of: source, path: "/my \"app\"/D\\ie.swift")
        #expect(copy.text == "#sourceLocation(file: \"/my \\\"app\\\"/D\\\\ie.swift\", line: 1)\n" + source)
        #expect(copy.problems.isEmpty)
    }

    @Test(
        "Conditions are as an iPhone answers them, and the compiler keeps what it has to answer",
        arguments: [
            ("#if os(iOS)", "#if true"), ("#if !os(iOS)", "#if !true"), ("#if os(macOS)", "#if false"),
            ("#if os(Linux) || os(iOS)", "#if false || true"), ("#if DEBUG && os( iOS )", "#if DEBUG && true"),
            (
                "#if (os(iOS)||os(tvOS))&&!targetEnvironment(simulator)",
                "#if (true||false)&&!targetEnvironment(simulator)"
            ),
            ("#if canImport(UIKit) && swift(>=6.0)", "#if canImport(UIKit) && swift(>=6.0)"),
            ("#if os(iOS) // os(macOS)", "#if true // os(macOS)"), ("#if /* x */ os(visionOS)", "#if /* x */ false"),
        ])
    func conditions(_ line: String, _ expected: String) {
        #expect(body("\(line)\nlet os = os(iOS)\n#endif\n") == "\(expected)\nlet os = os(iOS)\n#endif\n")
    }

    @Test("What an iPhone does not compile is left alone, and has no problems")
    func inactive() {
        let source =
            "#if os(macOS)\n@objc optional func a()\n#selector(getter: b)\n#elseif os(iOS)\n@objc func c() {}\n#else\n"
            + "@objc func d() {}\n#if os(iOS)\n#endif\n#endif\n@objc func e() {}\n"
        #expect(
            body(source)
                == "#if false\n@objc optional func a()\n#selector(getter: b)\n#elseif true\n      func c() {}\n#else\n"
                + "@objc func d() {}\n#if os(iOS)\n#endif\n#endif\n      func e() {}\n")
        #expect(problems(source).isEmpty)
    }

    @Test(
        "A text for debuggers that an extension overrides has another name; every other override stays",
        arguments: [
            (
                "extension A { public override var debugDescription: String { \"a\" } }",
                "extension A { public          var debugDescriptionOfExtension: String { \"a\" } }"
            ),
            (
                "extension A { override open var debugDescription: String { b { override var debugDescription } } }",
                "extension A {          open var debugDescriptionOfExtension: String { b { override var debugDescription } } }"
            ),
            ("class A: B { override var debugDescription: String { \"\" } }", nil),
            ("extension A { class B: C { override var debugDescription: String { \"\" } } }", nil),
            ("extension A { override var description: String { debugDescription } }", nil),
            ("extension A { override func debugDescription() {} }", nil),
        ] as [(String, String?)])
    func overrides(_ line: String, _ expected: String?) {
        #expect(body(line) == expected ?? line)
        #expect(problems(line).isEmpty)
    }

    @Test(
        "Attributes of Objective-C and Interface Builder are left out, and what follows stays in its column",
        arguments: [
            ("@objc func f() {}", "      func f() {}"),
            ("@objc(rollDie:with:) func f() {}", "                     func f() {}"),
            ("@objcMembers class A {}", "             class A {}"),
            ("@IBOutlet weak var a: A!", "          weak var a: A!"),
            ("@main struct A {}", "      struct A {}"),
            ("@available(iOS 18, *) @objc let a = 1", "@available(iOS 18, *)       let a = 1"),
            ("@objc\nprivate func f() {}", "     \nprivate func f() {}"),
            ("@Published var a = 1", "@Published var a = 1"),
            ("@objc (a, b)", "      (a, b)"), ("f(@objcMembersOf x)", "f(@objcMembersOf x)"),
        ])
    func attributes(_ source: String, _ expected: String) {
        #expect(body(source) == expected)
    }

    @Test("A selector becomes the method of its type, on its line")
    func selectors() {
        let source = """
            extension Lab.Die {
                class func make() {}
                struct Face { let class_: Int }
                final class Roller<Value> {
                    func start() {
                        let a = #selector(roll), b = #selector(self.roll(_:with:)), c = #selector(Other.stop)
                        let d = [#selector(
                            roll(_:)
                        )]; let e = #keyPath(Die.face.value)
                    }
                }
                func last() { #selector(last) }
            }
            """
        let copy = AppleSourceCopy(of: source, path: "/app/Die.swift")
        #expect(copy.problems.isEmpty)
        #expect(copy.text.hasPrefix("import HILSelectors\n#sourceLocation(file: \"/app/Die.swift\", line: 1)\n"))
        let lines = copy.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).map {
            $0.drop { $0 == " " }
        }
        #expect(
            lines[5] == "let a = Selector(\"roll\", Lab.Die.Roller.roll), b = Selector(\"roll(_:with:)\", "
                + "Lab.Die.Roller.roll(_:with:)), c = Selector(\"stop\", Other.stop)")
        #expect(
            lines[6...8] == [
                "let d = [Selector(\"roll(_:)\", Lab.Die.Roller.roll(_:))", "", "]; let e = \"face.value\"",
            ])
        #expect(lines[11] == "func last() { Selector(\"last\", Lab.Die.last) }")
        #expect(lines.count == source.split(separator: "\n", omittingEmptySubsequences: false).count)
    }

    @Test("What speaks of URL loading imports it; what an iPhone leaves out, and a longer name, do not count")
    func urlLoading() {
        func isImported(_ source: String) -> Bool {
            AppleSourceCopy(of: source, path: "/a.swift").text.hasPrefix("import HILURLLoading\n#sourceLocation")
        }
        for word in [
            "URLSession.shared", "URLSessionConfiguration", "URLSessionDataDelegate", "HTTPURLResponse", "URLRequest",
        ] {
            #expect(isImported("import Foundation\nlet a = \(word)\n"))
        }
        #expect(!isImported("let a = MyURLRequest.self, b = \"URLRequest\" // URLSession\n"))
        #expect(!isImported("#if os(macOS)\nlet a = URLRequest.self\n#endif\n"))
        let both = AppleSourceCopy(of: "let a: URLSession, b: Selector", path: "/a.swift").text
        #expect(both.hasPrefix("import HILSelectors\nimport HILURLLoading\n#sourceLocation"))
    }

    @Test("A module's part becomes the module")
    func submodules() {
        #expect(body("import os.log\nimport UIKit.UIImage\n") == "import os    \nimport UIKit        \n")
        #expect(
            body("import class Foundation.Thread\nimport A\n.b()\n")
                == "import class Foundation.Thread\nimport A\n.b()\n")
    }

    @Test(
        "What cannot be copied is named with its place",
        arguments: [
            ("\n  @objc optional func a()", 2, 9, "optional"), ("é; #selector(getter: b)", 1, 5, "selector"),
            ("#selector(b)", 1, 1, "inside of a type"), ("#selector(super.b)", 1, 1, "selector"),
            ("class A { @NSManaged var b: Int }", 1, 11, "Core Data"),
            ("let a: @convention(block) () -> Void", 1, 8, "blocks"),
            ("class A { func b() { #selector(b as (A) -> Void) } }", 1, 22, "selector"),
            ("#keyPath()", 1, 1, "key path"),
        ])
    func impossible(_ source: String, _ line: Int, _ column: Int, _ text: String) {
        let found = problems(source)
        #expect(found.count == 1 && found.first?.line == line && found.first?.column == column)
        #expect(found.first?.text.contains(text) == true)
    }
}
