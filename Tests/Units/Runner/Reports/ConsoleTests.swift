import HIL
import HILExecution
import HILRecord
import Synchronization
import Testing

@testable import HILReports

/// A console on a terminal with this many columns, and the text drawn on it.
private final class Screen: Sendable {
    private let written = Mutex("")
    let columns = Mutex(80)
    let now = Mutex(SampleRun.start)

    func console(environment: [String: String] = [:]) -> Console {
        let terminal = Terminal(isTerminal: true, environment: environment) { [self] in
            (columns.withLock { $0 }, 24)
        }
        return Console(terminal, root: "/work", now: { [self] in now.withLock { $0 } }) { [self] text in
            written.withLock { $0 += text }
        }
    }

    /// The raw output.
    var raw: String { written.withLock { $0 } }

    /// The lines on the screen without colours, as a terminal shows them.
    var rows: [String] {
        var rows = [""]
        var row = 0
        var rest = Substring(raw)
        while let character = rest.first {
            if let match = rest.prefixMatch(of: /\u{1B}\[(\d*)([A-Za-z])/) {
                rest = rest[match.range.upperBound...]
                if match.2 == "A" { row = max(0, row - (Int(match.1) ?? 1)) }
                if match.2 == "J" { rows = Array(rows.prefix(row)) + [""] }
                continue
            }
            rest = rest.dropFirst()
            switch character {
            case "\r": break
            case "\n":
                row += 1
                while rows.count <= row { rows.append("") }
            default: rows[row].append(character)
            }
        }
        return rows
    }
}

struct ConsoleTests {
    private func draw(_ lines: [RunLine], on console: Console) {
        var record = RunRecord()
        for line in lines {
            record.take(line)
            console.take(line, record)
        }
    }

    private let step = ScenarioEvent.stepBegan(
        name: "pair", budget: 10, at: SourceLocation(file: "Scenarios/a.swift", path: "/work/a.swift", line: 1))

    /// The lines of a run in which the first scenario has ended and the second is in a step.
    private var underWay: [RunLine] {
        Array(SampleRun.lines(message: "\u{1B}[2Jbroken").prefix(6)) + [
            SampleRun.told("fails", .bodyBegan(budget: 60)), SampleRun.told("fails", step),
        ]
    }

    @Test("A live line shows scenario, step, elapsed time and budget, and changes with the clock")
    func live() {
        let screen = Screen()
        let console = screen.console()
        draw(underWay, on: console)
        screen.now.withLock { $0 = SampleRun.start + 2_500_000_000 }
        console.tick()
        #expect(
            screen.rows == [
                "4 scenarios on the virtual rig; results in results/run", #"passed  It passes "well"  500 ms"#,
                #"[2/4] It fails "well"  step “pair” 2.3 of 10 s; in all 2.3 of 60 s"#, "",
            ])
        #expect(!screen.raw.contains("\u{1B}[2Jbroken"), "a message has no say over the terminal")
    }

    @Test("When a run ends, no live line is left, and the cursor is on an empty line")
    func ends() {
        let screen = Screen()
        let end = RunLine(time: 9, runner: .runEnded(RunEnd(signal: 2, seconds: 1)))
        draw(underWay + [RunLine(time: 8, scenario: "fails", runner: .scenarioInterrupted), end], on: screen.console())
        #expect(
            screen.rows.suffix(3) == [
                #"interrupted  It fails "well""#, "interrupted; 1 passed, 3 not run in 1 s", "",
            ])
    }

    @Test("No live line reaches the last column, and a line that a narrower terminal wrapped is erased completely")
    func width() {
        let screen = Screen()
        screen.columns.withLock { $0 = 40 }
        let console = screen.console()
        draw(underWay, on: console)
        #expect(TextWidth.columns(screen.rows[2]) == 39)
        #expect(screen.rows[2].hasPrefix("[2/4] It fails"))
        screen.columns.withLock { $0 = 20 }
        console.tick()
        #expect(screen.raw.components(separatedBy: "\u{1B}[2A\r\u{1B}[J").count == 2, "two rows of 20 columns")
    }

    @Test("Wide characters count two columns, combining ones none")
    func wide() {
        #expect(TextWidth.columns("a\u{301}界🎲") == 5)
        #expect(TextWidth.cut("界界界", to: 4) == "界…")
        #expect(TextWidth.cut("abc", to: 3) == "abc")
    }

    @Test("NO_COLOR turns colours off, and a dumb terminal gets only plain lines")
    func environment() {
        let plain = Screen()
        draw(underWay, on: plain.console(environment: ["NO_COLOR": "1"]))
        #expect(!plain.raw.contains("m[2/4]") && plain.raw.contains("[2/4]"))
        let dumb = Screen()
        draw(underWay, on: dumb.console(environment: ["TERM": "dumb"]))
        #expect(!dumb.raw.contains("\u{1B}") && !dumb.raw.contains("[2/4]"))
    }

    @Test("While a message is held, no live line is drawn")
    func held() {
        let screen = Screen()
        let console = screen.console()
        draw(underWay, on: console)
        console.hold("press Enter\n")
        let before = screen.raw
        console.tick()
        #expect(screen.raw == before)
        #expect(screen.rows.suffix(2) == ["press Enter", ""])
        console.release()
        #expect(screen.rows.suffix(2).first?.hasPrefix("[2/4]") == true)
    }
}
