import Execution
import Foundation
import VirtualRig

/// The evidence of a scenario that kept both boards, as a person names it.
struct KeptScenario: Equatable {
    /// The folder of the scenario, or of one attempt at it; absolute.
    let folder: String

    /// Both boards.
    var boards: String { "\(folder)/\(Evidence.boards)" }

    /// Finds it.
    ///
    /// - Parameters:
    ///   - name: `RUN/SCENARIO`, where the run may be `latest`, and a part of the scenario's name will do; the scenario alone
    ///     is the latest run's; or a path.
    ///   - results: The folder of the runs' folders.
    ///   - root: The package's folder, from which paths may begin.
    /// - Throws: ``UsageError``, with what there is.
    static func find(_ name: String, results: String, root: String?) throws(UsageError) -> KeptScenario {
        var name = name
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        if name.hasSuffix("/\(Evidence.boards)") { name.removeLast(Evidence.boards.count + 1) }
        let current = FileManager.default.currentDirectoryPath
        let places = name.hasPrefix("/") ? [""] : [current, root, results, "\(results)/latest"].compactMap { $0 }
        for place in places {
            let path = place.isEmpty ? name : "\(place)/\(name)"
            guard isFolder(path) else { continue }
            if isFolder("\(path)/\(Evidence.boards)") {
                return KeptScenario(folder: URL(fileURLWithPath: path).standardizedFileURL.path)
            }
            if FileManager.default.fileExists(atPath: "\(path)/verdict.json") {
                throw UsageError(description: "\(name) kept no boards: \(reason(path))\(others(results, name))")
            }
        }
        if let exact = try whole(name, in: results), exact != name {
            return try find(exact, results: results, root: root)
        }
        throw UsageError(description: "there is no scenario “\(name)” in \(results)\(others(results, name))")
    }

    /// The name of which a part was typed. Scenarios that kept no boards are meant only where no other is.
    private static func whole(_ name: String, in results: String) throws(UsageError) -> String? {
        let typed = PartOfName(name)
        let folder = "\(results)/\(typed.run)"
        let scenarios = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { scenario in
            isFolder("\(folder)/\(scenario)/\(Evidence.boards)")
                || FileManager.default.fileExists(atPath: "\(folder)/\(scenario)/verdict.json")
        }
        let kept = scenarios.filter { isFolder("\(folder)/\($0)/\(Evidence.boards)") }
        let scenario = if let one = try typed.choose(of: kept) { one } else { try typed.choose(of: scenarios) }
        return scenario.map { "\(typed.run)/\($0)\(typed.rest)" }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Why a scenario has no boards, from its verdict.
    private static func reason(_ folder: String) -> String {
        struct Content: Decodable {
            struct Result: Decodable {
                let judgement: Judgement
                let missing: [String]
            }
            let result: Result
        }
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/verdict.json"),
            let result = try? JSONDecoder().decode(Content.self, from: bytes).result
        else { return "its verdict.json cannot be read" }
        if result.judgement.verdict == .passed { return "it passed" }
        return result.missing.first { $0.hasPrefix(Self.missing) } ?? "it ran without"
    }

    /// How what is missing of the boards begins.
    static let missing = "both boards"

    /// Those that could be opened, the newest first: of the run that was named, or of all.
    private static func others(_ results: String, _ name: String) -> String {
        let runs = (try? FileManager.default.contentsOfDirectory(atPath: results)) ?? []
        let named = name.split(separator: "/").first.map(String.init) ?? ""
        let newest = runs.filter { $0 != "latest" && isFolder("\(results)/\($0)") }.sorted(by: >)
        let searched = runs.contains(named) && named != "latest" ? [named] : newest
        let found = searched.flatMap { run in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(results)/\(run)")) ?? []).sorted()
                .filter { isFolder("\(results)/\(run)/\($0)/\(Evidence.boards)") }.map { "\(run)/\($0)" }
        }.prefix(3)
        return found.isEmpty ? "" : "; there is \(found.joined(separator: ", "))"
    }
}
