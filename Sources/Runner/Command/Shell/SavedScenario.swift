import Foundation
import HILExecution
import HILRecord
import VirtualRig

/// Finds the evidence of a scenario with saved boards by a name that a person typed.
struct SavedScenario: Equatable {
    /// The absolute path of the folder of the scenario, or of one attempt.
    let folder: String

    /// The folder of the saved boards.
    var boards: String { "\(folder)/\(Evidence.boards)" }

    /// Finds a scenario with saved boards.
    ///
    /// - Parameters:
    ///   - name: `RUN/SCENARIO`, where the run may be `latest`, and a part of the scenario's name is enough; only a
    ///     scenario,
    ///     for the latest run; or a path.
    ///   - results: The folder of the runs' folders.
    ///   - root: The package's folder; paths may be relative to it.
    /// - Throws: ``UsageError``, which lists scenarios with saved boards.
    static func find(_ name: String, results: String, root: String?) throws(UsageError) -> SavedScenario {
        var name = name
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        if name.hasSuffix("/\(Evidence.boards)") { name.removeLast(Evidence.boards.count + 1) }
        let current = FileManager.default.currentDirectoryPath
        let places = name.hasPrefix("/") ? [""] : [current, root, results, "\(results)/latest"].compactMap { $0 }
        for place in places {
            let path = place.isEmpty ? name : "\(place)/\(name)"
            guard isFolder(path) else { continue }
            if isFolder("\(path)/\(Evidence.boards)") {
                return SavedScenario(folder: URL(fileURLWithPath: path).standardizedFileURL.path)
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

    /// The full name for a part that was typed. Scenarios with saved boards are preferred.
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
        return result.missing.first { $0.hasPrefix(Self.missing) } ?? "they were not saved"
    }

    /// The start of the message about missing boards.
    static let missing = "both boards"

    /// Suggests scenarios that can be opened, the newest first: of the named run, or of all.
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
