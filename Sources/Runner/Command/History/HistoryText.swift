import HIL
import HILExecution
import HILHistory
import HILPOSIX
import HILRecord
import HILTiming

/// The history for a person at the terminal. Pure: results go in, lines without newlines come out.
struct HistoryText {
    /// How many of the newest results a line of the table shows.
    private static let shown = 20
    /// The headings of the table's columns.
    private static let heads = ["scenario", "results, the newest last", "flaky", "median"]

    /// A line for each scenario: its newest results, how often it was flaky, and how long it takes.
    func table(_ pasts: [ScenarioPast]) -> [String] {
        if pasts.isEmpty { return ["there is no run in the history yet"] }
        let width = max(HistoryText.heads[0].count, pasts.map(\.scenario.count).max() ?? 0)
        let rows = pasts.map { past in
            let marks = past.results.prefix(HistoryText.shown).reversed().map { HistoryText.mark($0.verdict) }.joined()
            let cells = [
                HistoryText.padded(past.scenario, width), HistoryText.padded(marks, HistoryText.heads[1].count),
                HistoryText.right(HistoryText.rate(past), 5),
                HistoryText.right(HistoryText.time(past.medianSeconds), 8),
            ]
            return cells.joined(separator: "  ")
        }
        let heads = HistoryText.heads
        let head = [HistoryText.padded(heads[0], width), heads[1], heads[2], HistoryText.right(heads[3], 8)]
        return [head.joined(separator: "  ")] + rows + ["", HistoryText.legend] + HistoryText.rule
    }

    /// Everything about one scenario: a line for each result, then one for each step.
    func detail(
        _ past: ScenarioPast, _ steps: [PastStep], _ changes: [StepChange] = [], longest: Int = 0
    ) -> [String] {
        let rate = past.flakyRate.map { " (\(HistoryText.percent($0)))" } ?? ""
        var lines = [
            past.title,
            "\(past.scenario): \(past.counted) of \(past.results.count) results count, \(past.flaky) flaky\(rate)", "",
        ]
        for (place, result) in past.results.enumerated() {
            // Of an audit, what came is more than the verdict: `accepted`.
            let verdict =
                result.actual.map { "\($0.rawValue), in quarantine" } ?? result.audit?.words ?? result.verdict.rawValue
            let flaky = result.verdict != .flaky && past.isFlaky(at: place) ? ", flaky" : ""
            let firmware = result.firmware.map { "firmware \(PlainText.line($0))" } ?? ""
            let rig = [result.rig, result.accessory ?? "", result.machine, firmware].filter { !$0.isEmpty }.joined(
                separator: ", ")
            let cells = [
                calendarText(Int(result.began / 1_000_000_000), "%Y-%m-%d %H:%M:%S", isLocal: true),
                HistoryText.padded(verdict + flaky, 13),
                HistoryText.right(HistoryText.time(result.bodySeconds), 8), result.run, rig,
            ]
            lines.append(cells.joined(separator: "  "))
            if let cause = result.cause { lines.append("    \(HistoryText.start(cause))") }
        }
        return lines + table(steps) + told(changes, longest) + [""] + HistoryText.rule
    }

    private func table(_ steps: [PastStep]) -> [String] {
        if steps.isEmpty { return [] }
        let width = max(4, steps.map { PlainText.line($0.name).count }.max() ?? 0)
        func row(_ name: String, _ cells: [String]) -> String {
            ([HistoryText.padded(name, width)] + cells.map { HistoryText.right($0, 8) }).joined(separator: "  ")
        }
        return ["", row("step", ["done", "newest", "median", "least", "most", "budget"])]
            + steps.map { step in
                let times: [Double?] = [
                    step.seconds.first, step.seconds.median, step.seconds.min(), step.seconds.max(), step.budget,
                ]
                return row(PlainText.line(step.name), ["\(step.seconds.count)"] + times.map(HistoryText.time))
            }
    }

    /// Where the times changed for good.
    private func told(_ changes: [StepChange], _ longest: Int) -> [String] {
        if longest < ChangePoints.fewest {
            return ["", "changes over time: needs at least \(ChangePoints.fewest) runs on the bench of the newest"]
        }
        if changes.isEmpty { return ["", "the times of its steps did not change for good"] }
        return [""]
            + changes.map { change in
                let times = [change.point.before, change.point.after].map { Duration.seconds($0).short }
                return "since \(PlainText.line(change.run)): step “\(PlainText.line(change.step))” takes \(times[1]), "
                    + "before \(times[0])"
            }
    }

    private static let legend = ". passed  ~ flaky  F failed  E error of the rig  s skipped  q in quarantine"

    private static let rule = [
        "Flaky: passed only on a retry, or failed while a pass among the 5 results before it is newer than a",
        "failure among them; results with an error of the rig, and skipped ones, do not count.",
    ]

    private static func mark(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: "."
        case .flaky: "~"
        case .failed: "F"
        case .error: "E"
        case .skipped: "s"
        case .quarantined: "q"
        }
    }

    private static func rate(_ past: ScenarioPast) -> String { past.flakyRate.map(percent) ?? "-" }

    private static func percent(_ share: Double) -> String { "\((share * 100).formatted(decimals: 0)) %" }

    private static func time(_ seconds: Double?) -> String { seconds.map { Duration.seconds($0).short } ?? "-" }

    private static func start(_ cause: String) -> String {
        PlainText.line(PlainText.cut(String(cause.prefix { !$0.isNewline }), to: 200))
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
