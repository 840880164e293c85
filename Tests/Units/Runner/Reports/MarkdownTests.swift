import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILRecord
import Testing

@testable import HILReports

struct MarkdownTests {
    private static let end = RunLine(time: 9, runner: .runEnded(RunEnd(seconds: 83)))

    private func document(_ record: RunRecord, limit: Int = Markdown.limit) -> String {
        Markdown(record, root: "/work").document(limit: limit)
    }

    /// The record of a run with this message in a failure, a title, a step and a remark.
    private func record(_ text: String, count: Int = 1) -> RunRecord {
        var lines = SampleRun.lines(message: text)
        if case .runBegan(var info)? = lines[0].runner {
            for place in info.scenarios.indices { info.scenarios[place].title = text }
            info.machine = text
            lines[0].runner = .runBegan(info)
        }
        let place = SourceLocation(file: "a.swift", path: "/work/a.swift", line: 1)
        lines.insert(SampleRun.told("fails", .stepBegan(name: text, budget: 1, at: place, number: 2)), at: 7)
        var record = RunRecord()
        for line in lines + [Self.end] { record.take(line) }
        return record
    }

    @Test("What failed comes first, with its place, the last events, the evidence and the command that repeats it")
    func order() throws {
        let text = document(record("expected that the die shows it"))
        #expect(text.hasPrefix("## hil: 1 failed, 1 error, 1 passed, 1 not run in 83 s\n"))
        let places = try ["### Failed", "### Errors of the rig", "### Not run", "<details><summary>1 passed"].map {
            try #require(text.range(of: $0)).lowerBound
        }
        #expect(places == places.sorted())
        #expect(text.contains("```text\nScenarios/Family/fails.swift:42: expected that the die shows it\n"))
        #expect(text.contains("   0.000 step “roll”\n"))
        #expect(text.contains("evidence: <code>results/run/fails</code>"))
        #expect(text.contains("again: <code>hil run fails</code>"))
        #expect(text.contains("| expected that the die shows it | 500 ms |\n\n</details>\n"))
    }

    @Test("A step in which it failed is named, a retry is counted, a warning is told once")
    func details() {
        let location = SourceLocation(file: "a.swift", path: "/work/a.swift", line: 1)
        let failure = Failure(.product, "late", at: location)
        let warning = Warning(rule: "K1", "too large")
        let attempts = [
            AttemptResult(Judgement([failure]), seconds: 1, warnings: [warning]),
            AttemptResult(Judgement([]), seconds: 1, warnings: [warning]),
        ]
        let more = [
            SampleRun.told("waits", .stepBegan(name: "join", budget: 1, at: location, number: 1)),
            SampleRun.told("waits", .failure(failure)),
            RunLine(time: 5, scenario: "waits", runner: .attemptEnded(attempts[0])),
            RunLine(time: 6, scenario: "waits", runner: .scenarioEnded(ScenarioResult(attempts: attempts))), Self.end,
        ]
        var record = SampleRun.record()
        for line in more { record.take(line) }
        let text = document(record)
        #expect(text.contains("### Flaky\n"))
        #expect(text.contains("<code>waits</code>, 2 s, 2 attempts, in the step “join”\n"), "\(text)")
        #expect(text.contains("### Warnings\n\n- K1\\: too large\n"))
    }

    @Test(
        "No text becomes markup, whatever is in it",
        arguments: [
            "# title", "<script>alert(1)</script>", "| a | b |", "[x](https://evil.example)", "![x](a.png)",
            "**b** _i_ `c`",
            "```\n# title\n<b>", "````\n~~~\n</details>", "</code></pre>", "&lt;&#60;", "\u{1B}[31mred\u{202E}",
            "- item\r\n> quote",
            "https://evil.example www.evil.example", "a\\", "$x$", "\u{0}\u{FFFE}\u{85}",
        ])
    func hostile(text: String) {
        let rules = MarkdownRules(document(record(text)))
        #expect(rules.violations == [], "\(rules.violations)")
        #expect(rules.headings == ["##", "###", "####", "###", "####", "###"], "no text makes a heading of its own")
    }

    @Test("A megabyte in every text stays below the limit, and what is left out is said in the last line")
    func limit() throws {
        let huge = document(record(String(repeating: "`<&\u{1B}x", count: 250_000)))
        #expect(huge.utf8.count <= 1 << 20)
        #expect(MarkdownRules(huge).violations == [])
        var record = SampleRun.record(Self.end)
        let whole = document(record)
        for limit in stride(from: 0, through: whole.utf8.count + 500, by: 300) {
            let text = document(record, limit: limit)
            #expect(text.utf8.count <= limit)
            #expect(MarkdownRules(text).violations == [], "at \(limit)")
            if text != whole, !text.isEmpty {
                #expect(text.split(separator: "\n").last?.hasSuffix("left out. All are in junit.xml.") == true)
            }
        }
        // Two thousand failures of four thousand characters are more than fits.
        guard case .runBegan(var info)? = SampleRun.lines()[0].runner else { return }
        let entry = info.scenarios[1]
        info.scenarios = (0..<2000).map { number in
            var copy = entry
            copy.identifier = "s\(number)"
            return copy
        }
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        for entry in info.scenarios {
            let failure = Failure(.product, String(repeating: "x", count: 4000))
            let result = ScenarioResult(Judgement([failure]), seconds: 1)
            record.take(RunLine(time: 2, scenario: entry.identifier, runner: .scenarioEnded(result)))
        }
        let many = document(record)
        #expect(many.utf8.count <= 1 << 20 && many.utf8.count > 1_000_000)
        let last = try #require(many.split(separator: "\n").last)
        let left = try #require(last.firstMatch(of: /: (\d+) scenarios are left out/)?.1)
        let told = many.components(separatedBy: "\n#### ").count - 1
        #expect(Int(left) == 2000 - told)
    }

    @Test("The summary is written when the run has ended, and appended to GitHub's within its limit")
    func files() throws {
        let root = NSTemporaryDirectory() + "hil-summary-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try RunFolder.create(in: "\(root)/results")
        let summary = "\(root)/step.md"
        let before = "before\n" + String(repeating: "x", count: 1 << 20 - 900) + "\n"
        for (start, isCut) in [("before\n", false), (before, true)] {
            try start.write(toFile: summary, atomically: true, encoding: .utf8)
            let writer = try ReportWriter(
                folder.path, root: root, format: .text, stepSummary: summary, isTerminal: false, print: { _ in })
            let run = ObservedRun([writer])
            for line in SampleRun.lines(folder: folder.path) { run.take(line) }
            #expect(try String(contentsOfFile: summary, encoding: .utf8) == start, "the run goes on")
            run.take(Self.end)
            let own = try String(contentsOfFile: folder.file("summary.md"), encoding: .utf8)
            let step = try String(contentsOfFile: summary, encoding: .utf8)
            #expect(own.hasPrefix("## hil: 1 failed"))
            #expect(step.hasPrefix(start) && step.utf8.count <= 1 << 20)
            #expect((step == start + own) == !isCut)
            #expect(writer.missing == nil)
        }
    }

    @Test("A run's own summary is among its results; GitHub's, if it cannot be written, is told apart from them")
    func unwritable() throws {
        let root = NSTemporaryDirectory() + "hil-summary-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try RunFolder.create(in: "\(root)/results")
        func writer(_ summary: String) throws -> ReportWriter {
            let writer = try ReportWriter(
                folder.path, root: root, format: .text, stepSummary: summary, isTerminal: false, print: { _ in })
            let run = ObservedRun([writer])
            for line in SampleRun.lines(folder: folder.path) + [Self.end] { run.take(line) }
            return writer
        }
        let away = try writer("\(root)/nowhere/step.md")
        #expect(away.missing == nil && away.stepSummaryError?.code == ENOENT)
        #expect(FileManager.default.fileExists(atPath: folder.file("summary.md")))
        try FileManager.default.createDirectory(
            atPath: folder.file("summary.md.new"), withIntermediateDirectories: false)
        let own = try writer("\(root)/step.md")
        #expect(own.missing?.what == "summary.md is not complete" && own.stepSummaryError == nil)
    }
}

/// Checks a summary by the rules of GitHub Flavored Markdown that our documents use: headings, fenced blocks, tables,
/// lists, and the only elements of HTML that they may have.
struct MarkdownRules {
    private(set) var violations: [String] = []
    /// The marks of all headings, in order.
    private(set) var headings: [String] = []

    init(_ document: String) {
        var fence: Substring?
        var details = 0
        for scalar in document.unicodeScalars where scalar != "\n" && scalar != "\t" {
            if scalar.properties.generalCategory == .control { violations.append("a control character") }
        }
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = fence {
                if line == open { fence = nil }
                continue
            }
            if let mark = line.wholeMatch(of: /(`{3,})text/)?.1 {
                fence = mark
                continue
            }
            if let mark = line.prefixMatch(of: #/(\#{2,4}) /#)?.1 { headings.append(String(mark)) }
            if line.hasPrefix("<details>") { details += 1 }
            if line == "</details>" { details -= 1 }
            check(line)
        }
        if fence != nil { violations.append("a block that does not end") }
        if details != 0 { violations.append("details that do not end") }
    }

    private mutating func check(_ line: Substring) {
        let isBlock = line.prefixMatch(of: #/(\#{1,6}|[>+*=~`]|\d+[.)])( |$)/#) != nil
        if isBlock, line.prefixMatch(of: #/\#\# hil: |\#{3,4} /#) == nil {
            violations.append("a line that begins a block: \(line.prefix(80))")
        }
        var rest = line.replacing(/<details><summary>\d+ passed<\/summary>|<\/details>|<\/?code>/, with: "")
        rest = rest.replacing(/\*\*The run [^*]+\*\*/, with: "").replacing(#/^(\#{2,4} |- |\| )/#, with: "")
        rest = rest.replacing(/&(amp|lt|gt);/, with: "").replacing(/\\[!-\/:-@\[-`{-~]/, with: "")
        if rest.contains(/[<&`*_\[\]]|https?:|www\./), rest != "|---|---|" {
            violations.append("markup: \(rest.prefix(80))")
        }
        // A row of the table has two cells.
        if line.hasPrefix("|"), line.replacing("\\|", with: "").count(where: { $0 == "|" }) != 3 {
            violations.append("a row with other cells: \(line.prefix(80))")
        }
    }
}
