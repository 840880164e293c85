import Foundation
import HIL
import HILExecution
import HILHistory
import HILPOSIX
import HILRecord
import HILReports
import HILTiming

/// `hil history`: shows the results of scenarios in earlier runs; `hil history import` adds runs to it.
struct HistoryCommand {
    /// The most results in which changes over time are looked for.
    private static let longestSeries = 500

    let request: Request.HistoryRequest
    /// The folder of the runs' folders.
    let results: String
    /// Called with the lines to print.
    let say: ([String]) -> Void
    /// Called with a message that is not a result.
    let note: (String) -> Void

    private var file: HistoryFile { HistoryFile("\(results)/\(HistoryFile.name)") }

    /// - Returns: The exit code: 2 if a run could not be imported.
    func run() throws -> Int32 {
        switch request.task {
        case .add(let runs): return try add(runs)
        case .show(let name):
            // A query must not make a file.
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw UsageError(
                    description: "there is no \(file.path) yet: `hil run` or `hil history import RUN…` makes it")
            }
            return try show(name)
        }
    }

    /// Adds a run that has just ended, unless none of its scenarios has a result.
    ///
    /// - Throws: ``HistoryError``. The run's own files do not depend on the history.
    func keep(_ record: RunRecord) throws {
        guard record.entries.contains(where: { $0.result != nil }) else { return }
        _ = tell(try file.use { store throws(HistoryError) in try store.add(record) })
    }

    private func add(_ runs: [String]) throws -> Int32 {
        var code: Int32 = 0
        for run in runs {
            let places = [run, "\(results)/\(run)"]
            let folder = places.first { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") } ?? run
            do {
                let record = try RunRecord.read(in: folder)
                let count = record.entries.count { $0.result != nil }
                let isNew = tell(try file.use { store throws(HistoryError) in try store.add(record) })
                let lines = record.unreadableLines
                let aside = lines == 0 ? "" : "; \(lines) line\(lines == 1 ? "" : "s") of it cannot be read"
                let what = "\(count) result\(count == 1 ? "" : "s")"
                say(["\(run): \(what)\(isNew ? "" : ", already known")\(aside)"])
            } catch {
                note("\(error)")
                code = 2
            }
        }
        return code
    }

    private func show(_ name: String?) throws -> Int32 {
        let known = tell(try file.use { store throws(HistoryError) in try store.scenarios() })
        let chosen = name.map { HistoryCommand.matches($0, in: known) }
        if let name, chosen?.isEmpty == true {
            let nearest = Similarity.nearest(to: name, in: known)
            let hint = nearest.isEmpty ? "" : "; nearest: \(nearest.joined(separator: ", "))"
            throw UsageError(description: "no scenario of the history matches “\(name)”\(hint)")
        }
        let pasts = try file.use { store throws(HistoryError) in try store.past(of: chosen, limit: request.last) }.value
        guard name != nil, pasts.count == 1 else {
            say(request.format == .json ? try pasts.map { try json($0) } : HistoryText().table(pasts))
            return 0
        }
        let steps = try file.use { store throws(HistoryError) in
            try store.steps(of: pasts[0].scenario, limit: request.last)
        }.value
        let series = try file.use { store throws(HistoryError) in
            try store.series(of: pasts[0].scenario, limit: HistoryCommand.longestSeries)
        }.value
        let changes = StepChange.all(in: series)
        say(
            request.format == .json
                ? [try json(pasts[0], steps, changes)]
                : HistoryText().detail(pasts[0], steps, changes, longest: series.map(\.seconds.count).max() ?? 0))
        return 0
    }

    /// The scenarios with a name: the one with exactly this name, or else those whose names contain it.
    static func matches(_ name: String, in known: [String]) -> [String] {
        let name = name.lowercased()
        if let one = known.first(where: { $0.lowercased() == name }) { return [one] }
        return known.filter { $0.lowercased().contains(name) }
    }

    private func json(
        _ past: ScenarioPast, _ steps: [PastStep]? = nil, _ changes: [StepChange]? = nil
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(HistoryJSON(past, steps, changes)), as: UTF8.self)
    }

    /// Says that a damaged file was set aside. Returns the outcome's value.
    private func tell<Value>(_ outcome: HistoryFile.Outcome<Value>) -> Value {
        if let aside = outcome.setAside {
            note("\(file.path) was damaged; it is \(aside) now, and a new history begins")
        }
        return outcome.value
    }
}
