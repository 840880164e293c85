import HILRecord

/// The run as JUnit XML, in the dialect that the schema of Jenkins' xUnit plugin accepts (`junit-10.xsd`).
///
/// Pure: a record goes in, a document comes out. It can be made at any time. A scenario that was to run is an `error`
/// until it has run, so that a run whose process was killed is not taken for a good one.
package struct JUnit: Sendable {
    /// The longest message, in characters.
    static let messageLimit = 500
    /// The most characters of all logs together. The file must stay below 30 MB, and an escaped character may need
    /// six bytes.
    private static let logBudget = 2_000_000

    /// The dialect, where readers differ.
    package enum Flavor: String, Sendable, Hashable, CaseIterable {
        /// What the schema of Jenkins' xUnit plugin accepts.
        case plain
        /// With `file` and `line` of each case, by which GitHub's readers mark the source.
        case github
    }

    let record: RunRecord
    private let flavor: Flavor
    private let root: String?
    private let attachments: @Sendable (RunRecord.Entry) -> [String]
    /// The prefix of each class name, so that the same scenario of two runs in one file has two names.
    let prefix: String

    /// - Parameters:
    ///   - root: The package's folder; paths of source files are relative to it.
    ///   - flavor: The dialect.
    ///   - attachments: The files to attach to a scenario, the most useful first: paths from the workspace, with file
    ///     names
    ///     that are unique in the run.
    ///   - prefix: The prefix of each class name: `bench-2.`, where the runs of several benches share a file.
    package init(
        _ record: RunRecord, root: String?, flavor: Flavor = .plain, prefix: String = "",
        attachments: @escaping @Sendable (RunRecord.Entry) -> [String]
    ) {
        self.flavor = flavor
        self.prefix = prefix
        self.record = record
        self.root = root
        self.attachments = attachments
    }

    /// The XML document.
    package var document: String { JUnit.document(of: [self]) }

    /// The XML document of several runs, with a suite for each.
    package static func document(of runs: [JUnit]) -> String {
        opening(of: runs)
            + runs.map { run in
                run.opening + run.record.entries.map(run.testcase).joined() + run.uncheckedCases + JUnit.suiteEnd
            }.joined()
            + JUnit.documentEnd
    }

    /// The end of a document of one run, after the elements of all scenarios.
    var tail: String { uncheckedCases + JUnit.suiteEnd + JUnit.documentEnd }
    private static let suiteEnd = "  </testsuite>\n"
    private static let documentEnd = "</testsuites>\n"

    /// The beginning of a document of one run, before the elements of all scenarios.
    var head: String { JUnit.opening(of: [self]) + opening }

    /// The beginning of a document.
    private static func opening(of runs: [JUnit]) -> String {
        let records = runs.map(\.record)
        func count(_ number: (RunRecord) -> Int) -> Int { records.reduce(0) { $0 + number($1) } }
        let unchecked = runs.reduce(0) { $0 + $1.unchecked.count }
        let counts = [
            ("tests", count { $0.entries.count } + unchecked), ("failures", count { $0.count(.failed) }),
            ("errors", count { $0.count(.error) + $0.owed.count }),
        ].map { " \($0.0)=\"\($0.1)\"" }
        let time = runs.reduce(0) { $0 + $1.seconds }.formatted(decimals: 3)
        // The outer element has no `skipped` in the schema.
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuites name=\"hil\"\(counts.joined()) time=\"\(time)\">\n"
    }

    private var seconds: Double {
        record.end?.seconds ?? record.entries.reduce(0) { $0 + ($1.result?.seconds ?? 0) }
    }

    /// The beginning of the element of the run.
    private var opening: String {
        let counts = [
            ("tests", record.entries.count + unchecked.count), ("failures", record.count(.failed)),
            ("errors", record.count(.error) + record.owed.count), ("skipped", skipped + unchecked.count),
        ].map { " \($0.0)=\"\($0.1)\"" }
        let time = " time=\"\(seconds.formatted(decimals: 3))\""
        var text = "  <testsuite name=\"\(XMLText.attribute(suiteName))\"\(counts.joined())\(time)"
        text += " timestamp=\"\(timestamp)\" hostname=\"\(XMLText.attribute(record.info?.machine ?? ""))\">\n"
        return text + properties
    }

    private var skipped: Int {
        record.entries.count { $0.result == nil } - record.owed.count + record.count(.skipped)
            + record.count(.quarantined)
    }

    private var suiteName: String { "hil on the \(record.info?.rig ?? "") rig" }

    /// The start in seconds, in UTC without a zone, which all readers of the schema accept.
    private var timestamp: String { String(UTC.text(record.began).prefix(19)) }

    private var properties: String {
        var values: [(String, String)] = [("hil.version", record.info?.version ?? "")]
        values.append(("hil.rig", record.info?.rig ?? ""))
        values.append(("hil.phone", record.phoneTexts.joined(separator: "; ")))
        values.append(("hil.accessory", record.info?.accessory ?? ""))
        values.append(("hil.firmware", record.firmware ?? ""))
        values.append(("hil.run", record.info?.folder ?? ""))
        if let seed = record.info?.options.seed { values.append(("hil.seed", "\(seed)")) }
        if let signal = record.end?.signal { values.append(("hil.interrupted", "signal \(signal)")) }
        if let budget = record.end?.missedBudget {
            values.append(("hil.interrupted", "missed its budget of \(Duration.seconds(budget).short)"))
        }
        for (board, names) in record.versions.sorted(by: { $0.key < $1.key }) {
            values += names.sorted { $0.key < $1.key }.map { ("\(board).\($0.key)", $0.value) }
        }
        let lines = values.filter { !$0.1.isEmpty }.map {
            "      <property name=\"\(XMLText.attribute($0.0))\" value=\"\(XMLText.attribute($0.1))\"/>\n"
        }
        return "    <properties>\n\(lines.joined())    </properties>\n"
    }

    /// The element of one scenario.
    func testcase(_ entry: RunRecord.Entry) -> String {
        let classname = prefix + entry.info.file.replacing("/", with: ".")
        let seconds = (entry.result?.seconds ?? 0).formatted(decimals: 3)
        let title = XMLText.attribute(entry.info.title)
        var text =
            "    <testcase classname=\"\(XMLText.attribute(classname))\" name=\"\(title)\" time=\"\(seconds)\""
        text += "\(source(of: entry))>\n"
        text += outcome(entry)
        return text + "      <system-out>\(XMLText.content(output(entry)))</system-out>\n    </testcase>\n"
    }

    /// For GitHub, the attributes with the line to mark: that of the failure, or else of the declaration.
    private func source(of entry: RunRecord.Entry) -> String {
        guard flavor == .github else { return "" }
        var (file, line) = ("\(entry.info.file).swift", entry.info.line)
        if let location = entry.result?.judgement.headlines.first?.location, let root,
            location.path.hasPrefix(root + "/")
        {
            (file, line) = (String(location.path.dropFirst(root.count + 1)), location.line)
        }
        let number = line.map { " line=\"\($0)\"" } ?? ""
        return " file=\"\(XMLText.attribute(file))\"\(number)"
    }

    private func outcome(_ entry: RunRecord.Entry) -> String {
        guard let result = entry.result else {
            return record.isOwed(entry) ? notRun(whyNotRun(entry), entry.info.replay) : skipped(whyNotRun(entry))
        }
        let judgement = result.judgement
        let attempts = (result.attempts ?? []).map(\.judgement)
        switch judgement.verdict {
        case .passed, .flaky:
            // An attempt that proves nothing does not make a pass flaky, and stands beside it as an error.
            let others = attempts.filter {
                $0.verdict != .passed && (judgement.verdict == .flaky || $0.unproven != nil)
            }
            return others.map {
                element($0.unproven == nil ? "flakyFailure" : "flakyError", $0, entry.info.replay)
            }.joined()
        case .failed, .error:
            // The decisive attempt is the outcome; the others are its reruns.
            let name = judgement.verdict == .failed ? "failure" : "error"
            var others = attempts
            let decisive = others.firstIndex {
                $0.verdict == judgement.verdict && ($0.unproven == nil) == (judgement.unproven == nil)
            }
            if let decisive { others.remove(at: decisive) }
            return element(name, judgement, entry.info.replay)
                + others.map {
                    element($0.unproven == nil ? "rerunFailure" : "rerunError", $0, entry.info.replay)
                }.joined()
        case .skipped, .quarantined:
            let causes = judgement.headlines.map { ": \($0.message)" }.joined()
            return skipped((judgement.remark ?? "") + causes)
        }
    }

    func skipped(_ why: String) -> String {
        "      <skipped message=\"\(XMLText.attribute(XMLText.cut(why, to: JUnit.messageLimit)))\"/>\n"
    }

    private func notRun(_ why: String, _ replay: String) -> String {
        "      <error type=\"NotRun\" message=\"\(XMLText.attribute(why))\">"
            + "\(XMLText.content("\(why)\nagain: \(replay)"))</error>\n"
    }

    private func element(_ name: String, _ judgement: Judgement, _ replay: String) -> String {
        let type = judgement.unproven != nil ? "Unproven" : judgement.cause?.kind == .rig ? "RigError" : "Failed"
        let headlines = judgement.headlines
        let room = JUnit.messageLimit / max(1, headlines.count) - 1
        let message = XMLText.cut(
            headlines.map { headlines.count > 1 ? XMLText.cut($0.message, to: room) : $0.message }
                .joined(separator: "\n"), to: JUnit.messageLimit)
        var body = message
        for failure in judgement.failures.prefix(100) {
            let place = failure.location.map { " \($0.text(below: root)): " } ?? " "
            let kind = failure.kind == .rig ? "rig" : "failure"
            body += "\n\(kind):\(place)\(XMLText.cut(failure.message, to: 4 * JUnit.messageLimit))"
        }
        if let remark = judgement.remark { body += "\n\(XMLText.cut(remark, to: JUnit.messageLimit))" }
        body += "\nagain: \(replay)"
        return "      <\(name) type=\"\(type)\" message=\"\(XMLText.attribute(message))\">"
            + "\(XMLText.content(body))</\(name)>\n"
    }

    private func whyNotRun(_ entry: RunRecord.Entry) -> String {
        if entry.isInterrupted { return "the run was interrupted during this scenario" }
        if record.end?.stoppedBy != nil { return "not run: the run ended at the first scenario that did not pass" }
        if record.isLeft(entry) { return "not run: the budget was used up before" }
        if record.end?.missedBudget != nil { return "not run: the run missed its budget" }
        if record.end?.signal != nil { return "not run: the run was interrupted" }
        return "not run yet; if the run is over, its process was killed before this scenario ended"
    }

    /// The rig's name, the warnings, the log, and last the attachments, one per line.
    private func output(_ entry: RunRecord.Entry) -> String {
        let limit = max(1000, min(32_768, JUnit.logBudget / max(1, record.entries.count)))
        let log = XMLText.cut(entry.log.joined(separator: "\n"), to: limit)
        let files = attachments(entry).filter { path in !path.contains { "|[]\n".contains($0) } }
        let links = files.map { "[[ATTACHMENT|\($0)]]" }
        let warnings = (entry.result?.warnings ?? []).prefix(20).map {
            "warning \(XMLText.cut($0.line, to: JUnit.messageLimit))"
        }
        let place = entry.result?.whereItRan.map { ["ran \(XMLText.cut($0, to: JUnit.messageLimit))"] } ?? []
        return (auditLines(entry) + place + warnings + [log].filter { !$0.isEmpty } + links).joined(separator: "\n")
    }
}
