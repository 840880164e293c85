import Execution
import Testing

@testable import Reports

struct ConsoleTextTests {
    private func output(isTerminal: Bool, _ lines: [RunLine]) -> String {
        var record = RunRecord()
        let console = ConsoleText(isTerminal: isTerminal, root: "/work")
        return lines.map { line in
            record.take(line)
            return console.text(for: line, record)
        }.joined()
    }

    @Test("Without a terminal: a line for each scenario, then each failure with its cause and its evidence")
    func plain() {
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(seconds: 83)))
        let text = output(isTerminal: false, SampleRun.lines(message: "expected that the die shows it\nmore") + [end])
        #expect(
            text == """
                4 scenarios on the virtual rig; results in results/run
                passed  It passes "well"  500 ms
                FAILED  It fails "well"  500 ms
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                ERROR   It errs "well"  500 ms
                        the air is lost

                FAILED  fails
                        Scenarios/Family/fails.swift:42: expected that the die shows it
                        evidence: results/run/fails

                ERROR   errs
                        the air is lost
                        and 1 more in verdict.json
                        evidence: results/run/errs

                1 passed, 1 failed, 1 error, 1 not run in 83 s

                """)
    }

    @Test("An interrupted run says so, in the last line")
    func interrupted() {
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(signal: 2, seconds: 1)))
        let last = output(isTerminal: false, SampleRun.lines() + [end]).split(separator: "\n").last
        #expect(last == "interrupted; 1 passed, 1 failed, 1 error, 1 not run in 1 s")
    }

    @Test("On a terminal a live line is replaced, and verdicts have colours")
    func terminal() {
        let text = output(isTerminal: true, SampleRun.lines(message: "\u{1B}[2Jbroken"))
        #expect(text.contains("\r\u{1B}[2K\u{1B}[32mpassed\u{1B}[0m  It passes"))
        #expect(!text.contains("\u{1B}[2J"), "a message has no say over the terminal")
    }
}
