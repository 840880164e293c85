import HILRules

/// The text of the rules for a person at the terminal.
struct RuleText {
    /// The width that text is wrapped to, in characters.
    var width = 100
    /// Whether every test and scenario is listed, and not only counted.
    var isLong = false

    private static let indent = 16

    /// The lines of a report, without newlines.
    func lines(_ report: RuleReport) -> [String] {
        let states = [RuleReport.State.passed, .failed, .notRun, .unknown, .uncovered]
        let counts = states.map { state in (state, report.entries.count { $0.state == state }) }
        let summary = counts.filter { $0.1 > 0 || $0.0 == .passed }.map { "\($0.1) \($0.0.rawValue)" }
        let count = report.entries.count
        let last = "\(count) rule\(count == 1 ? "" : "s"): \(summary.joined(separator: ", "))"
        return report.entries.flatMap(lines) + legend(report) + [last]
    }

    /// The meaning of the marks of these rules.
    private func legend(_ report: RuleReport) -> [String] {
        let states: [(RuleReport.State, String)] = [
            (.passed, "its tests and scenarios passed in their last run"),
            (.failed, "a test or a scenario that covers it failed"),
            (.notRun, "its tests and scenarios have not run here"),
            (.unknown, "no scenario covers it; the unit tests' results are unknown"), (.uncovered, "nothing covers it"),
        ]
        let marks =
            states.filter { mark in report.entries.contains { $0.state == mark.0 } }.map { ($0.0.rawValue, $0.1) }
            + report.sources.filter { source in
                !source.meaning.isEmpty && report.entries.contains { $0.sources.contains(source.name) }
            }
            .map { ($0.name, $0.meaning) }
        return [""]
            + marks.flatMap { mark in
                wrapped(mark.1).enumerated().map { index, line in
                    RuleText.padded(index == 0 ? mark.0 : "", RuleText.indent) + line
                }
            }
    }

    /// A line for each finding.
    func findings(_ report: RuleReport) -> [String] {
        report.findings.map { entry in
            let bad = (entry.tests + entry.scenarios).filter { ["failed", "unfinished"].contains($0.verdict) }
            let why =
                if entry.state == .unknown {
                    "no scenario covers it, and the unit tests have not run here"
                } else if bad.isEmpty { "no test and no scenario covers it" } else {
                    bad.map(RuleText.text).joined(separator: ", ")
                }
            return "\(RuleText.padded(entry.rule, 4)) \(why)"
        }
    }

    private func lines(_ entry: RuleReport.Entry) -> [String] {
        let head = RuleText.padded(RuleText.padded(entry.rule, 5) + entry.state.rawValue, RuleText.indent)
        let space = String(repeating: " ", count: RuleText.indent)
        var lines = wrapped(entry.text).enumerated().map { ($0.offset == 0 ? head : space) + $0.element }
        var covers = wrapped("\(entry.sources.joined(separator: ", ")); \(summary(entry))").map { space + $0 }
        if isLong {
            covers = [space + entry.sources.joined(separator: ", ")]
            covers += entry.tests.map { "\(space)\(RuleText.mark($0)) \($0.name)  \($0.title)" }
            covers += entry.scenarios.map { "\(space)\(RuleText.mark($0)) \($0.name)  \($0.title)" }
        }
        lines += covers
        return lines
    }

    private func summary(_ entry: RuleReport.Entry) -> String {
        var parts: [String] = []
        if !entry.tests.isEmpty {
            let bad = entry.tests.filter { $0.verdict != "passed" }.map(RuleText.text)
            let count = "\(entry.tests.count) test\(entry.tests.count == 1 ? "" : "s")"
            parts.append(([count] + bad).joined(separator: ", "))
        }
        if !entry.scenarios.isEmpty { parts.append(entry.scenarios.map(RuleText.text).joined(separator: ", ")) }
        let nothing =
            entry.state == .unknown ? "no scenario covers it; the unit tests were not run" : "nothing covers it"
        return parts.isEmpty ? nothing : parts.joined(separator: "; ")
    }

    private static func text(_ cover: RuleReport.Cover) -> String {
        cover.verdict == "passed" ? cover.name : "\(cover.name) (\(cover.verdict ?? "not run"))"
    }

    private static func mark(_ cover: RuleReport.Cover) -> String { padded(cover.verdict ?? "not run", 11) }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// Wraps text into lines that fit beside the margin. A longer word gets its own line.
    private func wrapped(_ text: String) -> [String] {
        let room = max(20, width - RuleText.indent)
        var lines = [""]
        for word in text.split(separator: " ") {
            if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + word.count >= room { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }
}
