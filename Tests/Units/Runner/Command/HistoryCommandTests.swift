import Foundation
import HIL
import HILExecution
import HILHistory
import HILRecord
import Synchronization
import Testing

@testable import HILCommand

struct HistoryCommandTests {
    private let results = NSTemporaryDirectory() + "hil-past-\(UUID().uuidString)"

    /// Runs the command. Returns its exit code, what it printed and what it remarked.
    private func run(
        _ task: Request.HistoryRequest.Task, format: Request.HistoryRequest = .init(task: .show(nil))
    ) throws -> (code: Int32, lines: [String], notes: [String]) {
        let lines = Mutex<[String]>([])
        let notes = Mutex<[String]>([])
        var request = format
        request.task = task
        let command = HistoryCommand(
            request: request, results: results, say: { said in lines.withLock { $0 += said } },
            note: { told in notes.withLock { $0.append(told) } })
        let code = try command.run()
        return (code, lines.withLock { $0 }, notes.withLock { $0 })
    }

    /// Writes a run's folder in which these scenarios ended with these failures.
    private func write(_ name: String, _ scenarios: [(String, [Failure])]) throws {
        let entries = scenarios.map { name, _ in
            let scenario = Scenario("It \(name)s") { _ in }
            return RunInfo.Entry(PlannedScenario(NamedScenario(name, file: "a.swift", scenario), scenario.cases[0]))
        }
        let folder = "\(results)/\(name)"
        let info = RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder, scenarios: entries)
        let time = UInt64(name.filter(\.isNumber)) ?? 0
        let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 1)
        var lines = [RunLine(time: time, runner: .runBegan(info))]
        for (scenario, failures) in scenarios {
            lines.append(RunLine(time: time, scenario: scenario, runner: .scenarioBegan, rig: 1))
            for event in [
                ScenarioEvent.stepBegan(name: "open", budget: 2, at: place, number: 1),
                .stepEnded(name: "open", seconds: 0.25, outcome: .done, number: 1),
            ] { lines.append(RunLine(scenario: scenario, worker: StampedEvent(time: time, event: event))) }
            let result = ScenarioResult(Judgement(failures), seconds: 2, bodySeconds: 1.5)
            lines.append(RunLine(time: time, scenario: scenario, runner: .scenarioEnded(result)))
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = lines.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
        try text.write(toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
    }

    private func importThree() throws {
        let wrong = Failure(.product, "expected that it joins\nmore \u{1B}[2J")
        try write("run-1", [("join", [wrong]), ("pair", [])])
        try write("run-2", [("join", []), ("pair", [Failure(.rig, "lost")])])
        try write("run-3", [("join", [wrong])])
        let (code, lines, notes) = try run(.add(["run-1", "\(results)/run-2", "run-3"]))
        #expect(code == 0 && notes == [])
        #expect(lines == ["run-1: 2 results", "\(results)/run-2: 2 results", "run-3: 1 result"])
    }

    @Test("Older runs are imported, by path or by name, each once; what is no run is told, and the others are imported")
    func imports() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try importThree()
        #expect(try run(.add(["run-3"])).lines == ["run-3: 1 result, already known"])
        try write("run-4", [("join", [])])
        let (code, lines, notes) = try run(.add(["nothing", "run-4"]))
        #expect(code == 2 && lines == ["run-4: 1 result"])
        #expect(notes == ["nothing is not a run's folder: it has no events.jsonl"])
    }

    @Test("The table has a line for each scenario: results with the newest last, flaky rate, median time")
    func table() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try importThree()
        let lines = try run(.show(nil)).lines
        #expect(
            Array(lines.prefix(5)) == [
                "scenario  results, the newest last  flaky    median",
                "join      F.F                        33 %     1.5 s",
                "pair      .E                          0 %     1.5 s", "",
                ". passed  ~ flaky  F failed  E error of the rig  s skipped  q in quarantine",
            ], "\(lines)")
        #expect(lines.last?.contains("do not count") == true, "the rule is explained")
    }

    @Test("One scenario is shown with each result, its cause in a line, and the durations of its steps")
    func detail() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try importThree()
        let lines = try run(.show("JOI")).lines
        #expect(lines[0] == "It joins")
        #expect(lines[1] == "join: 3 of 3 results count, 1 flaky (33 %)")
        #expect(lines[3].contains("  failed, flaky     1.5 s  run-3  virtual, bench"), "\(lines[3])")
        #expect(lines[4] == "    expected that it joins")
        #expect(lines[5].contains("  passed            1.5 s  run-2"), "\(lines[5])")
        #expect(lines.contains("step      done    newest    median     least      most    budget"), "\(lines)")
        #expect(lines.contains("open         3    250 ms    250 ms    250 ms    250 ms       2 s"), "\(lines)")
        let few = try run(.show("join"), format: .init(task: .show(nil), last: 1)).lines
        #expect(few[1] == "join: 1 of 1 results count, 0 flaky (0 %)")
    }

    @Test("As JSON there is one object for each scenario, with every result; of one scenario its steps as well")
    func json() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try importThree()
        struct Content: Decodable {
            struct Result: Decodable {
                let verdict: String
                let isFlaky: Bool
                let run: String
            }
            struct Step: Decodable {
                let name: String
                let seconds: [Double]
            }
            let scenario: String
            let flakyRate: Double
            let results: [Result]
            let steps: [Step]?
        }
        func content(_ name: String?) throws -> [Content] {
            try run(.show(name), format: .init(task: .show(nil), format: .json)).lines.map {
                try JSONDecoder().decode(Content.self, from: Data($0.utf8))
            }
        }
        let all = try content(nil)
        #expect(all.map(\.scenario) == ["join", "pair"] && all[0].steps == nil)
        #expect(all[0].results.map(\.verdict) == ["failed", "passed", "failed"])
        #expect(all[0].results.map(\.isFlaky) == [true, false, false] && all[0].flakyRate == 1.0 / 3)
        #expect(try content("pair")[0].steps?.map(\.seconds) == [[0.25, 0.25]])
    }

    @Test("A name that the history does not know is told with the nearest, and a missing history with what makes it")
    func unknown() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        #expect { try run(.show(nil)) } throws: { "\($0)".contains("`hil history import RUN…`") }
        #expect(!FileManager.default.fileExists(atPath: results), "asking makes no file")
        try importThree()
        #expect(throws: UsageError(description: "no scenario of the history matches “joinn”; nearest: join")) {
            try run(.show("joinn"))
        }
    }

    @Test("After each run it is in the history, unless nothing ended; a damaged history is told")
    func kept() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("run-1", [("join", [])])
        let record = try RunRecord.read(in: "\(results)/run-1")
        let notes = Mutex<[String]>([])
        let command = HistoryCommand(
            request: .init(task: .show(nil)), results: results, say: { _ in },
            note: { told in notes.withLock { $0.append(told) } })
        try command.keep(RunRecord())
        #expect(!FileManager.default.fileExists(atPath: "\(results)/history.sqlite"))
        try "no database at all".write(toFile: "\(results)/history.sqlite", atomically: true, encoding: .utf8)
        try command.keep(record)
        #expect(notes.withLock { $0.count } == 1)
        #expect(notes.withLock { $0[0] }.contains("history.sqlite was damaged; it is "))
        #expect(try run(.show("join")).lines[1] == "join: 1 of 1 results count, 0 flaky (0 %)")
    }
}
