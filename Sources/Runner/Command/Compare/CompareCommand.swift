import Foundation
import HIL
import HILExecution
import HILHistory
import HILRecord

/// `hil compare A B`: what is different in the second run.
struct CompareCommand {
    /// The exit code when something is worse and the command line asks for it.
    static let regression: Int32 = 4

    let request: Request.Comparing
    /// The folder of the runs' folders.
    let results: String
    /// Called with the lines to print.
    let say: ([String]) -> Void
    /// Called with a message that is not a result.
    let note: (String) -> Void

    /// - Returns: The exit code.
    func run() throws -> Int32 {
        let first = request.first == LastGoodRun.name ? nil : try read(request.first)
        let after = try read(request.second)
        guard let before = first ?? LastGoodRun(results: results).find(before: after) else {
            // The first night has nothing to be compared with, which is not a mistake.
            note("no earlier run on this kind of rig is good: there is nothing to compare with")
            return 0
        }
        let comparison = RunComparing(results: results, least: request.leastChange, note: note)
            .compare(ComparedRun(before), ComparedRun(after))
        switch request.format {
        case .json: say([try ComparisonJSON(comparison).line])
        case .text: say(ComparisonText().lines(comparison, before, after))
        }
        return request.failsOnRegression && comparison.isRegression ? CompareCommand.regression : 0
    }

    /// Reads a run by its folder or its name in the results.
    private func read(_ name: String) throws -> RunRecord {
        let places = [name, "\(results)/\(name)"]
        let folder = places.first { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") } ?? name
        let record: RunRecord
        do { record = try RunRecord.read(in: folder) } catch { throw UsageError(description: "\(error)") }
        if record.unreadableLines > 0 {
            let count = record.unreadableLines
            note(
                "\(count) line\(count == 1 ? "" : "s") of \(folder)/events.jsonl cannot be read, and \(count == 1 ? "is" : "are") left out"
            )
        }
        return record
    }
}
