import Foundation
import HILExecution
import HILHistory

/// Compares two runs, with the history before and between them.
struct RunComparing {
    /// The most runs on each side whose times are compared.
    private static let mostRuns = 20

    /// The folder of the runs' folders.
    let results: String
    var least = StepTimes.LeastChange.standard
    /// Called with a message that is not a result.
    let note: (String) -> Void

    /// What is different in the second run.
    func compare(_ before: ComparedRun, _ after: ComparedRun) -> Comparison {
        Comparison(before.outcomes, after.outcomes, times: times(before, after))
    }

    /// The durations of the steps on both sides: of both runs, of the runs up to the earlier one, and of the runs from
    /// then to the later one, on the same bench.
    private func times(_ before: ComparedRun, _ after: ComparedRun) -> StepTimes {
        guard before.bench == after.bench else {
            return StepTimes(whyNot: "the benches differ: \(before.bench), and \(after.bench)")
        }
        let runs = [before, after].sorted { $0.began < $1.began }
        var sides = runs.map { $0.samples ?? [:] }
        // Runs that bring their own samples must not count twice.
        let known = runs.filter { $0.samples != nil }.map(\.began)
        let path = "\(results)/\(HistoryFile.name)"
        if FileManager.default.fileExists(atPath: path) {
            do {
                let early = 0...runs[0].began
                // A run that only the history has belongs only to the early side.
                let begin = runs[0].samples == nil ? runs[0].began + 1 : runs[0].began
                let late = min(begin, runs[1].began)...runs[1].began
                for (place, time) in [early, late].enumerated() {
                    let found = try HistoryFile(path).use { store throws(HistoryError) in
                        try store.samples(
                            on: before.bench, began: time, except: known, limit: RunComparing.mostRuns - 1)
                    }
                    if let aside = found.setAside { note("\(path) was damaged; it is \(aside) now") }
                    for step in found.value {
                        sides[place][.init(step.scenario, step.step), default: []] += step.seconds
                    }
                }
            } catch { note("the history is left out: \(error)") }
        }
        // The first side is the run that was named first, even if it is the later one.
        if runs[0].began != before.began { sides.swapAt(0, 1) }
        return StepTimes(sides[0], sides[1], least: least)
    }
}
