import TestSupport
import Testing

@testable import HILSwiftSource

/// Accessories are collected by their names in Swift, and nothing is that a generated list could not use.
struct AccessoryFileTests {
    private func names(_ text: String) -> [String] {
        AccessoryFile(text).constants.map { "\($0.type).\($0.name):\($0.line)" }
    }

    @Test("Constants in extensions of accessories are collected, stored and computed, with their lines")
    func collected() {
        let text = """
            import HIL

            extension AccessoryProgram {
                /// static let notThis = AccessoryProgram(command: [])
                static let latch = AccessoryProgram(named: "latch", command: ["./latch"])
                static var slow: AccessoryProgram {
                    var copy = latch
                    copy.readyLimit = .seconds(60)
                    return copy
                }
                public static let a = latch, b: AccessoryProgram = make(1, 2), `default` = latch
            }

            extension HIL.Peripheral: Sendable { package static let lamp: Peripheral = .peripheral(named: "Lamp") }
            @MainActor extension HostStack {
                private(set) static var kettle = HostStack.hostStack(command: [])
                nonisolated(unsafe) static var cup = kettle
            }
            extension AuditExpectations { static let latch = AuditExpectations(shows: .number) }
            """
        #expect(
            names(text) == [
                "AccessoryProgram.latch:5", "AccessoryProgram.slow:6", "AccessoryProgram.a:11", "AccessoryProgram.b:11",
                "AccessoryProgram.`default`:11", "Peripheral.lamp:14", "HostStack.kettle:16", "HostStack.cup:17",
                "AuditExpectations.latch:19",
            ])
    }

    @Test(
        "What other files cannot name, what may not exist, what warns, and what needs arguments is left out",
        arguments: [
            "private extension Peripheral { static let x = y }",
            "fileprivate extension Peripheral { static let x = y }",
            "extension Peripheral { private static let x = y }",
            "extension Peripheral { static fileprivate let x = y }",
            "extension Peripheral { let x = y }", "extension Peripheral { var x: Peripheral { self } }",
            "extension Peripheral { static func x(named: String) -> Peripheral { y } }",
            "extension Peripheral { enum Old { static let x = y } }",
            "extension Peripheral.Service { static let x = y }",
            "extension Peripheral { struct Part<T> { static var x: Peripheral { y } } }",
            "enum Peripheral { static let x = y }", "enum Peripherals { static let x = Peripheral.peripheral() }",
            "struct Box<T> {}\nextension Box where T == Peripheral { static var x: Peripheral { y } }",
            "extension Peripheral where Self: Old { static let x = y }",
            "extension Other.Peripheral { static let x = y }",
            "enum Outer { extension Peripheral { static let x = y } }",
            "#if DEBUG\nextension Peripheral { static let x = y }\n#endif",
            "extension Peripheral {\n#if DEBUG\nstatic let x = y\n#else\nstatic let x = z\n#endif\n}",
            "extension Peripheral { @available(*, deprecated, message: \"old\") static let x = y }",
            "@available(*, unavailable) extension Peripheral { static let x = y }",
            "extension Peripheral { @BoardActor static let x = y }",
            "extension Peripheral { static var x: Peripheral { get throws { y } } }",
            "extension Peripheral { static var x: Peripheral { @MainActor get async { y } } }",
            "extension Peripheral { static let (x, z) = (y, y) }",
            "// extension Peripheral {\nstatic let x = y\n// }", "/* extension Peripheral { static let x = y } */",
            "let text = \"extension Peripheral { static let x = y }\"",
            "let text = \"\"\"\nextension Peripheral { static let x = y }\n\"\"\"",
            "extension Peripheral { static func f() { let x = y; var z = y } }",
        ])
    func leftOut(_ text: String) { #expect(names(text) == []) }

    @Test("What is left out does not hide what follows it")
    func apart() {
        let text = """
            extension Peripheral {
                private static let secret = 1
                static let one = Peripheral.make { if let x = $0 { [x, x] } else { [] } }
                static private func helper(_ a: Int = 1, _ b: [Int] = [1, 2]) -> Int { a }
                enum Kind { case a, b }
                static let two = f("}", /}/, { "{" })
                @available(*, deprecated) static let old = one
                static let three: [String: Int].Element.Peripheral = g(), four = one
                #if DEBUG
                static let five = one
                #endif
                static let six = one
            }
            extension Peripheral.Service { static let no = 1 }
            extension AccessoryProgram { static let seven = AccessoryProgram(command: []) }
            """
        #expect(
            names(text) == [
                "Peripheral.one:3", "Peripheral.two:6", "Peripheral.three:8", "Peripheral.four:8", "Peripheral.six:12",
                "AccessoryProgram.seven:15",
            ])
    }

    @Test("Pieces of a source, in any order, are read to the end, and give only names that are in it")
    func hostile() {
        let pieces = [
            "extension", " Peripheral", " {", "}", " static", " let", " var", " x", " = ", ",", "(", ")", "[", "]", "@",
            "available", "#if", "#endif", "\n", ":", ".", "private", " get", " throws", "\"", "`", "/*", "where", ";",
        ]
        var chance = SeededNumbers(seed: 7)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...40, using: &chance)).map { _ in
                pieces.randomElement(using: &chance) ?? ""
            }.joined()
            for constant in AccessoryFile(text).constants {
                #expect(constant.type == "Peripheral" && text.contains(constant.name), "\(text)")
            }
        }
        // Long, and without an end.
        for piece in ["static var x ", "extension Peripheral { static let x = y, ", ") let x = ", "static let x: ("] {
            _ = AccessoryFile("extension Peripheral {" + String(repeating: piece, count: 20_000))
        }
    }

    @Test("The list has a statement for each constant, and a file without one has an empty list")
    func list() {
        var list = ScenarioIndex()
        list.add(path: "/s/A/Foo.swift", file: "A/Foo.swift", text: "let foo = Scenario(\"1\") {}")
        #expect(list.source.hasSuffix("package let allAccessories: [NamedAccessory] = []\n"))
        list.add(
            path: "/s/Bar.swift", file: "Bar.swift", text: "\nextension Peripheral { static let `in` = make() }")
        #expect(
            list.source.hasSuffix(
                """
                package let allAccessories: [NamedAccessory] = {
                    var list = AccessoryList(in: "/s")
                    list.add(Peripheral.`in`, "in", of: "Peripheral", file: "Bar.swift", line: 2)
                    return list.accessories
                }()

                """), "\(list.source)")
    }
}
