import Foundation
import HIL

/// Finds the evidence of a scenario by a name that a person typed.
enum EvidenceFolder {
    /// The folder of `RUN/SCENARIO`.
    ///
    /// - Parameters:
    ///   - name: A path, or the names of a run's folder (or `latest`) and of a scenario. The scenario's name may be
    ///     that of
    ///     its folder, that of `hil list` with its case in brackets, or a part of it. More folders may follow.
    ///     Without a run,
    ///     it is the latest.
    ///   - results: The folder of the runs' folders.
    /// - Throws: ``UsageError``, which lists the existing scenarios.
    static func find(_ name: String, in results: String) throws(UsageError) -> String {
        let name = name.replacing("[", with: "-").replacing("]", with: "")
        let paths = [name, "\(results)/\(name)"]
        if let path = paths.first(where: { isScenario($0) }) {
            return URL(fileURLWithPath: path).standardizedFileURL.path
        }
        if !paths.contains(where: { FileManager.default.fileExists(atPath: $0) }) {
            let typed = PartOfName(name)
            let folder = "\(results)/\(typed.run)"
            if let scenario = try typed.choose(of: scenarios(of: folder)),
                isScenario("\(folder)/\(scenario)\(typed.rest)")
            {
                return URL(fileURLWithPath: "\(folder)/\(scenario)\(typed.rest)").standardizedFileURL.path
            }
        }
        guard let run = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            let slash = name.lastIndex(of: "/") ?? name.startIndex
            let known = scenarios(of: "\(results)/\(name[..<slash])")
            throw UsageError(description: "there is no “\(name)” in \(results)" + list(known))
        }
        throw UsageError(description: "\(run) is not a scenario's folder" + list(scenarios(of: run)))
    }

    private static func isScenario(_ path: String) -> Bool {
        ["worker.log", "verdict.json"].contains { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
    }

    private static func scenarios(of run: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: run)) ?? []
        return names.filter { isScenario("\(run)/\($0)") }.sorted()
    }

    private static func list(_ names: [String]) -> String {
        let hint = "; name it RUN/SCENARIO, as in latest/newDieIsOnboarded"
        return names.isEmpty ? hint : "; it has \(names.joined(separator: ", "))"
    }
}
