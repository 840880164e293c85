import Foundation
import StubRig
import TestSupport
import Testing

/// Other packages see only what is documented and meant for them.
struct PublicSurfaceTests {
    @Test("Each public name of our own modules has a doc comment and is in the list of public names")
    func names() async throws {
        let options = try await BuiltModules.options() + ["-skip-synthesized-members"]
        let modules = try await ownModules()
        #expect(modules.count > 30)
        var surface = PublicSurface(symbols: [:], listed: try listed())
        for module in modules { surface.symbols[module] = try await SymbolGraph.of(module, options: options).symbols }
        let mistakes = surface.mistakes
        #expect(mistakes == [], "\(mistakes.joined(separator: "\n"))")
    }

    /// The modules of `Sources`, except Apple's.
    private func ownModules() async throws -> [String] {
        let house = try await House.own.value
        let rooms = house.rooms.values.filter { $0.type == "regular" && $0.path.hasPrefix("Sources/") }
        return rooms.map(\.name).filter { !PublicSurface.ofApple.contains($0) }.sorted()
    }

    private func listed() throws -> [String] {
        try String(contentsOfFile: "\(checkout)/\(PublicSurface.path)", encoding: .utf8).split(separator: "\n").map(
            String.init)
    }

    // MARK: The test itself

    private func symbol(
        _ path: String, kind: String = "swift.struct", isDocumented: Bool = true, isWritten: Bool = true,
        extends module: String? = nil
    ) -> SymbolGraph.Symbol {
        SymbolGraph.Symbol(
            kind: .init(identifier: kind), pathComponents: path.components(separatedBy: "."),
            docComment: isDocumented ? .init() : nil, location: isWritten ? .init() : nil,
            swiftExtension: module.map { .init(extendedModule: $0) })
    }

    private func mistakes(_ symbols: [SymbolGraph.Symbol], listed: [String]) -> [String] {
        PublicSurface(symbols: ["HIL": symbols, "HILTiming": []], listed: listed).mistakes
    }

    @Test("A name without a doc comment is a mistake, unless the compiler has made it")
    func undocumented() {
        let bare = symbol("Lab.note(_:)", kind: "swift.method", isDocumented: false)
        let made = symbol("Lab.init(from:)", kind: "swift.init", isDocumented: false, isWritten: false)
        let found = mistakes([symbol("Lab"), bare, made], listed: ["HIL Lab"])
        #expect(found.count == 1 && found[0].hasPrefix("HIL.Lab.note(_:) is public and has no doc comment"))
    }

    @Test(
        "A type that is not listed is a mistake, and so is a member of another's type; members of our own types are not"
    )
    func unlisted() {
        let symbols = [
            symbol("Lab"), symbol("Lab.Part"), symbol("Lab.note(_:)", kind: "swift.method"),
            symbol("wait()", kind: "swift.func"),
            symbol("EventPattern.bonded", kind: "swift.type.property", extends: "HILTiming"),
            symbol("Array.packets", kind: "swift.property", extends: "Swift"),
        ]
        let found = mistakes(symbols, listed: ["HIL Lab"])
        let names = ["HIL Array.packets", "HIL Lab.Part", "HIL wait()"]
        #expect(found.count == names.count)
        #expect(zip(found, names).allSatisfy { $0.hasPrefix("“\($1)” is public and not in") }, "\(found)")
        #expect(mistakes(symbols, listed: ["HIL Lab"] + names).count == 1, "it is not sorted")
        #expect(mistakes(symbols, listed: (["HIL Lab"] + names).sorted()) == [])
    }

    @Test("A line without a public name is a mistake")
    func stale() {
        let found = mistakes([symbol("Lab")], listed: ["HIL Lab", "HIL Rig", "Old Lab"])
        #expect(found.count == 2 && found.allSatisfy { $0.contains("is no public name") })
    }

    // MARK: Code of other packages

    /// Type-checks sources as those of another package, which has no `package` name of this one.
    private func check(_ sources: [String], options: [String]) async throws {
        #expect(!sources.isEmpty)
        let output = try await ProgramOutput(
            of: ["swiftc", "-parse-as-library", "-swift-version", "6", "-package-name", "stranger"] + options + sources,
            withErrors: true)
        #expect(output.status.isSuccess, "\(output.text)")
    }

    private func swiftFiles(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { $0.hasSuffix(".swift") }
            .map { "\(folder)/\($0)" }
    }

    @Test("The code of the articles compiles in another package")
    func articles() async throws {
        let folder = "\(checkout)/Tests/Units/Documentation"
        // The README shows a scenario of this package, which is about the die.
        let own = ["ArticleTests.swift", "Readme.swift"]
        let files = try swiftFiles(in: folder).filter { file in !own.contains { file.hasSuffix("/\($0)") } }
        try await check(files, options: ["-typecheck"] + BuiltModules.options())
    }

    @Test(
        "The examples compile in another package",
        arguments: zip(["Migration", "Provisioning"], ["KettleApp", "LanternApp"]))
    func examples(_ example: String, module: String) async throws {
        let folder = "\(checkout)/Fixtures/Examples/\(example)"
        try await BuiltModules.withFolder { built in
            let options = try await BuiltModules.options() + ["-I", built]
            try await check(
                swiftFiles(in: "\(folder)/Sources/\(module)"),
                options: options + ["-emit-module", "-module-name", module, "-o", "\(built)/\(module).swiftmodule"])
            try await check(swiftFiles(in: "\(folder)/Scenarios"), options: options + ["-typecheck"])
        }
    }
}
