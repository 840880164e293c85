import HIL
import HILExecution
import HILRecord

/// The lines of a run with one scenario of each kind.
enum SampleRun {
    static let names = ["passes", "fails", "errs", "waits"]
    /// When the scenarios begin, nanoseconds since 1970.
    static let start: UInt64 = 1_768_383_016_000_000_000
    static let nasty =
        "got “\u{1B}[31mred\u{1B}[0m” & <b> ]]> \u{0} \u{1B} \u{FFFE}\r\n" + String(repeating: "x", count: 600)

    static func lines(folder: String = "/work/results/run", message: String = nasty) -> [RunLine] {
        let planned = names.flatMap { name in
            let path = "/work/Scenarios/Family/\(name).swift"
            let scenario = Scenario("It \(name) \"well\"", .tags(.smoke), filePath: path) { _ in }
            let named = NamedScenario(name, file: "Family/\(name).swift", scenario)
            return scenario.cases.map { PlannedScenario(named, $0) }
        }
        let info = RunInfo(
            version: "1", rig: "virtual", machine: "bench", folder: folder,
            scenarios: planned.map { RunInfo.Entry($0) })
        let location = SourceLocation(
            file: "Scenarios/fails.swift", path: "/work/Scenarios/Family/fails.swift", line: 42)
        let product = Failure(.product, message, at: location)
        let rig = Failure(.rig, "the air is lost")
        return [
            RunLine(time: 1_768_383_015_000_000_000, runner: .runBegan(info)),
            began("passes"), told("passes", .boardsReady(versions: ["host": ["bluez": "5.82"]])),
            told("passes", .note(text: message)),
            ended("passes", [], evidence: ["capture.pcapng", "worker.log"]),
            began("fails"), told("fails", .stepBegan(name: "roll", budget: 2, at: location)),
            told("fails", .failure(product)),
            ended(
                "fails", [product],
                evidence: ["capture.pcapng", "story.txt", "host/bluetoothd.log", "accessory/bluetoothd.log"]),
            began("errs"), ended("errs", [product, rig], evidence: []),
        ]
    }

    static func record(_ more: RunLine...) -> RunRecord {
        var record = RunRecord()
        for line in lines() + more { record.take(line) }
        return record
    }

    private static func began(_ name: String) -> RunLine {
        RunLine(time: start, scenario: name, runner: .scenarioBegan)
    }

    static func told(_ name: String, _ event: ScenarioEvent) -> RunLine {
        RunLine(scenario: name, worker: StampedEvent(time: start + 250_000_000, event: event))
    }

    private static func ended(_ name: String, _ failures: [Failure], evidence: [String]) -> RunLine {
        var result = ScenarioResult(Judgement(failures), seconds: 1.23456, bodySeconds: 0.5, evidence: evidence)
        if failures.contains(where: { $0.kind == .rig }) { result.boards = "attempt-2/rig.snapshot" }
        return RunLine(time: 1_768_383_017_000_000_000, scenario: name, runner: .scenarioEnded(result))
    }
}
