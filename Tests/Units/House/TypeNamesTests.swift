import Foundation
import TestSupport
import Testing

/// One name stands for one type in all of `Sources`.
struct TypeNamesTests {
    /// Each program has its own.
    private static let ofEachProgram: Set = ["Main"]

    /// The types at the top of files that other files can see, with the files of each name.
    private static func types(of sources: [String: String]) -> [String: [String]] {
        let declaration =
            /(?m)^(?:@\w+ )*(?:public |package |final |indirect )*(?:class|struct|enum|actor|protocol) (?<name>\w+)/
        var types: [String: [String]] = [:]
        for (file, text) in sources {
            for match in text.matches(of: declaration) { types[String(match.name), default: []].append(file) }
        }
        return types
    }

    private static func repeated(in sources: [String: String]) -> [String] {
        types(of: sources).filter { $1.count > 1 && !ofEachProgram.contains($0) }
            .map { "\($0): \($1.sorted().joined(separator: ", "))" }.sorted()
    }

    @Test("a name stands for one type")
    func names() throws {
        let folder = URL(fileURLWithPath: checkout).appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let sources = try files.filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
        #expect(Self.types(of: Dictionary(uniqueKeysWithValues: sources)).count > 1_500)
        #expect(Self.repeated(in: Dictionary(uniqueKeysWithValues: sources)) == [])
    }

    @Test("a name that stands for two types is found, if others can see both")
    func twice() {
        let sources = [
            "A.swift": "struct Lamp {\n    struct Bulb {}\n}\nprivate enum Socket {}\nenum Main {}\n",
            "B.swift": "@MainActor package final class Lamp {}\nactor Bulb {}\nstruct Socket {}\n@main enum Main {}\n",
        ]
        #expect(Self.repeated(in: sources) == ["Lamp: A.swift, B.swift"])
    }
}
