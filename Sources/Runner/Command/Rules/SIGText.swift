/// The text of the SIG's test cases for a person at the terminal.
struct SIGText {
    /// Whether each test is listed with its result and title, and not only by its name.
    var isLong = false

    private static let nameWidth = 25
    private static let stateWidth = 16
    private static let margin = String(repeating: " ", count: nameWidth + stateWidth)

    /// The lines of a report, without newlines. The last ones count the cases.
    func lines(_ report: SIGReport) -> [String] {
        report.entries.flatMap(lines) + [""] + summary(report)
    }

    /// A line for each profile, if there are several, and one for all.
    func summary(_ report: SIGReport) -> [String] {
        var profiles: [Substring] = []
        for entry in report.entries {
            let profile = SIGText.profile(entry)
            if profiles.last != profile { profiles.append(profile) }
        }
        let lines = profiles.map { profile in
            let entries = report.entries.filter { SIGText.profile($0) == profile }
            return SIGText.padded("\(profile):", 7) + SIGText.counts(entries)
        }
        return (lines.count > 1 ? lines : []) + [SIGText.padded("all:", 7) + SIGText.counts(report.entries)]
    }

    /// A line for each finding.
    func findings(_ report: SIGReport) -> [String] {
        guard report.hasTests else {
            return ["cases of the SIG: the unit tests of the phone's Bluetooth host have not run here"]
        }
        let cases = report.findings.map { entry in
            let bad = entry.tests.filter { $0.verdict != "passed" }.map(SIGText.text)
            let why = bad.isEmpty ? "no test shows it, and no reason is given" : bad.joined(separator: ", ")
            return "\(entry.name) \(why)"
        }
        let strangers = report.strangers.map { name, test in
            "\(name) is shown by \(test.name), but it is no case of the SIG that applies"
        }
        return cases + strangers
    }

    private func lines(_ entry: SIGReport.Entry) -> [String] {
        let head =
            SIGText.padded(entry.name, SIGText.nameWidth) + SIGText.padded(entry.state.rawValue, SIGText.stateWidth)
            + entry.text
        if let reason = entry.reason { return [head, SIGText.margin + reason] }
        return [head]
            + entry.tests.map { test in
                SIGText.margin
                    + (isLong
                        ? "\(SIGText.padded(test.verdict ?? "not run", 11))\(test.name)  \(test.title)"
                        : SIGText.text(test))
            }
    }

    /// `280 cases apply: 278 passed, 2 not shown; 1 is open; 165 do not apply`. A group counts once.
    private static func counts(_ entries: [SIGReport.Entry]) -> String {
        func count(_ state: SIGReport.State) -> Int { entries.count { $0.state == state } }
        let states: [SIGReport.State] = [.passed, .failed, .notRun, .notShown, .unknown]
        let parts = states.filter { count($0) > 0 || $0 == .passed }.map { "\(count($0)) \($0.rawValue)" }
        let (open, absent) = (count(.open), count(.notApplicable))
        let applying = entries.count - open - absent
        return "\(applying) case\(applying == 1 ? " applies" : "s apply"): \(parts.joined(separator: ", "))"
            + (open == 0 ? "" : "; \(open) \(open == 1 ? "is" : "are") open")
            + (absent == 0 ? "" : "; \(absent) \(absent == 1 ? "does" : "do") not apply")
    }

    /// `GATT`.
    private static func profile(_ entry: SIGReport.Entry) -> Substring { entry.name.prefix { $0 != "/" } }

    private static func text(_ test: RuleReport.Cover) -> String {
        test.verdict == "passed" ? test.name : "\(test.name) (\(test.verdict ?? "not run"))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
