/// The text of the SIG's test cases for a person at the terminal.
struct SIGText {
    /// Whether the tests are listed by name, and not only counted.
    var isLong = false

    /// The lines of a report, without newlines. Its last line counts the cases.
    func lines(_ report: SIGReport) -> [String] {
        report.entries.flatMap(lines) + ["", summary(report)]
    }

    /// `280 cases apply: 278 passed, 2 not shown; 165 cases and groups do not apply`.
    func summary(_ report: SIGReport) -> String {
        let states: [SIGReport.State] = [.passed, .failed, .notRun, .notShown, .unknown]
        let counts = states.map { state in (state, report.entries.count { $0.state == state }) }
        let parts = counts.filter { $0.1 > 0 || $0.0 == .passed }.map { "\($0.1) \($0.0.rawValue)" }
        let absent = report.entries.count { $0.state == .notApplicable }
        let others =
            switch absent {
            case 0: ""
            case 1: "; 1 case or group does not apply"
            default: "; \(absent) cases and groups do not apply"
            }
        let count = report.entries.count - absent
        return "\(count) case\(count == 1 ? " applies" : "s apply"): \(parts.joined(separator: ", "))\(others)"
    }

    /// A line for each finding.
    func findings(_ report: SIGReport) -> [String] {
        if !report.hasTests { return ["cases of the SIG: the unit tests have not run here"] }
        let cases = report.findings.map { entry in
            let bad = entry.tests.filter { $0.verdict != "passed" }.map { "\($0.name) (\($0.verdict ?? "not run"))" }
            return "\(entry.name) \(bad.isEmpty ? "no test shows it" : bad.joined(separator: ", "))"
        }
        return cases + report.strangers.map { "\($0) is shown by a test, but it is not an applicable case of the SIG" }
    }

    private func lines(_ entry: SIGReport.Entry) -> [String] {
        let head = "\(padded(entry.name, 24)) \(padded(entry.state.rawValue, 15)) \(entry.text)"
        let space = String(repeating: " ", count: 41)
        if let reason = entry.reason { return [head, space + reason] }
        if isLong { return [head] + entry.tests.map { "\(space)\(padded($0.verdict ?? "", 11)) \($0.name)" } }
        let bad = entry.tests.filter { $0.verdict != "passed" }
        return [head] + bad.map { "\(space)\($0.name) (\($0.verdict ?? "not run"))" }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
