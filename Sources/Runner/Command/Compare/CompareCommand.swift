import Foundation
import HIL
import HILComparison
import HILExecution
import HILHistory

/// `hil compare A B`: what is different in the second run.
struct CompareCommand {
    /// The exit code when something is worse and the command line asks for it.
    static let regression: Int32 = 4
    /// The most runs on each side whose times are compared.
    private static let mostRuns = 20

    let order: Request.Comparing
    /// The folder of the runs' folders.
    let results: String
    /// Called with the lines to print.
    let say: ([String]) -> Void
    /// Called with a message that is not a result.
    let remark: (String) -> Void

    /// - Returns: The exit code.
    func run() throws -> Int32 {
        let first = order.first == LastGoodRun.name ? nil : try read(order.first)
        let after = try read(order.second)
        guard let before = first ?? LastGoodRun(results: results).find(before: after) else {
            // The first night has nothing to be compared with, which is not a mistake.
            remark("no earlier run on this kind of rig is good: there is nothing to compare with")
            return 0
        }
        let comparison = Comparison(
            CaseOutcome.all(of: before), CaseOutcome.all(of: after), times: times(before, after))
        switch order.format {
        case .json: say([try ComparisonJSON(comparison).line])
        case .text: say(ComparisonText().lines(comparison, before, after))
        }
        return order.failsOnRegression && comparison.isRegression ? CompareCommand.regression : 0
    }

    /// Reads a run by its folder or its name in the results.
    private func read(_ name: String) throws -> RunRecord {
        let places = [name, "\(results)/\(name)"]
        let folder = places.first { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") } ?? name
        let record: RunRecord
        do { record = try RunRecord.read(in: folder) } catch { throw UsageError(description: "\(error)") }
        if record.unreadableLines > 0 {
            let count = record.unreadableLines
            remark(
                "\(count) line\(count == 1 ? "" : "s") of \(folder)/events.jsonl cannot be read, and \(count == 1 ? "is" : "are") left out"
            )
        }
        return record
    }

    /// The durations of the steps on both sides: of both runs, of the runs up to the earlier one, and of the runs from
    /// then to the later one, on the same bench.
    private func times(_ before: RunRecord, _ after: RunRecord) -> StepTimes {
        guard before.bench == after.bench else {
            return StepTimes(whyNot: "the runs are of unlike benches: \(before.bench), and \(after.bench)")
        }
        let runs = [before, after].sorted { $0.began < $1.began }
        var sides = runs.map(CompareCommand.samples)
        let path = "\(results)/\(HistoryFile.name)"
        if FileManager.default.fileExists(atPath: path) {
            do {
                let early = 0...runs[0].began
                let late = runs[0].began...runs[1].began
                for (place, time) in [early, late].enumerated() {
                    let found = try HistoryFile(path).use { store throws(HistoryError) in
                        try store.samples(
                            on: before.bench, began: time, except: runs.map(\.began),
                            limit: CompareCommand.mostRuns - 1)
                    }
                    if let aside = found.setAside { remark("\(path) was damaged; it is \(aside) now") }
                    for step in found.value {
                        sides[place][.init(step.scenario, step.step), default: []] += step.seconds
                    }
                }
            } catch { remark("the history is left out: \(error)") }
        }
        // The first side is the run that was named first, also if it is the later one.
        if runs[0].began != before.began { sides.swapAt(0, 1) }
        return StepTimes(sides[0], sides[1], least: order.leastChange)
    }

    /// The durations of the steps that ended well in a run.
    private static func samples(of record: RunRecord) -> [StepTimes.Key: [Double]] {
        var samples: [StepTimes.Key: [Double]] = [:]
        for entry in record.entries {
            let scenario = entry.info.caseAndRound.identifier
            for step in entry.attempts.flatMap(\.steps) where step.outcome == .done {
                if let seconds = step.seconds { samples[.init(scenario, step.name), default: []].append(seconds) }
            }
        }
        return samples
    }
}
