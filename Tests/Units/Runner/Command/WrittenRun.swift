import Foundation
import HIL
import HILExecution
import HILRecord

/// Runs on the disk, for tests of the commands that read them.
enum WrittenRun {
    /// Writes a run that began at a time, in which these scenarios ended so, with a step that took so long each time.
    ///
    /// - Parameter ending: Its last lines; nil for the end of a run.
    static func write(
        _ name: String, in results: String, _ time: UInt64, _ scenarios: [(String, [Failure])], step: [Double] = [],
        machine: String = "bench", ending: [RunLine]? = nil
    ) throws {
        let entries = scenarios.map { name, _ in
            let scenario = Scenario("It \(name)s") { _ in }
            return RunInfo.Entry(PlannedScenario(NamedScenario(name, file: "a.swift", scenario), scenario.cases[0]))
        }
        let folder = "\(results)/\(name)"
        let info = RunInfo(version: "1", rig: "virtual", machine: machine, folder: folder, scenarios: entries)
        let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 1)
        var lines = [RunLine(time: time, runner: .runBegan(info))]
        for ((scenario, failures), entry) in zip(scenarios, entries) {
            for (number, seconds) in step.enumerated() {
                for event in [
                    ScenarioEvent.stepBegan(name: "open", budget: 9, at: place, number: number + 1),
                    .stepEnded(name: "open", seconds: seconds, outcome: .done, number: number + 1),
                ] { lines.append(RunLine(scenario: scenario, worker: StampedEvent(time: time, event: event))) }
            }
            let result = ScenarioResult(Judgement(failures), seconds: 2, evidence: ["story.txt"])
            lines.append(RunLine(time: time, scenario: scenario, runner: .scenarioEnded(result)))
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(entry.folder)", withIntermediateDirectories: true)
            let timeline = #"{"format":2,"scenario":"s","zero":0,"began":0,"ended":0,"events":[]}"#
            try timeline.write(toFile: "\(folder)/\(entry.folder)/timeline.json", atomically: false, encoding: .utf8)
        }
        lines += ending ?? [RunLine(time: time, runner: .runEnded(RunEnd(seconds: 3)))]
        let text = lines.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
        try text.write(toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
    }

    /// The record of a run that was written.
    static func record(_ name: String, in results: String) throws -> RunRecord {
        try RunRecord.read(in: "\(results)/\(name)")
    }
}
