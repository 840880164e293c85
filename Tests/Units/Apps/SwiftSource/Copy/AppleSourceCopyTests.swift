import Foundation
import Testing

@testable import HILSwiftSource

/// The copy of a source without its first line.
private func body(_ source: String) -> String {
    let text = AppleSourceCopy(of: source, path: "/app/Die.swift").text
    let first = "#sourceLocation(file: \"/app/Die.swift\", line: 1)\n"
    return text.range(of: first).map { String(text[$0.upperBound...]) } ?? text
}

/// What stands in the copy before the source.
private func head(_ source: String) -> String {
    let text = AppleSourceCopy(of: source, path: "/app/Die.swift").text
    return text.range(of: "#sourceLocation(file: \"/app/Die.swift\", line: 1)\n").map { String(text[..<$0.lowerBound]) }
        ?? ""
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

    @Test("Modules of the bridging header are imported with what follows from them, each with its line of the list")
    func bridgingHeader() {
        let copy = AppleSourceCopy(
            of: "let a: CBUUID? = nil", path: "/app/Die.swift",
            bridged: [.init("CoreBluetooth", line: 3), .init("Darwin", line: 5)], list: "/app/AppleSources.txt")
        #expect(
            copy.text == "import HILFoundation\n#sourceLocation(file: \"/app/AppleSources.txt\", line: 3)\n"
                + "import CoreBluetooth\n#sourceLocation(file: \"/app/AppleSources.txt\", line: 5)\nimport Glibc\n"
                + "#sourceLocation(file: \"/app/Die.swift\", line: 1)\nlet a: CBUUID? = nil")
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

    @Test(
        "A protocol of Objective-C stays one for classes",
        arguments: [
            ("@objc public protocol A {}", "      public protocol A: AnyObject {}"),
            ("@objc protocol A: B {}", "      protocol A: AnyObject, B {}"),
            ("@objc(C) protocol A: NSObjectProtocol {}", "         protocol A: NSObjectProtocol {}"),
            ("@objc protocol A: AnyObject {}", "      protocol A: AnyObject {}"),
            ("@objc class A: B {}", "      class A: B {}"),
        ])
    func protocols(_ source: String, _ expected: String) { #expect(body(source) == expected) }

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
            AppleSourceCopy(of: source, path: "/a.swift").text.contains("import HILURLLoading\n#sourceLocation")
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

    @Test("A list's imports are read with their lines; a wrong one is an error there")
    func list() {
        let text =
            "# The app.\nimport CoreBluetooth\n../App\n import  UIKit\r\nimport CoreLocation\nimport a-b\nimport\n!../App/Views\n"
        let (modules, problems) = AppleSourceCopy.BridgedModule.read(fromList: text)
        #expect(modules == [.init("CoreBluetooth", line: 2), .init("UIKit", line: 4)])
        #expect(problems.map(\.line) == [5, 6, 7])
        #expect(problems[0].text.hasPrefix("CoreLocation is not simulated"))
    }

    @Test("A module's part becomes the module")
    func submodules() {
        #expect(body("import os.log\nimport UIKit.UIImage\n") == "import os    \nimport UIKit        \n")
        #expect(
            body("import class Foundation.Thread\nimport A\n.b()\n")
                == "import class Foundation.Thread\nimport A\n.b()\n")
    }

    @Test(
        "Whatever imports a module gets what Linux's Foundation lacks; Combine and Security, where Foundation brings them",
        arguments: [
            ("let a = 1\n", ""), ("import Foundation\n", "import HILFoundation\n"),
            ("import Foundation\nclass A: ObservableObject {}\n", "import HILFoundation\nimport Combine\n"),
            ("import Combine\nclass A: ObservableObject {}\n", "import HILFoundation\n"),
            (
                "import Foundation\nlet a = session.dataTaskPublisher(for: url)\n",
                "import HILFoundation\nimport Combine\n"
            ),
            ("import SwiftUI\nclass A { @Published var b = 1 }\n", "import HILFoundation\n"),
            ("import Foundation\nclass A { @Published var b = 1 }\n", "import HILFoundation\nimport Combine\n"),
            ("import Foundation\nlet a = kSecClass\n", "import HILFoundation\nimport Security\n"),
            ("import Security\nlet a = SecItemDelete([:])\n", "import HILFoundation\n"),
            ("import Network\nlet a = errSecSuccess\n", "import HILFoundation\n"),
            ("#if os(macOS)\nimport AppKit\n#endif\n", ""),
            ("import UIKit\nlet a: Selector\n", "import HILSelectors\nimport HILFoundation\n"),
        ])
    func additions(_ source: String, _ expected: String) { #expect(head(source) == expected) }

    @Test("Modules of Apple's systems that Linux has by another name are imported by that")
    func substitutes() {
        #expect(body("import Darwin\nimport ObjectiveC.runtime\n") == "import Glibc\nimport HILFoundation        \n")
    }

    @Test("A module that is not simulated says so at its line, unless the app or its tests can do without")
    func notSimulated() {
        #expect(
            head("import Foundation\nimport CoreData\n")
                == "import HILFoundation\n#if canImport(CoreData)\nimport CoreData\n#else\n"
                + "#sourceLocation(file: \"/app/Die.swift\", line: 2)\n"
                + "#warning(\"CoreData is not simulated: if this file uses it, leave the file out of the target, or put "
                + "what needs it into `#if canImport(CoreData)`\")\n#endif\n")
        #expect(body("\n@preconcurrency import CoreData\n") == "\n@preconcurrency import Foundation\n")
        #expect(head("#if os(iOS)\nimport MapKit\n#endif\n").contains("MapKit is not simulated: if this file uses it"))
        #expect(head("import CommonCrypto\n") == "import HILFoundation\n")
        #expect(head("#if canImport(CoreData)\nimport CoreData\n#endif\n") == "import HILFoundation\n")
        #expect(head("#if DEBUG\nimport CoreData\n#else\nimport MapKit\n#endif\n") == "import HILFoundation\n")
    }

    @Test(
        "An optional method of Core Bluetooth's delegates is called as a method; an app's own closures stay as they are",
        arguments: [
            ("d?.centralManager?(self, didConnect: p)", "d?.centralManager (self, didConnect: p)"),
            (
                "d.peripheral?(a, didUpdateValueFor: b, error: nil)",
                "d.peripheral (a, didUpdateValueFor: b, error: nil)"
            ),
            (
                "d?.peripheralManagerIsReady?(toUpdateSubscribers: m)",
                "d?.peripheralManagerIsReady (toUpdateSubscribers: m)"
            ),
            ("self.peripheral?(a)", nil), ("peripheral?(a, didUpdateValueFor: b)", nil),
            ("d.centralManager?(f(didConnect: p))", nil), ("d.lamp?(a, didConnect: p)", nil),
            ("d.centralManager?.delegate", nil),
        ] as [(String, String?)])
    func optionalCalls(_ line: String, _ expected: String?) { #expect(body(line) == expected ?? line) }

    @Test(
        "What is only for older systems than the phone's is left out; what another condition decides stays",
        arguments: [
            (
                "if #available(iOS 13.0, macOS 10.15, *) { a() } else { b { c } }\n",
                "if #available(iOS 13.0, macOS 10.15, *) { a() } else { fatalError() }\n"
            ),
            (
                "if #available(iOS 18, *) {\n@objc func a() {}\n} else {\n@objc func b() {}\n}\n@objc func c() {}\n",
                "if #available(iOS 18, *) {\n      func a() {}\n} else { fatalError() \n\n}\n      func c() {}\n"
            ),
            ("if #available(macOS 14, *) { a } else { b }", "if #available(macOS 14, *) { a } else { fatalError() }"),
            ("if #available(iOS 27, *) { a } else { b }", nil), ("if #available(iOS 13, *), c { a } else { b }", nil),
            ("guard #available(iOS 13, *) else { return }", nil), ("if #available(iOS 13, *) { a } else {}", nil),
            ("if #available(iOS 13, *) { a } else if c { b } else { d }", nil), ("if #available(iOS 13, *) { a }", nil),
            ("if #available(iOS 13, *) { a } else {\n#if DEBUG\nb\n#endif\n}", nil),
        ] as [(String, String?)])
    func availability(_ source: String, _ expected: String?) { #expect(body(source) == expected ?? source) }

    @Test("A timer that the app adds to a run loop itself keeps what the app gives it")
    func timers() {
        let source =
            "class A { let t = Timer(timeInterval: 1, target: self, selector: #selector(b), userInfo: c, repeats: true) }"
        #expect(
            body(source) == "class A { let t = Timer.unscheduled(timeInterval: 1, target: self, selector: "
                + "Selector(\"b\", A.b), userInfo: c, repeats: true) }")
        #expect(
            body("Timer.init(timeInterval: 1, target: a, selector: b)")
                == "Timer.unscheduled(timeInterval: 1, target: a, selector: b)")
        #expect(
            body("Timer(timeInterval: 1, repeats: true) { _ in }") == "Timer(timeInterval: 1, repeats: true) { _ in }")
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
