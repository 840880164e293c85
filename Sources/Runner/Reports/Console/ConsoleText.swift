import HILPOSIX
import HILRecord
import HILTiming

/// The text of a run for a person at the terminal.
///
/// Pure: a line of the run and the record after it go in, text comes out.
package struct ConsoleText: Sendable {
    private enum Colour: String {
        case green = "32"
        case red = "31"
        case magenta = "35"
        case yellow = "33"
        case dim = "2"
    }

    private let hasColours: Bool
    private let root: String?

    /// - Parameters:
    ///   - root: The package's folder; paths of files are relative to it.
    package init(hasColours: Bool, root: String?) {
        self.hasColours = hasColours
        self.root = root
    }

    /// The text for a line of the run, which is empty for most lines.
    package func text(for line: RunLine, _ record: RunRecord) -> String {
        switch line.runner {
        case .runBegan(let info)?:
            let count = info.scenarios.count
            let systems = Set(info.scenarios.compactMap(\.accessory)).sorted()
            let boards =
                systems.isEmpty || systems == ["debian13"]
                ? "" : ", with \(systems.joined(separator: " and ")) on the accessory board"
            return
                "\(count) scenario\(count == 1 ? "" : "s") on the \(info.rig) rig\(boards)\(info.options.text); results in \(short(info.folder))\n"
        case .scenarioEnded(let result)?:
            let entry = record[line.scenario ?? ""]
            return explored(entry) + ended(entry, result) + warned(record, line.scenario ?? "", result)
        case .explorationBegan(let info)?: return "\(ExplorationGrid(ExplorationRecord(info)).head)\n"
        case .scenarioInterrupted?:
            return "interrupted  \(ConsoleText.line(record[line.scenario ?? ""]?.info.title ?? ""))\n"
        case .runEnded(let end)?: return summary(record, end)
        case .attemptEnded(let attempt)?:
            return retried(record[line.scenario ?? ""], attempt, isInBudget: record.info?.options.lastStart != nil)
        case nil:
            // At once: the scenario's result is known only when its backtrace is written.
            guard case .crashing(let text)? = line.worker else { return "" }
            let title = ConsoleText.line(record[line.scenario ?? ""]?.info.title ?? "")
            return "\(coloured(.red, "crash "))  \(title)\n        \(ConsoleText.line(text))\n"
        case .scenarioBegan?, .attemptBegan?, .roundBegan?, .trialEnded?: return ""
        }
    }

    /// The grid of an exploration that has ended; empty for any other scenario.
    private func explored(_ entry: RunRecord.Entry?) -> String {
        guard let exploration = entry?.exploration, !exploration.results.isEmpty else { return "" }
        let grid = ExplorationGrid(exploration)
        return (grid.lines(width: 110) + [grid.legend, grid.summary])
            .map { "  \($0)\n" }.joined()
    }

    /// Makes any text one line of at most `limit` Unicode scalars. A text that is cut ends with an ellipsis.
    static func line(_ text: String, to limit: Int = 300) -> String {
        let text = PlainText.line(String(text.unicodeScalars.prefix(limit + 1)))
        guard text.unicodeScalars.count > limit else { return text }
        return String(text.unicodeScalars.prefix(limit - 1)) + "…"
    }

    /// Text that is less important.
    func dim(_ text: String) -> String { coloured(.dim, text) }

    private func ended(_ entry: RunRecord.Entry?, _ result: ScenarioResult) -> String {
        guard let entry else { return "" }
        let judgement = result.judgement
        let place = result.whereItRan.map { "  " + ConsoleText.line($0, to: 200) } ?? ""
        let time = Duration.seconds(result.bodySeconds ?? result.seconds).short + place
        var text = "\(label(judgement.verdict))  \(ConsoleText.line(entry.info.title))  \(coloured(.dim, time))\n"
        for failure in judgement.headlines { text += "        \(causeText(failure))\n" }
        if let remark = judgement.remark { text += "        \(ConsoleText.line(remark, to: 200))\n" }
        for what in result.missing { text += "        evidence is missing: \(ConsoleText.line(what))\n" }
        return text
    }

    /// The warnings of a scenario that no other scenario had. Most apps get the same ones in every scenario.
    private func warned(_ record: RunRecord, _ scenario: String, _ result: ScenarioResult) -> String {
        guard result.warnings?.isEmpty == false else { return "" }
        let others = record.entries.filter { $0.info.identifier != scenario }
        let known = Set(others.flatMap { $0.result?.warnings ?? [] })
        return (result.warnings ?? []).filter { !known.contains($0) }.map { warning in
            "        \(coloured(.yellow, "warning")) \(ConsoleText.line(warning.line, to: 300))\n"
        }.joined()
    }

    private func retried(
        _ entry: RunRecord.Entry?, _ attempt: AttemptResult, isInBudget: Bool
    ) -> String {
        guard let entry else { return "" }
        let causes = attempt.judgement.headlines.map { "        \(causeText($0))\n" }
        if attempt.judgement.unproven != nil {
            let again = isInBudget ? "runs again if the budget is not used up before" : "runs again"
            return "\(coloured(.yellow, "late  "))  \(ConsoleText.line(entry.info.title)): \(again)\n\(causes.joined())"
        }
        return "\(coloured(.yellow, "retry "))  \(ConsoleText.line(entry.info.title))\n\(causes.joined())"
    }

    private func summary(_ record: RunRecord, _ end: RunEnd) -> String {
        var text = ""
        for entry in record.entries {
            guard let result = entry.result, result.judgement.verdict != .quarantined else { continue }
            let headlines = result.judgement.headlines
            if headlines.isEmpty { continue }
            text += "\n\(label(result.judgement.verdict))  \(entry.info.identifier)\n"
            let causes = CauseLines(judgement: result.judgement, attempt: entry.decisive)
            for failure in causes.found + headlines { text += "        \(causeText(failure))\n" }
            let others = result.judgement.failures.count - headlines.count - causes.found.count
            if others > 0 { text += "        and \(others) more in verdict.json\n" }
            for line in causes.lines {
                text += dim("        \(ConsoleText.line(line, to: 160))") + "\n"
            }
            let folder = "\(short(record.info?.folder ?? ""))/\(entry.info.folder)"
            text += "        evidence: \(folder)\(ConsoleText.first(result.evidence))\n"
            text += "        again: \(entry.info.replay)\n"
            if let boards = result.boards, let info = record.info {
                let attempt = boards.split(separator: "/").dropLast().map { "/\($0)" }.joined()
                text += "        open: \(info.program) open \(short(info.folder))/\(entry.info.folder)\(attempt)\n"
            }
        }
        let counts = Verdict.allCases.map { (record.count($0), $0) }.filter { $0.0 > 0 || $0.1 == .passed }
        var parts = counts.map { "\($0.0) \($0.1.rawValue)" }
        let left = record.entries.count { $0.result == nil }
        if left > 0 { parts.append("\(left) not run") }
        var how = end.signal == nil ? "" : "interrupted; "
        if let budget = end.missedBudget { how = "the run missed its budget of \(Duration.seconds(budget).short); " }
        let warnings = Set(record.entries.flatMap { $0.result?.warnings ?? [] }).count
        let aside = warnings == 0 ? "" : "; \(warnings) warning\(warnings == 1 ? "" : "s")"
        let time = Duration.seconds(end.seconds).short
        let audited = (AuditReport(record)?.targets ?? []).map { target in
            "audit of \(ConsoleText.line(target.info.scenario)): \(target.summary)\n"
        }
        let unbegun = record.leftWords.map { "\(ConsoleText.line($0, to: 4000))\n" } ?? ""
        return text
            + "\(text.isEmpty ? "" : "\n")\(audited.joined())\(unbegun)\(how)\(parts.joined(separator: ", ")) in \(time)\(aside)\n"
    }

    /// The file of the folder to read first.
    private static func first(_ evidence: [String]) -> String {
        evidence.contains("story.txt") ? "/story.txt, and the files beside it" : ""
    }

    private func causeText(_ failure: Failure) -> String {
        let first = ConsoleText.line(String(failure.message.prefix { !$0.isNewline }), to: 200)
        guard let location = failure.location else { return first }
        return "\(location.text(below: root)): \(first)"
    }

    private func label(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: coloured(.green, "passed")
        case .flaky: coloured(.yellow, "FLAKY ")
        case .failed: coloured(.red, "FAILED")
        case .error: coloured(.magenta, "ERROR ")
        case .skipped: coloured(.dim, "skipped")
        case .quarantined: coloured(.dim, "quarantined")
        }
    }

    private func coloured(_ colour: Colour, _ text: String) -> String {
        hasColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func short(_ path: String) -> String {
        guard let root, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count + 1))
    }
}
