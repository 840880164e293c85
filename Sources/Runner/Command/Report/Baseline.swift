import Foundation
import HILExecution
import HILHistory
import HILRecord

/// The earlier run with which a run is compared.
enum Baseline: Equatable {
    /// The newest run in which nothing failed; see ``HILHistory/HistoryStore/lastGoodRun(before:of:)``.
    case lastGood
    /// A run by its name, its folder, or its file of events.
    case named(String)

    init(_ text: String) { self = text == "last-good" ? .lastGood : .named(text) }

    /// The run.
    ///
    /// - Parameters:
    ///   - run: The run that is compared with it.
    ///   - results: The folder of the runs' folders.
    /// - Returns: nil if no good run is known.
    /// - Throws: ``UsageError`` if there is no run of the name, or the history's error.
    func find(for run: ComparedRun, in results: String) throws -> ComparedRun? {
        switch self {
        case .lastGood:
            guard let history = Baseline.history(results) else { return nil }
            let cases = Set(run.outcomes.map(\.scenario))
            return try history.use { store throws(HistoryError) in
                try store.lastGoodRun(before: run.began, of: cases)
            }.value.map(ComparedRun.init)
        case .named(let name): return try Baseline.named(name, in: results)
        }
    }

    /// The run of a name, without anything to compare it with: for a check before a run begins.
    static func named(_ name: String, in results: String) throws -> ComparedRun {
        var folders = [name, "\(results)/\(name)"]
        if name.hasSuffix("/events.jsonl") { folders.insert(String(name.dropLast("/events.jsonl".count)), at: 0) }
        if let folder = folders.first(where: { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") }) {
            do { return ComparedRun(try RunRecord.read(in: folder)) } catch {
                throw UsageError(description: "\(error)")
            }
        }
        // A file of events by another name, such as one that a CI keeps.
        if let bytes = FileManager.default.contents(atPath: name) {
            let record = RunRecord(lines: bytes)
            guard record.info != nil, record.format <= RunLine.format else {
                throw UsageError(description: "\(name) is not the record of a run that this version reads")
            }
            return ComparedRun(record)
        }
        if let past = try history(results)?.use({ store throws(HistoryError) in try store.run(named: name) }).value {
            return ComparedRun(past)
        }
        throw UsageError(
            description: "there is no run “\(name)”, neither in \(results) nor in the history; "
                + "name a run's folder, its events.jsonl, or last-good")
    }

    /// The history, if there is one: a query must not make a file.
    static func history(_ results: String) -> HistoryFile? {
        let path = "\(results)/\(HistoryFile.name)"
        return FileManager.default.fileExists(atPath: path) ? HistoryFile(path) : nil
    }
}
