import HIL
import HILExecution
import HILHistory
import HILPOSIX
import HILRecord
import HILTiming

/// The differences between two runs for a person at the terminal. Pure: lines without newlines come out.
struct ComparisonText {
    func lines(_ comparison: Comparison, _ before: RunRecord, _ after: RunRecord) -> [String] {
        var lines = [ComparisonText.head("before", before), ComparisonText.head("after ", after)]
        let groups: [(String, [Comparison.Change])] = [
            ("newly failed", comparison.newlyFailed), ("new breaches", comparison.newBreaches),
            ("no longer accepted", comparison.noLongerAccepted),
            ("failed, unknown before", comparison.failedUnknown),
            ("newly flaky", comparison.newlyFlaky), ("errors of the rig", comparison.rigErrors),
            ("failed as before", comparison.stillFailed), ("fixed", comparison.fixed), ("mended", comparison.mended),
            ("accepted now", comparison.newlyAccepted), ("new", comparison.new),
            ("gone", comparison.gone),
        ]
        for (title, changes) in groups where !changes.isEmpty {
            lines += ["", "\(title): \(changes.count)"]
            for change in changes {
                let verdict = change.before == nil ? change.after.map { ", \($0.rawValue)" } ?? "" : ""
                let cause = change.cause.map { ": \(ComparisonText.start($0))" } ?? ""
                lines.append("  \(PlainText.line(change.scenario))\(verdict)\(cause)")
            }
        }
        if groups.allSatisfy(\.1.isEmpty) { lines += ["", comparison.unchanged] }
        for (title, changes) in [("slower", comparison.times.slower), ("faster", comparison.times.faster)]
        where !changes.isEmpty {
            lines += ["", "\(title): \(changes.count)"]
            lines += changes.map(ComparisonText.line)
        }
        return lines + ["", ComparisonText.summary(comparison.times)]
    }

    private static func head(_ name: String, _ record: RunRecord) -> String {
        let counts = Verdict.allCases.map { (record.count($0), $0) }.filter { $0.0 > 0 }.map {
            "\($0.0) \($0.1.rawValue)"
        }
        let folder = record.info?.folder.split(separator: "/").last.map(String.init) ?? ""
        return PlainText.line("\(name)  \(folder)  \(record.bench): \(counts.joined(separator: ", "))")
    }

    private static func line(_ change: StepTimes.Change) -> String {
        let times = [change.before, change.after].map { Duration.seconds($0).short }
        let samples = change.samples.map(String.init).joined(separator: " and ")
        let p = change.p < 0.001 ? "below 0.001" : change.p.formatted(decimals: 3)
        return "  \(PlainText.line(change.key.scenario)), step “\(PlainText.line(change.key.step))”: "
            + "\(times[0]) before, \(times[1]) now (\(samples) times, p \(p))"
    }

    static func summary(_ times: StepTimes) -> String {
        if let why = times.whyNot { return PlainText.line("times are not compared: \(why)") }
        let few = times.tooFew == 0 ? "" : "; each of \(times.tooFew) more \(StepTimes.needsMore)"
        return "times of \(times.compared) step\(times.compared == 1 ? "" : "s") are compared\(few)"
    }

    private static func start(_ cause: String) -> String {
        PlainText.line(PlainText.cut(String(cause.prefix { !$0.isNewline }), to: 200))
    }
}
