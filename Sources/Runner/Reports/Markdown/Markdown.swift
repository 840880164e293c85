import HILRecord
import HILTiming

/// The run as Markdown, for GitHub's step summary: what failed first, and at most 1 MiB, which is what GitHub shows.
///
/// Pure: a record goes in, a document comes out.
package struct Markdown: Sendable {
    /// The most bytes that GitHub shows of a step's summary.
    package static let limit = 1 << 20
    /// The most characters of a failure's messages together.
    private static let messageLimit = 4000

    private let record: RunRecord
    private let root: String?

    /// - Parameter root: The package's folder; paths of files are relative to it.
    package init(_ record: RunRecord, root: String?) {
        self.record = record
        self.root = root
    }

    /// The document.
    ///
    /// - Parameter limit: The most bytes of UTF-8.
    package func document(limit: Int = Markdown.limit) -> String {
        var page = MarkdownPage(limit: limit)
        page.add(head)
        for entry in record.entries { addExploration(entry, to: &page) }
        if let report = AuditReport(record) { addAudit(report, to: &page) }
        addFailures(.failed, "Failed", to: &page)
        addFailures(.error, "Errors of the rig", to: &page)
        addFailures(.flaky, "Flaky", to: &page)
        addLines("Not run", record.entries.filter { $0.result == nil }, to: &page) { entry in
            entry.isInterrupted ? "interrupted" : ""
        }
        for (verdict, title) in [(Verdict.quarantined, "In quarantine"), (.skipped, "Skipped")] {
            // The section of an audit has its own.
            addLines(title, entries(verdict).filter { $0.info.control == nil }, to: &page) {
                $0.result?.judgement.remark ?? ""
            }
        }
        addWarnings(to: &page)
        if !boards.isEmpty { page.add(boards) }
        addPassed(to: &page)
        return page.document
    }

    /// How an exploration ended, with its grid.
    private func addExploration(_ entry: RunRecord.Entry, to page: inout MarkdownPage) {
        guard let exploration = entry.exploration else { return }
        let grid = ExplorationGrid(exploration)
        var text = "\n\(MarkdownText.line(entry.info.title)): \(grid.head); \(grid.summary)\n"
        if !exploration.results.isEmpty {
            text += "\n<details><summary>Every moment, every fault</summary>\n\n```\n"
            text += grid.lines(width: 200).joined(separator: "\n") + "\n\(grid.legend)\n```\n\n</details>\n"
        }
        page.add(text)
    }

    private func entries(_ verdict: Verdict) -> [RunRecord.Entry] {
        record.entries.filter { $0.result?.judgement.verdict == verdict }
    }

    private var head: String {
        let shown: [Verdict] = [.failed, .error, .flaky, .passed, .quarantined, .skipped]
        var parts = shown.map { (record.count($0), $0) }.filter { $0.0 > 0 || $0.1 == .passed }
            .map { "\($0.0) \($0.1.rawValue)" }
        let left = record.entries.count { $0.result == nil }
        if left > 0 { parts.append("\(left) not run") }
        var text = "## hil: \(parts.joined(separator: ", "))"
        if let end = record.end { text += " in \(Duration.seconds(end.seconds).short)" }
        text += "\n\n"
        if let signal = record.end?.signal { text += "**The run was interrupted by signal \(signal).**\n\n" }
        if let budget = record.end?.missedBudget {
            text += "**The run missed its budget of \(Duration.seconds(budget).short).**\n\n"
        }
        if let left = record.leftWords { text += "**\(MarkdownText.line(left, to: 4000))**\n\n" }
        guard let info = record.info else { return text }
        let count = record.entries.count
        let rigs = Set(record.entries.compactMap(\.rig)).count
        text += "\(count) scenario\(count == 1 ? "" : "s") on \(max(1, rigs)) \(MarkdownText.line(info.rig)) "
        text += "rig\(rigs > 1 ? "s" : "") of \(MarkdownText.line(info.machine))"
        if let accessory = info.accessory { text += ", with \(MarkdownText.line(accessory)) on the accessory board" }
        if let firmware = record.firmware { text += "; firmware \(MarkdownText.line(firmware))" }
        text += "; hil \(MarkdownText.line(info.version)); results in \(MarkdownText.code(short(info.folder)))\n"
        return text
    }

    /// A line for each board with the versions of its programs.
    private var boards: String {
        record.versions.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { board, names in
            let versions = names.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")
            return "\n\(MarkdownText.line("\(board) board: \(versions)", to: 1000))\n"
        }.joined()
    }

    private func addFailures(_ verdict: Verdict, _ title: String, to page: inout MarkdownPage) {
        let entries = entries(verdict)
        if entries.isEmpty { return }
        page.add("\n### \(title)\n")
        for entry in entries { page.add(failure(entry), isScenario: true) }
    }

    /// A scenario that did not pass: what failed and where, what came before, and how to see it again.
    private func failure(_ entry: RunRecord.Entry) -> String {
        guard let result = entry.result else { return "" }
        let time = Duration.seconds(result.bodySeconds ?? result.seconds).short
        var text = "\n#### \(MarkdownText.line(entry.info.title))\n\n"
        text += "\(MarkdownText.code(entry.info.identifier)), \(time)"
        if entry.attempts.count > 1 { text += ", \(entry.attempts.count) attempts" }
        if let step = entry.decisive.failures.first?.step.flatMap({ number in
            entry.decisive.steps.first { $0.number == number }
        }) {
            text += ", in the step “\(MarkdownText.line(step.name, to: 100))”"
        }
        var lines = result.judgement.failures.prefix(20).map { failure in
            (failure.location.map { "\($0.text(below: root)): " } ?? "") + MarkdownText.cut(failure.message, to: 1000)
        }
        lines += entry.decisive.lines(entry.decisive.log.prefix { !$0.isBad }.suffix(3))
        if let place = result.whereItRan { text += ", \(MarkdownText.line(place, to: 200))" }
        text += "\n\n" + MarkdownText.block(lines.joined(separator: "\n"), to: Markdown.messageLimit) + "\n"
        if let remark = result.judgement.remark { text += "\(MarkdownText.line(remark))\n\n" }
        for what in result.missing.prefix(5) { text += "evidence is missing: \(MarkdownText.line(what))\n\n" }
        if let folder = record.info?.folder {
            text += "evidence: \(MarkdownText.code("\(short(folder))/\(entry.info.folder)"))\n\n"
        }
        return text + "again: \(MarkdownText.code(entry.info.replay))\n"
    }

    private func addLines(
        _ title: String, _ entries: [RunRecord.Entry], to page: inout MarkdownPage,
        _ remark: (RunRecord.Entry) -> String
    ) {
        if entries.isEmpty { return }
        page.add("\n### \(title)\n\n")
        for entry in entries {
            let remark = remark(entry)
            let tail = remark.isEmpty ? "" : ": \(MarkdownText.line(remark))"
            page.add("- \(MarkdownText.line(entry.info.title))\(tail)\n", isScenario: true)
        }
    }

    private func addWarnings(to page: inout MarkdownPage) {
        var known: Set<Warning> = []
        let warnings = record.entries.flatMap { $0.result?.warnings ?? [] }.filter { known.insert($0).inserted }
        if warnings.isEmpty { return }
        page.add("\n### Warnings\n\n")
        for warning in warnings { page.add("- \(MarkdownText.line(warning.line))\n") }
    }

    private func addPassed(to page: inout MarkdownPage) {
        let passed = entries(.passed)
        if passed.isEmpty { return }
        let head = "\n<details><summary>\(passed.count) passed</summary>\n\n| scenario | time |\n|---|---|\n"
        page.add(head, closing: "\n</details>\n") { page in
            for entry in passed {
                let seconds = entry.result.map { $0.bodySeconds ?? $0.seconds } ?? 0
                let time = Duration.seconds(seconds).short
                page.add("| \(MarkdownText.line(entry.info.title)) | \(time) |\n", isScenario: true)
            }
        }
    }

    private func short(_ path: String) -> String {
        guard let root, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count + 1))
    }
}
