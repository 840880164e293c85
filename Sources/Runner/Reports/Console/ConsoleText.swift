import Execution
import HIL
import Timing

/// What a person at the terminal reads of a run.
///
/// Pure: a line of the run and the record after it go in, text comes out.
public struct ConsoleText: Sendable {
    private enum Colour: String {
        case green = "32"
        case red = "31"
        case magenta = "35"
        case dim = "2"
    }

    private let isTerminal: Bool
    private let root: String?

    /// - Parameters:
    ///   - isTerminal: Colours, and a live line that the next output replaces.
    ///   - root: The package's folder, from which files are named.
    public init(isTerminal: Bool, root: String?) {
        self.isTerminal = isTerminal
        self.root = root
    }

    /// The text for a line; empty for most.
    public func text(for line: RunLine, _ record: RunRecord) -> String {
        if case .stepBegan(let name, _, _)? = line.worker { return live(line, record, "step “\(name)”") }
        switch line.runner {
        case .runBegan(let info)?:
            let count = info.scenarios.count
            return
                "\(count) scenario\(count == 1 ? "" : "s") on the \(info.rig) rig; results in \(short(info.folder))\n"
        case .scenarioBegan?: return live(line, record, "starting the boards")
        case .scenarioEnded(let result)?: return erased + ended(record[line.scenario ?? ""], result)
        case .scenarioInterrupted?:
            return erased + "interrupted  \(record[line.scenario ?? ""]?.info.title ?? "")\n"
        case .runEnded(let end)?: return erased + summary(record, end)
        case nil: return ""
        }
    }

    private func live(_ line: RunLine, _ record: RunRecord, _ what: String) -> String {
        guard isTerminal, let entry = record[line.scenario ?? ""] else { return "" }
        return erased + coloured(.dim, String("\(entry.info.title): \(what)".prefix(100)))
    }

    private var erased: String { isTerminal ? "\r\u{1B}[2K" : "" }

    private func ended(_ entry: RunRecord.Entry?, _ result: ScenarioResult) -> String {
        guard let entry else { return "" }
        let judgement = result.judgement
        let time = Duration.seconds(result.bodySeconds ?? result.seconds).short
        var text = "\(label(judgement.verdict))  \(entry.info.title)  \(coloured(.dim, time))\n"
        if let cause = judgement.cause { text += "        \(causeText(cause))\n" }
        for what in result.missing { text += "        evidence is missing: \(what)\n" }
        return text
    }

    private func summary(_ record: RunRecord, _ end: RunEnd) -> String {
        var text = ""
        for entry in record.entries {
            guard let result = entry.result, let cause = result.judgement.cause else { continue }
            text += "\n\(label(result.judgement.verdict))  \(entry.info.identifier)\n"
            text += "        \(causeText(cause))\n"
            let others = result.judgement.failures.count - 1
            if others > 0 { text += "        and \(others) more in verdict.json\n" }
            text += "        evidence: \(short(record.info?.folder ?? ""))/\(entry.info.folder)\n"
        }
        let counts = Verdict.allCases.map { (record.count($0), $0) }.filter { $0.0 > 0 || $0.1 == .passed }
        var parts = counts.map { "\($0.0) \($0.1.rawValue)" }
        let left = record.entries.count { $0.result == nil }
        if left > 0 { parts.append("\(left) not run") }
        let how = end.signal == nil ? "" : "interrupted; "
        let time = Duration.seconds(end.seconds).short
        return text + "\(text.isEmpty ? "" : "\n")\(how)\(parts.joined(separator: ", ")) in \(time)\n"
    }

    private func causeText(_ failure: Failure) -> String {
        let first = XMLText.cut(String(failure.message.prefix { !$0.isNewline }), to: 200)
        guard let location = failure.location else { return first }
        return "\(location.text(below: root)): \(first)"
    }

    private func label(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: coloured(.green, "passed")
        case .failed: coloured(.red, "FAILED")
        case .error: coloured(.magenta, "ERROR ")
        }
    }

    private func coloured(_ colour: Colour, _ text: String) -> String {
        isTerminal ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func short(_ path: String) -> String {
        guard let root, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count + 1))
    }
}
