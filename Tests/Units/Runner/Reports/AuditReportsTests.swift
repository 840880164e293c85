import Foundation
import HILRecord
import TestSupport
import Testing

@testable import HILReports

@Suite("An audit in the reports")
struct AuditReportsTests {
    private func junit(_ record: RunRecord) -> String { JUnit(record, root: "/work") { _ in [] }.document }

    @Test("JUnit has a case for each control that was asked for: breached fails, accepted passes and says so")
    func cases() throws {
        let rules = JUnitRules(junit(SampleAudit.record()))
        #expect(rules.violations == [])
        let cases = Dictionary(
            rules.cases.map { ($0.attributes["name"]?.prefix { $0 != ":" } ?? "", $0) }
        ) { first, _ in first }
        #expect(cases.count == 8 && rules.root?.attributes["tests"] == "8")
        func one(_ control: String) throws -> JUnitRules.Element {
            try #require(cases["“\(control)” is as it must be"])
        }
        let breach = try #require(one("access.matrix")["failure"].first)
        #expect(breach.attributes["message"] == "breached: a stranger can write FF01")
        let accepted = try one("pairing.guesses")
        #expect(accepted.children.map(\.name) == ["system-out"])
        let output = try #require(accepted["system-out"].first?.text)
        #expect(output.contains("audit of pairing.guesses: accepted: it can be guessed; accepted, because each number"))
        #expect(output.contains("clauses: EN 18031 AUM-6"))
        #expect(try one("access.hidden")["skipped"].count == 1)
        let reach = try #require(one("air.signal")["skipped"].first?.attributes["message"])
        #expect(reach == "out of reach: the air has no power; instead: measure it")
        #expect(try one("air.signal").attributes["classname"] == "Scenarios.Lamps.LampIsSetUp")
        #expect(try one("life.reset")["skipped"].first?.attributes["message"] == "not checked: not yet")
        #expect(rules.root?["testsuite"].first?.attributes["skipped"] == "3")
    }

    @Test("The summary begins with what an audit shows, and names what was breached, accepted and left out")
    func summary() throws {
        let text = Markdown(SampleAudit.record("|write| <b>"), root: "/work").document()
        let scope = try #require(text.range(of: "never a certificate")).lowerBound
        let row = try #require(text.range(of: "| breached | access\\.matrix")).lowerBound
        #expect(scope < row)
        #expect(
            text.contains("a stranger can \\|write\\| &lt;b&gt; | EN 18031 ACM\\-2 |")
                || text.contains("a stranger can \\|write\\| &lt;b&gt; | EN 18031 ACM-2 |"))
        #expect(text.contains("| accepted | pairing\\.guesses"))
        #expect(
            text.contains("- out of reach: the air has no power; instead\\: measure it (<code>air\\.signal</code>)"))
        #expect(text.contains("- does not apply: it has no attributes (<code>access\\.hidden</code>)"))
        #expect(!text.contains("### Skipped"), "what does not apply is told once")
        #expect(!Markdown(SamplePage.record(["good"]), root: "/work").document().contains("Audit"))
    }

    /// What a reader of `audit.json` needs.
    private struct Document: Decodable {
        struct Note: Decodable {
            let at: Double
            let text: String
            let frames: [Int]
            let frameCount: Int
        }
        struct Check: Decodable {
            let control, family, verdict: String
            let clauses: [String]
            let reason, instead, scenario, evidence, replay: String?
            let seed: UInt64?
            let story: [Note]
            let matrix: AuditMatrix?
        }
        struct Target: Decodable {
            let scenario: String
            let digests: [String: String]
            let counts: [String: Int]
            let checks: [Check]
        }
        struct Catalogue: Decodable {
            struct Clause: Decodable {
                let number: String
                let controls: [String]
            }
            let name, source: String
            let clauses: [Clause]
        }
        let format: Int
        let scope, hil, run, machine, rig, began: String
        let isComplete: Bool
        let targets: [Target]
        let catalogues: [Catalogue]
    }

    private func document(_ record: RunRecord) throws -> Document {
        let document = try #require(AuditJSON(record)?.document)
        return try JSONDecoder().decode(Document.self, from: Data(document))
    }

    @Test("audit.json has each check with verdict, reason, story, frames, clauses, seed and replay")
    func json() throws {
        let document = try document(SampleAudit.record())
        #expect(document.format == 1 && document.scope == AuditReport.scope && document.isComplete)
        #expect(document.began == "2026-01-14T09:30:15Z" && document.run == "20260114-093015-k3v9")
        let target = try #require(document.targets.first)
        #expect(target.scenario == SampleAudit.target && target.digests == ["program": "ab12"])
        #expect(target.counts["breached"] == 1 && target.counts["holds"] == 2 && target.checks.count == 9)
        let matrix = try #require(target.checks.first { $0.control == "access.matrix" })
        #expect(matrix.verdict == "breached" && matrix.reason == "a stranger can write FF01")
        #expect(matrix.clauses == ["EN 18031 ACM-2"] && matrix.matrix == SampleAudit.matrix)
        #expect(matrix.scenario == "lampIsSetUp~access.matrix[build=weak]")
        #expect(matrix.evidence == "lampIsSetUp-access.matrix")
        #expect(matrix.replay == "hil audit 'lampIsSetUp[build=weak]' --only access.matrix")
        #expect(matrix.story.map(\.text) == ["it was tried: write FF01", "it came"])
        #expect(matrix.story[0].frames == [7, 9] && matrix.story[0].at == 1 && matrix.story[1].frameCount == 50)
        #expect(target.checks.first { $0.control == "pairing.guesses" }?.seed == .max)
        let signal = try #require(target.checks.first { $0.control == "air.signal" })
        #expect(signal.verdict == "outOfReach" && signal.instead == "measure it" && signal.scenario == nil)
        let clauses = try #require(document.catalogues.first).clauses
        #expect(clauses.first { $0.number == "CRY-1" }?.controls == ["pairing.legacy", "pairing.keySize"])
        #expect(clauses.first { $0.number == "GEC-9" }?.controls == [])
        #expect(AuditJSON(SamplePage.record(["good"])) == nil)
    }

    @Test("A run that was cut off says that its audit is not complete")
    func incomplete() throws {
        var record = RunRecord()
        let info = try #require(SampleAudit.record().info)
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        let document = try document(record)
        #expect(!document.isComplete && document.targets[0].counts["notChecked"] == 8)
    }

    @Test("A check that was left when the budget was used up is named in every report, and passed in none")
    func left() throws {
        let lines = SampleAudit.lines().filter { line in
            if case .runEnded? = line.runner { return false }
            return line.scenario?.contains("~access.matrix") != true
        }
        let end = RunLine(time: 1, runner: .runEnded(RunEnd(usedBudget: 30, seconds: 31)))
        let record = (lines + [end]).reduce(into: RunRecord()) { $0.take($1) }
        let words = "1 check was left when the budget of 30 s was used up: lampIsSetUp~access.matrix[build=weak]"
        #expect(ConsoleText(hasColours: false, root: "/work").text(for: end, record).contains(words))
        #expect(Markdown(record, root: "/work").document().contains("1 check was left when the budget of 30 s"))
        #expect(junit(record).contains("<skipped message=\"not run: the budget was used up before\"/>"))
        #expect(PageRun(Page.Source(record), .all).left == words)
        let document = try document(record)
        let check = try #require(document.targets[0].checks.first { $0.control == "access.matrix" })
        #expect(check.verdict == "notChecked" && check.reason == "it was left when the budget was used up")
        #expect(!document.isComplete)
        #expect(record.exitCode == 2, "another check met an error of the rig")
    }

    @Test("The console ends with a line for each accessory")
    func console() {
        let record = SampleAudit.record()
        let text = ConsoleText(hasColours: false, root: "/work").text(
            for: RunLine(time: 1, runner: .runEnded(RunEnd(seconds: 9))), record)
        #expect(text.contains("audit of lampIsSetUp[build=weak]: 1 breached, 1 undecided, 1 accepted, 2 hold"))
    }

    @Test("The page's data have the checks, the matrix as it looks, and each clause with its controls")
    func page() throws {
        let record = SampleAudit.record(SamplePage.hostile)
        let report = try #require(AuditReport(record))
        let audit = PageAudit(report, textLimit: 60)
        let target = audit.targets[0]
        #expect(target.checks.allSatisfy { $0.reason?.contains("${fail()}") != true }, "long texts are cut")
        #expect(target.checks.first { $0.control == "pairing.guesses" }?.seed == "18446744073709551615")
        #expect(
            target.matrix?.rows.first?.cells == [
                ["allowed", "open", "notOffered"], ["notTried", "notTried", "notTried"],
                ["closed", "refused", "notOffered"], ["notTried", "notTried", "notTried"],
            ])
        #expect(target.matrix?.levels.map(\.notTried) == [nil, nil, nil, "it pairs with one phone"])
        #expect(target.matrix?.levels.map(\.isTried) == [true, false, true, false])
        #expect(
            audit.catalogues[0].clauses.first { $0.number == "ACM-2" }?.controls == ["access.matrix", "access.hidden"])
        let bytes = Page([Page.Source(record)]).data(in: try PageDocuments.get())
        #expect(!bytes.contains(UInt8(ascii: "<")))
    }
}
