import HILRecord

// The checks of an audit in JUnit: what is out of reach or not checked is a case that is skipped.
extension JUnit {
    /// The controls that the command line asks for, and that no case checks, with their accessories.
    var unchecked: [(check: AuditReport.Check, target: AuditInfo.Target)] {
        (AuditReport(record)?.targets ?? []).flatMap { target in
            target.checks.filter { $0.identifier == nil && $0.control.isChosen }.map { ($0, target.info) }
        }
    }

    /// The elements of those controls.
    var uncheckedCases: String { unchecked.map { element(of: $0.check, on: $0.target) }.joined() }

    private func element(of check: AuditReport.Check, on target: AuditInfo.Target) -> String {
        let name = XMLText.attribute("\(check.control.sentence): \(target.title)")
        let file = record.entries.first { $0.info.check?.target == target.scenario }?.info.file
        let classname = prefix + (file ?? "audit").replacing("/", with: ".")
        let why = [check.outcome.words, check.reason].compactMap(\.self).joined(separator: ": ")
        let message = [why, check.instead.map { "instead: \($0)" }].compactMap(\.self).joined(separator: "; ")
        return "    <testcase classname=\"\(XMLText.attribute(classname))\" name=\"\(name)\" time=\"0.000\">\n"
            + skipped(message)
            + "      <system-out>\(XMLText.content(JUnit.lines(of: check).joined(separator: "\n")))</system-out>\n"
            + "    </testcase>\n"
    }

    /// What a check has shown, and the clauses that ask for it, a line each; none for a scenario that is no check.
    func auditLines(_ entry: RunRecord.Entry) -> [String] {
        AuditReport.Check(entry, of: record).map(JUnit.lines) ?? []
    }

    private static func lines(of check: AuditReport.Check) -> [String] {
        let verdict = [check.outcome.words, check.reason].compactMap(\.self).joined(separator: ": ")
        return [
            "audit of \(check.control.name): \(XMLText.cut(verdict, to: messageLimit))",
            "clauses: \(check.control.clauses.map(\.text).joined(separator: ", "))",
        ]
    }
}
