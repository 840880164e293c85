import HIL
import HILExecution
import HILRecord
import RigModel
import Testing

@testable import HILReports

struct JUnitTests {
    private func document(_ record: RunRecord, flavor: JUnit.Flavor = .plain) -> String {
        JUnit(record, root: "/work", flavor: flavor) { entry in
            (entry.result?.evidence ?? []).map { file in
                "results/run/attachments/\(entry.info.folder).\(file.replacing("/", with: "."))"
            }
        }.document
    }

    @Test("The document follows all rules, for any message")
    func rules() {
        #expect(JUnitRules(document(SampleRun.record())).violations == [])
        #expect(JUnitRules(document(RunRecord())).violations == [])
    }

    @Test("Failures and errors of the rig are different elements, with the source line where readers expect it")
    func outcomes() throws {
        let cases = JUnitRules(document(SampleRun.record())).cases
        #expect(cases.map { $0.attributes["classname"] } == SampleRun.names.map { "Scenarios.Family.\($0)" })
        #expect(cases[0].children.map(\.name) == ["system-out"])
        let failure = try #require(cases[1]["failure"].first)
        #expect(failure.text.contains(" Scenarios/Family/fails.swift:42: "))
        #expect(failure.attributes["message"]?.hasPrefix("got “red” & <b> ]]> #x0 #x1B #xFFFE\n") == true)
        #expect(failure.attributes["message"]?.unicodeScalars.count == 500)
        #expect(cases[2]["error"].first?.attributes["type"] == "RigError")
        // Failures of the product come first.
        let message = try #require(cases[2]["error"].first?.attributes["message"])
        #expect(message.hasPrefix("got “red”") && message.hasSuffix("…\nthe air is lost"))
        #expect(message.unicodeScalars.count <= 500)
    }

    @Test(
        "For GitHub each case has file and line: of its failure, or else of its declaration; other readers get neither")
    func github() {
        let rules = JUnitRules(document(SampleRun.record(), flavor: .github), flavor: .github)
        #expect(rules.violations == [])
        #expect(
            rules.cases.map { $0.attributes["file"] }
                == SampleRun.names.map { name in
                    name == "errs" ? "Scenarios/Family/fails.swift" : "Scenarios/Family/\(name).swift"
                })
        #expect(rules.cases[1].attributes["line"] == "42" && rules.cases[2].attributes["line"] == "42")
        #expect(rules.cases[0].attributes["line"].flatMap(Int.init) ?? 0 > 0)
        // The rules of the other dialect notice it.
        let plain = JUnitRules(document(SampleRun.record(), flavor: .github))
        #expect(plain.violations.contains("<testcase> must not have file"))
    }

    @Test("The firmware's label is a property of the suite, and of the summary")
    func firmware() {
        var lines = SampleRun.lines()
        if case .runBegan(var info)? = lines[0].runner {
            info.options.firmware = "1.4.2 <main>"
            lines[0] = RunLine(time: lines[0].time, runner: .runBegan(info))
        }
        var record = RunRecord()
        for line in lines { record.take(line) }
        let xml = document(record)
        #expect(xml.contains(#"<property name="hil.firmware" value="1.4.2 &lt;main&gt;"/>"#))
        #expect(JUnitRules(xml).violations == [])
        #expect(!document(SampleRun.record()).contains("hil.firmware"))
        let markdown = Markdown(record, root: "/work").document()
        #expect(markdown.contains("; firmware 1\\.4\\.2 &lt;main&gt;; hil 1;"), "\(markdown.prefix(400))")
        #expect(markdown.contains("host board\\: bluez 5\\.82"))
    }

    @Test("Which phones a run had is a property of the suite: those that scenarios chose, and that of the others")
    func phones() {
        func phone(of name: String, _ text: String) -> RunLine {
            SampleRun.told(name, .phone(.note("personality", text)))
        }
        func property(_ record: RunRecord) -> String? {
            let xml = document(record)
            #expect(JUnitRules(xml).violations == [])
            return xml.split(separator: "\n").first { $0.contains("hil.phone") }.map { $0.drop { $0 == " " } }
                .map(String.init)
        }
        let others = "an iPhone of today"
        #expect(property(SampleRun.record()) == #"<property name="hil.phone" value="\#(others)"/>"#)
        let one = SampleRun.record(
            phone(of: "fails", "iPhone18,3 named iPhone"),
            phone(of: "fails", "iPhone9,1 named <b>; other than an iPhone's of today: mtu"))
        #expect(
            property(one)
                == #"<property name="hil.phone" value="\#(others), 2 of 3; iPhone9,1 named &lt;b&gt;, 1 of 3"/>"#)
        let all = SampleRun.record(
            phone(of: "passes", "iPhone9,1 named iPhone"), phone(of: "fails", "iPhone9,1 named iPhone"),
            phone(of: "errs", "iPhone9,1 named iPhone"))
        #expect(property(all) == #"<property name="hil.phone" value="iPhone9,1 named iPhone"/>"#)
        #expect(property(RunRecord()) == nil)
    }

    @Test("Warnings come first in the output of a case, and change nothing else")
    func warnings() {
        let result = ScenarioResult(attempts: [
            AttemptResult(Judgement([]), seconds: 1, warnings: [Warning(rule: "P5", "d1ce <\u{1B}>: write it so")])
        ])
        let line = RunLine(time: 7, scenario: "waits", runner: .scenarioEnded(result))
        let rules = JUnitRules(document(SampleRun.record(line)))
        #expect(rules.violations == [])
        #expect(rules.cases[3].children.map(\.name) == ["system-out"])
        #expect(rules.cases[3]["system-out"].first?.text.hasPrefix("warning P5: d1ce <#x1B>: write it so") == true)
    }

    @Test("The output of a case begins with the bench that it ran on, and the one from which it was moved")
    func benches() {
        let attempts = ["bench-1", "bench-2"].map { rig in
            var attempt = AttemptResult(
                Judgement(rig == "bench-1" ? [Failure(.rig, "a board was lost")] : []), seconds: 1)
            attempt.rig = rig
            return attempt
        }
        let moved = ScenarioResult(attempts: attempts, movedFrom: "bench-1")
        let rules = JUnitRules(
            document(SampleRun.record(RunLine(time: 7, scenario: "waits", runner: .scenarioEnded(moved)))))
        #expect(rules.violations == [])
        // The other bench decides: it has passed, and is not flaky.
        #expect(rules.cases[3].children.map(\.name) == ["system-out"])
        let text = rules.cases[3]["system-out"].first?.text ?? ""
        #expect(text.hasPrefix("ran on bench-2, moved from bench-1 after an error there"), "\(text)")
    }

    @Test("A scenario that was to run and has not is an error, with the reason")
    func notRun() {
        let reason = { (record: RunRecord) in
            let rules = JUnitRules(document(record))
            #expect(rules.violations == [])
            return rules.cases[3]["error"].first?.attributes["message"]
        }
        #expect(
            reason(SampleRun.record())?.hasPrefix("not run yet; if the run is over, its process was killed") == true)
        #expect(document(SampleRun.record()).contains(#"errors="2""#), "\(document(SampleRun.record()).prefix(400))")
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(signal: 2, seconds: 3)))
        #expect(reason(SampleRun.record(end)) == "not run: the run was interrupted")
        let interrupted = RunLine(time: 8, scenario: "waits", runner: .scenarioInterrupted)
        #expect(reason(SampleRun.record(interrupted, end)) == "the run was interrupted during this scenario")
        #expect(document(SampleRun.record(end)).contains("name=\"hil.interrupted\" value=\"signal 2\""))
        #expect(SampleRun.record().exitCode != 0)
        let stopped = SampleRun.record(RunLine(time: 9, runner: .runEnded(RunEnd(stoppedBy: "fails", seconds: 3))))
        #expect(JUnitRules(document(stopped)).cases[3]["skipped"].first != nil, "nobody wanted the rest to run")
    }

    @Test("All attempts are one case: a flaky pass with its failures, or a failure with its reruns")
    func reruns() throws {
        let product = Judgement([Failure(.product, "no roll arrives")])
        let rig = Judgement([Failure(.rig, "the air is lost")])
        let flaky = RunLine(
            time: 7, scenario: "waits",
            runner: .scenarioEnded(
                ScenarioResult(attempts: [product, Judgement([])].map { AttemptResult($0, seconds: 1) })))
        let once = JUnitRules(document(SampleRun.record(flaky)))
        #expect(once.violations == [])
        #expect(once.cases[3].children.map(\.name) == ["flakyFailure", "system-out"])
        #expect(once.cases[3]["flakyFailure"].first?.attributes["type"] == "Failed")
        let bad = RunLine(
            time: 7, scenario: "waits",
            runner: .scenarioEnded(ScenarioResult(attempts: [rig, product].map { AttemptResult($0, seconds: 1) })))
        let rules = JUnitRules(document(SampleRun.record(bad)))
        #expect(rules.violations == [])
        #expect(rules.cases[3].children.map(\.name) == ["failure", "rerunFailure", "system-out"])
        #expect(rules.cases[3]["failure"].first?.attributes["message"] == "no roll arrives")
        #expect(rules.cases[3]["failure"].first?.text.contains("again: hil run waits") == true)
        #expect(rules.cases[3]["rerunFailure"].first?.attributes["type"] == "RigError")
    }

    @Test("An attempt that proves nothing stands beside what the scenario came to, as an error of its own kind")
    func unproven() {
        var failure = Failure(.product, "no roll arrives")
        failure.lateness = Lateness(seconds: 14, [.init(.stood, "the air", seconds: 12, of: 14)])
        let late = Judgement([failure])
        func children(_ attempts: [Judgement]) -> ([String], String?) {
            let result = ScenarioResult(attempts: attempts.map { AttemptResult($0, seconds: 1) })
            let rules = JUnitRules(
                document(SampleRun.record(RunLine(time: 7, scenario: "waits", runner: .scenarioEnded(result)))))
            #expect(rules.violations == [])
            return (rules.cases[3].children.map(\.name), rules.cases[3].children.first?.attributes["type"])
        }
        #expect(children([late, Judgement([])]) == (["flakyError", "system-out"], "Unproven"))
        #expect(children([late, late]) == (["error", "rerunError", "system-out"], "Unproven"))
        let proven = Judgement([Failure(.product, "no roll arrives")])
        #expect(children([late, proven]) == (["failure", "rerunError", "system-out"], "Failed"))
    }

    @Test("Skipped and quarantined scenarios are skipped cases, with the reason and the actual result")
    func noVerdict() {
        let quarantine = Quarantine(owner: "Kim", ticket: "HIL-7", until: "2026-12-31")
        let bad = Judgement([Failure(.product, "no roll arrives")]).quarantined(quarantine, today: "2026-12-31")
        for (judgement, message) in [
            (
                Judgement(skipped: Lack("the virtual rig lacks real air between antennas", capabilities: ["realAir"])),
                "the virtual rig lacks real air between antennas"
            ),
            (bad, "in quarantine until 2026-12-31 (Kim, HIL-7); this time: failed: no roll arrives"),
        ] {
            let line = RunLine(
                time: 7, scenario: "waits", runner: .scenarioEnded(ScenarioResult(judgement, seconds: 0)))
            let rules = JUnitRules(document(SampleRun.record(line)))
            #expect(rules.violations == [])
            #expect(rules.cases[3]["skipped"].first?.attributes["message"] == message)
        }
    }

    @Test("A report of thousands of scenarios with very long logs stays below 30 MB")
    func size() {
        var record = RunRecord()
        let lines = SampleRun.lines()
        guard case .runBegan(var info)? = lines[0].runner else { return }
        let entry = info.scenarios[1]
        info.scenarios = (0..<2000).map { number in
            var copy = entry
            copy.identifier = "s\(number)"
            copy.title = "s\(number)"
            return copy
        }
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        let text = String(repeating: "\u{1}", count: 4000)
        for entry in info.scenarios.prefix(300) {
            record.take(RunLine(scenario: entry.identifier, worker: .init(time: 2, event: .note(text: text))))
        }
        let rules = JUnitRules(document(record))
        #expect(rules.violations == [])
        #expect(rules.cases.count == 2000)
    }
}
