import HILRecord

// The section of an audit: what can be done to the accessory first, then what is accepted, and what nobody tried.
extension Markdown {
    /// What the table has a line for.
    private static let shown: [AuditOutcome] = [.breached, .undecided, .accepted]

    func addAudit(_ report: AuditReport, to page: inout MarkdownPage) {
        page.add("\n### Audit\n\n\(MarkdownText.line(AuditReport.scope, to: 1000))\n")
        for target in report.targets {
            page.add("\n**\(MarkdownText.line(target.info.title))**: \(MarkdownText.line(target.summary))\n")
            addTable(target, to: &page)
            addOthers(target, to: &page)
        }
    }

    private func addTable(_ target: AuditReport.Target, to page: inout MarkdownPage) {
        let checks = Markdown.shown.flatMap { outcome in target.checks.filter { $0.outcome == outcome } }
        guard !checks.isEmpty else { return }
        page.add("\n| verdict | control | what came | clauses |\n|---|---|---|---|\n")
        for check in checks {
            let cells = [
                check.outcome.words, "\(check.control.name): \(check.control.sentence)", check.reason ?? "",
                check.control.clauses.map(\.text).joined(separator: ", "),
            ]
            page.add("| \(cells.map { MarkdownText.line($0) }.joined(separator: " | ")) |\n", isScenario: true)
        }
    }

    /// The checks of each other outcome, those of one reason together.
    private func addOthers(_ target: AuditReport.Target, to page: inout MarkdownPage) {
        let others = target.checks.filter { !Markdown.shown.contains($0.outcome) && $0.control.isChosen }
        guard !others.isEmpty else { return }
        page.add(
            "\n<details><summary>\(others.count) others</summary>\n\n", closing: "\n</details>\n"
        ) { page in
            for outcome in AuditOutcome.allCases {
                for group in Markdown.groups(others.filter { $0.outcome == outcome }) {
                    let why = group.why.isEmpty ? "" : ": \(MarkdownText.line(group.why, to: 600))"
                    page.add(
                        "- \(outcome.words)\(why) (\(group.names.map(MarkdownText.code).joined(separator: ", ")))\n")
                }
            }
        }
    }

    private static func groups(_ checks: [AuditReport.Check]) -> [(why: String, names: [String])] {
        var groups: [(why: String, names: [String])] = []
        for check in checks {
            let why = [check.reason, check.instead.map { "instead: \($0)" }].compactMap(\.self).joined(separator: "; ")
            if let place = groups.firstIndex(where: { $0.why == why }) {
                groups[place].names.append(check.control.name)
            } else {
                groups.append((why, [check.control.name]))
            }
        }
        return groups
    }
}
