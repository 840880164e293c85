import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILRecord
import StubRig
import Testing

/// Processes that write one history at the same time.
struct HistoryProcessTests {
    @Test("Processes that add runs at once lose none of them", .timeLimit(.minutes(2)))
    func atOnce() async throws {
        let results = NSTemporaryDirectory() + "hil-at-once-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: results) }
        let names = (1...24).map { "run\($0)" }
        for (number, name) in names.enumerated() { try write(name, UInt64(number + 1) * 1_000_000_000, in: results) }
        // Six processes, each with four runs of its own, and all of them with one that they share.
        try write("shared", 99_000_000_000, in: results)
        let outcomes = try await withThrowingTaskGroup(of: ProgramOutput.self) { group in
            for process in 0..<6 {
                let own = names[(process * 4)..<(process * 4 + 4)]
                group.addTask {
                    try await ProgramOutput(
                        of: [RunnerProcess.path(of: "hil"), "history", "import"] + own + ["shared", "--out", results],
                        environment: RunnerProcess.environment, withErrors: true)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { #expect(outcome.status.isSuccess, "\(outcome.text)") }
        let told = try await ProgramOutput(
            of: [
                RunnerProcess.path(of: "hil"), "history", "join", "--last", "100", "--format", "json", "--out", results,
            ],
            environment: RunnerProcess.environment)
        struct Past: Decodable {
            struct Result: Decodable { let run: String }
            let results: [Result]
        }
        let past = try JSONDecoder().decode(Past.self, from: Data(told.bytes))
        #expect(past.results.map(\.run).sorted() == (names + ["shared"]).sorted())
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: results).count == names.count + 2,
            "nothing is left over")
    }

    private func write(_ name: String, _ time: UInt64, in results: String) throws {
        let scenario = Scenario("It joins") { _ in }
        let entry = RunInfo.Entry(
            PlannedScenario(NamedScenario("join", file: "a.swift", scenario), scenario.cases[0]))
        let folder = "\(results)/\(name)"
        let info = RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder, scenarios: [entry])
        let lines = [
            RunLine(time: time, runner: .runBegan(info)),
            RunLine(time: time, scenario: "join", runner: .scenarioEnded(ScenarioResult(Judgement([]), seconds: 2))),
            RunLine(time: time + 1, runner: .runEnded(RunEnd(seconds: 3))),
        ]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = lines.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
        try text.write(toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
    }
}
