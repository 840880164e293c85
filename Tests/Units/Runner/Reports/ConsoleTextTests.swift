import HIL
import HILExecution
import HILRecord
import Testing

@testable import HILReports

struct ConsoleTextTests {
    private func output(_ lines: [RunLine]) -> String {
        var record = RunRecord()
        let console = ConsoleText(hasColours: false, root: "/work")
        return lines.map { line in
            record.take(line)
            return console.text(for: line, record)
        }.joined()
    }

    @Test("Without a terminal: a line for each scenario, then each failure with its cause and its evidence")
    func plain() {
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(seconds: 83)))
        let text = output(SampleRun.lines(message: "expected that the die shows it\nmore") + [end])
        #expect(
            text == """
                4 scenarios on the virtual rig; results in results/run
                passed  It passes "well"  500 ms
                FAILED  It fails "well"  500 ms
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                ERROR   It errs "well"  500 ms
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                        the air is lost

                FAILED  fails
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                        more
                           0.000 step “roll”
                        evidence: results/run/fails/story.txt, and the files beside it
                        again: hil run fails

                ERROR   errs
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                        the air is lost
                        more
                        evidence: results/run/errs
                        again: hil run errs
                        open: hil open results/run/errs/attempt-2

                1 passed, 1 failed, 1 error, 1 not run in 83 s

                """)
    }

    @Test("A warning is shown once, with its first scenario, and counted at the end; it does not change the verdict")
    func warnings() {
        func ended(_ name: String) -> RunLine {
            let result = ScenarioResult(attempts: [
                AttemptResult(
                    Judgement([]), seconds: 1, warnings: [Warning(rule: "K17", "opaque: make it transparent")])
            ])
            return RunLine(time: 3, scenario: name, runner: .scenarioEnded(result))
        }
        let text = output([
            SampleRun.lines()[0], ended("passes"), ended("fails"),
            RunLine(time: 9, runner: .runEnded(RunEnd(seconds: 2))),
        ])
        #expect(
            text.hasSuffix(
                """
                passed  It passes "well"  1 s
                        warning K17: opaque: make it transparent
                passed  It fails "well"  1 s
                2 passed, 2 not run in 2 s; 1 warning

                """), "\(text)")
    }

    @Test("Of a scenario that ran on a bench, the bench is named, and the one from which it was moved")
    func benches() {
        func ended(_ name: String, on rigs: [String], movedFrom: String?) -> RunLine {
            let attempts = rigs.map { rig in
                var attempt = AttemptResult(Judgement([]), seconds: 1)
                attempt.rig = rig
                return attempt
            }
            let result = ScenarioResult(attempts: attempts, movedFrom: movedFrom)
            return RunLine(time: 3, scenario: name, runner: .scenarioEnded(result))
        }
        let text = output([
            SampleRun.lines()[0], ended("passes", on: ["bench-1"], movedFrom: nil),
            ended("fails", on: ["bench-1", "bench-2"], movedFrom: "bench-1"),
            ended("errs", on: ["bench-1", "bench-1"], movedFrom: "bench-1"),
            ended("waits", on: ["bench-1"], movedFrom: "bench-1"),
        ])
        #expect(
            text.hasSuffix(
                """
                passed  It passes "well"  1 s  on bench-1
                passed  It fails "well"  2 s  on bench-2, moved from bench-1 after an error there
                passed  It errs "well"  2 s  on bench-1, twice after an error there
                passed  It waits "well"  1 s  on bench-1

                """), "\(text)")
    }

    @Test("Control characters in any text of a result do not reach the terminal")
    func strangeTexts() {
        let nasty = "\u{1B}[2J\n\u{9B}2J\u{202E}"
        var result = ScenarioResult(
            Judgement([Failure(.product, nasty), Failure(.rig, nasty)]), seconds: 1, missing: [nasty])
        result.judgement.reason = nasty
        result.warnings = [Warning(nasty)]
        var info = SampleRun.lines()[0]
        if case .runBegan(var run)? = info.runner {
            run.scenarios[0].title = nasty
            info.runner = .runBegan(run)
        }
        let lines = [
            info, RunLine(time: 2, scenario: "passes", runner: .scenarioBegan),
            SampleRun.told("passes", .stepBegan(name: nasty, budget: 2, at: .init(file: "", path: "", line: 1))),
            RunLine(time: 3, scenario: "passes", runner: .scenarioEnded(result)),
            RunLine(time: 9, runner: .runEnded(RunEnd(seconds: 2))),
        ]
        let text = output(lines)
        let steering: Set<UInt32> = [0x1B, 0x9B, 0x202E]
        #expect(
            !text.unicodeScalars.contains { steering.contains($0.value) }
                && text.contains("ERROR   #x1B[2J#xA#x9B2J#x202E  1 s\n"), "\(text)")
    }

    @Test("An interrupted run says so, in the last line")
    func interrupted() {
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(signal: 2, seconds: 1)))
        let last = output(SampleRun.lines() + [end]).split(separator: "\n").last
        #expect(last == "interrupted; 1 passed, 1 failed, 1 error, 1 not run in 1 s")
    }
}
