import Execution
import Testing

@testable import Reports

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
                           0.250 step “roll”
                        evidence: results/run/fails/story.txt, and what lies beside it
                        again: hil run fails

                ERROR   errs
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                        the air is lost
                        evidence: results/run/errs
                        again: hil run errs
                        open: hil open results/run/errs/attempt-2

                1 passed, 1 failed, 1 error, 1 not run in 83 s

                """)
    }

    @Test("A warning is told once, with the first scenario that has it, and counted at the end; it decides nothing")
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

    @Test("An interrupted run says so, in the last line")
    func interrupted() {
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(signal: 2, seconds: 1)))
        let last = output(SampleRun.lines() + [end]).split(separator: "\n").last
        #expect(last == "interrupted; 1 passed, 1 failed, 1 error, 1 not run in 1 s")
    }
}
