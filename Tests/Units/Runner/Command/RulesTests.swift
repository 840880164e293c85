import Foundation
import HIL
import HILExecution
import HILRules
import Testing

@testable import HILCommand

struct RulesTests {
    private static let timeout = "PhoneTests.PickerMachineTests/timeout()"
    private static let cancel = "PhoneTests.PickerMachineTests/cancel()"
    private static let covers = """
        {"id":"\(timeout)/PickerMachineTests.swift:38:6","name":"timeout()","rules":["K2"]}
        {"id":"\(timeout)/PickerMachineTests.swift:38:6","name":"timeout()","rules":["K1","K2"]}
        {"id":"\(cancel)/PickerMachineTests.swift:58:6","name":"cancel()","rules":["K5"]}
        no JSON
        """

    /// A line of Swift Testing's event stream, version 0, as Swift 6.3 writes it.
    private static func event(_ kind: String, _ test: String, _ more: String = "") -> String {
        #"{"kind":"event","payload":{"instant":{"absolute":3.5},"kind":"\#(kind)"\#(more),"messages":[],"testID":"\#(test)"},"#
            + #""version":0}"#
    }

    private static func record(_ events: [String]) -> UnitTestRecord {
        let title =
            #"{"kind":"test","payload":{"displayName":"Nothing found","id":"\#(timeout)/PickerMachineTests.swift:38:6","#
            + #""kind":"function","name":"timeout()"},"version":0}"#
        let text = ([title, "{}"] + events).joined(separator: "\n")
        return UnitTestRecord(covers: Data(covers.utf8), events: Data(text.utf8))
    }

    @Test("A test covers its traits' rules, with its result from the event stream; without a result it is unfinished")
    func unitTests() {
        let place = "/PickerMachineTests.swift:38:6"
        let record = Self.record([
            Self.event("testStarted", Self.timeout + place), Self.event("testEnded", Self.timeout + place),
        ])
        #expect(record.tests.map(\.name) == [Self.timeout, Self.cancel])
        #expect(record.tests.map(\.rules) == [["K2", "K1"], ["K5"]])
        #expect(record.tests.map(\.title) == ["Nothing found", "cancel()"])
        #expect(record.tests.map(\.outcome) == [.passed, .unfinished])
    }

    @Test("An issue fails its test unless it is known or only a warning; a test may be skipped")
    func outcomes() {
        func outcome(_ events: [(String, String)]) -> UnitTestRecord.Outcome? {
            Self.record(events.map { Self.event($0.0, Self.timeout + "/PickerMachineTests.swift:38:6", $0.1) })
                .tests.first?.outcome
        }
        let ended = ("testEnded", "")
        #expect(outcome([("issueRecorded", #","issue":{"isKnown":false}"#), ended]) == .failed)
        #expect(outcome([("issueRecorded", #","issue":{"isKnown":true}"#), ended]) == .passed)
        #expect(outcome([("issueRecorded", #","issue":{"isKnown":false,"isFailure":false}"#), ended]) == .passed)
        #expect(outcome([("testSkipped", "")]) == .skipped)
    }

    private func report(
        _ events: [String] = [], _ past: [String: [PastRuns.Outcome]] = [:], _ rules: String...
    ) throws -> RuleReport {
        let joins = Scenario(
            "A network is joined", .covers("W4", "K2"), over: Axis("security", ["wpa2", "wpa3"])
        ) { _, _ in }
        let plan = try Plan([NamedScenario("networkIsJoined", file: "NetworkIsJoined.swift", joins)])
        var report = RuleReport(tests: Self.record(events), scenarios: plan.all, past: PastRuns(past))
        try report.select(rules)
        return report
    }

    @Test("A rule failed if a test or scenario that covers it failed last, and passed if one passed")
    func states() throws {
        let ended = Self.event("testEnded", Self.timeout + "/PickerMachineTests.swift:38:6")
        let good = ["networkIsJoined[security=wpa2]": [PastRuns.Outcome(.passed, seconds: 1)]]
        let states = try report([ended], good, "K2", "W4", "K1", "K3").entries.map(\.state)
        #expect(states == [.passed, .passed, .uncovered, .passed])
        #expect(try report([], [:], "W4", "K5").entries.map(\.state) == [.failed, .notRun])
        let bad = good.merging(["networkIsJoined[security=wpa3]": [PastRuns.Outcome(.failed, seconds: 1)]]) { $1 }
        let entries = try report([ended], bad, "w").entries
        #expect(entries.map(\.rule) == Rule.phone.map(\.id).filter { $0.hasPrefix("W") })
        let joined = try #require(entries.first { $0.rule == "W4" })
        #expect(joined.state == .failed)
        #expect(
            joined.scenarios == [
                RuleReport.Cover(name: "networkIsJoined", title: "A network is joined", verdict: "failed")
            ])
        #expect(throws: UsageError.self) { try report([], [:], "K99") }
    }

    @Test("Rules of notifications need not be covered; all others must be, and each that is not has a line")
    func check() throws {
        #expect(try report([], [:], "N", "S", "T").findings.isEmpty)
        let report = try report([], [:], "K3", "K5")
        #expect(report.findings.map(\.rule) == ["K3", "K5"])
        #expect(
            RuleText().findings(report) == [
                "K3   no test and no scenario covers it", "K5   \(Self.cancel) (unfinished)",
            ])
    }

    @Test("A team's own rules are listed with the phone's, must be covered, and can be selected by name or family")
    func own() throws {
        let own = [
            Rule("LAMP1", [Rule.Source("our specification, 4.2")], "It shines once it is paired."),
            Rule("LAMP2", [Rule.Source("field", meaning: "a customer told us")], "It is dark without power."),
        ]
        let shines = Scenario("A lamp shines", .covers("LAMP1", "K2")) { _ in }
        let named = [NamedScenario("lampShines", file: "LampShines.swift", shines)]
        #expect(throws: PlanError.unknownRule("LAMP1", file: "LampShines.swift")) { try Plan(named) }
        #expect(throws: PlanError.duplicateRule("K2")) { try Plan([], rules: RuleBook(adding: [Rule("K2", [], "")])) }
        let book = RuleBook(adding: own)
        let plan = try Plan(named, rules: book)
        let past = PastRuns(["lampShines": [PastRuns.Outcome(.passed, seconds: 1)]])
        var report = RuleReport(book, tests: Self.record([]), scenarios: plan.all, past: past)
        #expect(report.entries.count == Rule.phone.count + 2)
        try report.select(["lamp"])
        #expect(report.entries.map(\.state) == [.passed, .uncovered])
        #expect(report.findings.map(\.rule) == ["LAMP2"])
        let lines = RuleText().lines(report)
        #expect(lines.contains { $0.hasSuffix("our specification, 4.2; lampShines") })
        #expect(lines.contains("field           a customer told us"))
    }

    @Test("If the unit tests have not run, a rule without a scenario is unknown, not uncovered")
    func unknown() throws {
        var report = RuleReport(tests: nil, scenarios: [], past: PastRuns())
        try report.select(["K3"])
        #expect(report.entries.map(\.state) == [.unknown])
        #expect(RuleText().lines(report).contains { $0.contains("the unit tests were not run") })
        #expect(RuleText().findings(report) == ["K3   no scenario covers it, and the unit tests have not run here"])
    }

    @Test("A rule has its text and its tests and scenarios below; no line is wider than the terminal")
    func text() throws {
        let ended = Self.event("testEnded", Self.timeout + "/PickerMachineTests.swift:38:6")
        let lines = RuleText(width: 70).lines(try report([ended], [:], "K2"))
        #expect(lines.first?.hasPrefix("K2   passed     Nothing found in the timeout") == true)
        #expect(lines.contains { $0.hasSuffix("seed; 1 test; networkIsJoined (not run)") })
        #expect(lines.last == "1 rule: 1 passed")
        #expect(
            lines.contains("passed          its tests and scenarios passed in their last run"), "marks are explained")
        #expect(lines.contains("seed            Apple's documentation says so"))
        #expect(!lines.contains { $0.hasPrefix("open") || $0.hasPrefix("uncovered") }, "those that stand there")
        #expect(lines.allSatisfy { $0.count <= 70 })
        let long = RuleText(isLong: true).lines(try report([ended], [:], "K2"))
        #expect(long.contains { $0.contains("passed      \(Self.timeout)  Nothing found") })
    }
}
