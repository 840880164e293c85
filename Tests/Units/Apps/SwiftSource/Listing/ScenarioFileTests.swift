import Testing

@testable import HILSwiftSource

/// Every scenario is listed, or reported as a problem.
struct ScenarioFileTests {
    private func read(_ text: String, name: String = "Foo.swift") -> ScenarioFile { ScenarioFile(text, name: name) }

    @Test("Every scenario of a file is listed, for any file name")
    func several() {
        let text = """
            import HIL

            /// let notThis = Scenario("in a comment")
            let first = Scenario("The first", .tags(.smoke)) { lab in
                let inner = lab.die
            }

            public let second: Scenario = make()
            let third = HIL.Scenario("The third") { _ in }, fourth = Scenario("The fourth") { _ in }
            @available(*, deprecated) nonisolated let fifth =
                Scenario(
                    "The fifth"
                ) { _ in }
            let limit = 3, other: [Int] = [1, 2]
            """
        for name in ["Foo.swift", "a-b.swift", "Lab+Dice.swift", "2.swift"] {
            #expect(read(text, name: name).scenarios == ["first", "second", "third", "fourth", "fifth"])
            #expect(read(text, name: name).problems == [])
        }
    }

    @Test("A file without scenarios lists none, for any file name")
    func helper() {
        let text = """
            import HIL

            let limit = 3
            extension Scenario { static var count: Int { 1 } }
            func helper(_ name: String) -> Scenario { Scenario(name) { lab in lab.note("x") } }
            struct Dice { var scenario: Scenario; let scenarios: [Scenario] = [] }
            """
        #expect(read(text) == read(""))
    }

    @Test(
        "Braces, quotes and declarations in comments, strings and regular expressions are not the program's",
        arguments: [
            #"let text = "{ \" let no = Scenario( {""#, #"let text = "a \(f("}", { "{" }) + ")") {""#,
            ##"let text = #"{ " \( let no = Scenario("#"##, ###"let text = ##"{ "# \##(f("{")) "##"###,
            #"let pattern = /[{"(]\/{/"#, ##"let pattern = #/ { " / let no = Scenario( /#"##,
            "let half = whole / 2; let more = \"{\" /* / */", "/* { /* \" */ let no = Scenario( */",
            "/*\n{ \" /* ( */\nlet no = Scenario(\n*/",
            "// { \" let no = Scenario(",
            "let text = \"\"\"\n{ \" \"\" let no = Scenario(\n\\(f(\"\"\"\n{\n\"\"\"))\n\"\"\"",
            "let text = #\"\"\"\n{ \"\"\" \\(\n\"\"\"#", "let ratio = a/b, c = \"{\" + d/e",
            "func f() { let g = { $0 as? Scenario }; let no = 1 }\r\n// {\r\n",
        ])
    func robust(_ trap: String) {
        let file = read("\(trap)\nlet real = Scenario(\"Real\") { _ in }\n\(trap.replacing("let ", with: "let x"))")
        #expect(file.scenarios == ["real"])
        #expect(file.problems == [])
    }

    @Test("A name that is a keyword keeps its backticks")
    func keyword() { #expect(read("let `default` = Scenario(\"It\") { _ in }").scenarios == ["`default`"]) }

    @Test(
        "A scenario that could not run is a problem, with its line",
        arguments: [
            ("private let one = Scenario(\"It\") { _ in }", "private"),
            ("fileprivate let one: Scenario = make()", "private"),
            ("enum All { static let one = Scenario(\"It\") { _ in } }", "inside a type"),
            ("#if DEBUG\nlet one = Scenario(\"It\") { _ in }\n#endif", "#if"),
            ("let all = [Scenario(\"It\") { _ in }]", "let name = Scenario("),
            ("let one = checked(Scenario(\"It\") { _ in })", "let name = Scenario("),
            ("let foo = make(\"It\")", "let foo: Scenario ="),
        ])
    func problems(_ text: String, _ part: String) {
        let file = read("\n\(text)\n")
        #expect(file.scenarios == [])
        #expect(file.problems.count == 1)
        #expect(file.problems.first?.text.contains(part) == true, "\(file.problems)")
        #expect(file.problems.first?.line == (text.hasPrefix("#if") ? 3 : 2))
    }

    @Test("Modifiers of a declaration do not apply to the next")
    func apart() {
        let text = """
            private let limit = 3
            let one = Scenario("One") { _ in }
            private func helper() {}
            public private(set) var two: Scenario = make()
            private struct Part { static let count = 1 }
            let three = Scenario("Three") { _ in }
            """
        #expect(read(text).scenarios == ["one", "two", "three"])
        #expect(read(text).problems == [])
    }

    @Test("The scenario of a file has the file's name, with a small first letter")
    func declaration() {
        let names = ["NewDieIsOnboarded": "newDieIsOnboarded", "WPA3Join": "wpa3Join", "P256": "p256", "a": "a"]
        for (file, name) in names { #expect(ScenarioFile.declaration(for: "\(file).swift") == name) }
    }

    @Test("The list has names, files and declarations, and problems have the form of a compiler's errors")
    func list() {
        var list = ScenarioIndex()
        list.add(
            path: "/s/A/Foo.swift", file: "A/Foo.swift",
            text: "let foo = Scenario(\"1\") {}\nlet `in` = Scenario(\"2\") {}")
        list.add(path: "/s/Bar.swift", file: "Bar.swift", text: "\nprivate let bar = Scenario(\"3\") {}")
        #expect(
            list.source.split(separator: "\n").dropFirst(3).prefix(3) == [
                #"    NamedScenario("foo", file: "A/Foo.swift", foo),"#,
                #"    NamedScenario("in", file: "A/Foo.swift", `in`),"#, "]",
            ])
        #expect(list.errors.count == 1)
        #expect(list.errors.first?.hasPrefix("/s/Bar.swift:2: error: `bar` is private") == true)
    }
}
