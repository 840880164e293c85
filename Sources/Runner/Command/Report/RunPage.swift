import Foundation
import HILExecution
import HILHistory
import HILPOSIX
import HILRecord
import HILReports
import HILRules

/// The page of one run, in its folder: written as the run goes, or later from its record.
struct RunPage: Sendable {
    /// How many passes of a case are searched for one whose evidence still exists.
    private static let mostPasses = 20

    /// The run's folder.
    let folder: String
    /// The folder of the runs' folders, with the history.
    let results: String
    /// The package's folder.
    let root: String
    /// All rules.
    let rules: [Rule]

    var files: PageFiles { PageFiles(folder: folder, root: root) }

    /// Writes the files of a scenario that has ended.
    func write(_ entry: RunRecord.Entry, of record: RunRecord) throws {
        try files.write(entry, of: record, before: lastPass(of: entry, in: record))
    }

    /// Writes the page itself.
    func write(_ record: RunRecord, _ news: RunNews?) throws {
        try files.write(Page([Page.Source(record)], news: news?.page, rules: RunPage.rules(rules), root: root))
    }

    static func rules(_ rules: [Rule]) -> [Page.Rule] { rules.map { Page.Rule(id: $0.id, text: $0.text) } }

    /// The newest pass of a case that did not pass now, if its timeline is still there. Of an exploration's finding it is
    /// the journey without the fault.
    func lastPass(
        of entry: RunRecord.Entry, in record: RunRecord
    ) throws -> (run: ScenarioPart.Before, folder: String)? {
        guard let verdict = entry.result?.judgement.verdict, verdict != .passed, verdict != .skipped else { return nil }
        if let explored = record.entries.first(where: { $0.has(finding: entry) }) {
            let place = "\(folder)/\(explored.info.folder)"
            guard RunPage.hasTimeline(place) else { return nil }
            let began = explored.began ?? record.began
            return (.init(run: explored.info.identifier, began: began, isWithoutFault: true), place)
        }
        let (scenario, round) = entry.info.caseAndRound
        let began = entry.began ?? record.began
        // An earlier round of this run is nearest to it.
        let earlier = record.entries.last { other in
            other.info.caseAndRound.identifier == scenario && other.result?.judgement.verdict == .passed
                && other.began ?? .max < began && RunPage.hasTimeline("\(folder)/\(other.info.folder)")
        }
        if let earlier {
            let run = ScenarioPart.Before(run: earlier.info.identifier, began: earlier.began ?? 0)
            return (run, "\(folder)/\(earlier.info.folder)")
        }
        guard let history = Baseline.history(results) else { return nil }
        let passes = try history.use { store throws(HistoryError) in
            try store.passes(of: scenario, before: began, limit: RunPage.mostPasses)
        }.value
        let first = round == 1 ? entry.info.folder : String(entry.info.folder.dropLast(".\(round)".count))
        for pass in passes {
            let place = "\(results)/\(pass.run)/\(first)" + (pass.round == 1 ? "" : ".\(pass.round)")
            if RunPage.hasTimeline(place) { return (ScenarioPart.Before(run: pass.run, began: pass.began), place) }
        }
        return nil
    }

    private static func hasTimeline(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/timeline.json")
    }
}
