import Foundation
import HIL
import HILRecord
import Testing

@testable import HILExecution

struct PastRunsTests {
    private let results = NSTemporaryDirectory() + "hil-past-\(UUID().uuidString)"

    private func write(_ run: String, _ ended: [(String, [Failure], Double)]) throws {
        let folder = "\(results)/\(run)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var bytes: [UInt8] = []
        for (identifier, failures, seconds) in ended {
            let result = ScenarioResult(Judgement(failures), seconds: seconds)
            let note = StampedEvent(time: 1, event: .note(text: #"{"runner":{"scenarioEnded""#))
            bytes += RunLine(scenario: identifier, worker: note).json + [0x0A]
            bytes += RunLine(time: 2, scenario: identifier, runner: .scenarioEnded(result)).json + [0x0A]
        }
        // The runner was killed in the middle of a line.
        bytes += Array(#"{"runner":{"scenarioEnded":{"result":{"judge"#.utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/events.jsonl"))
    }

    @Test("The scenarios that failed in their last run, and their durations, are known from several runs")
    func past() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let product = Failure(.product, "broken")
        try write("20260101-000000-aaaa", [("a", [product], 9), ("b", [product], 2), ("c", [], 3)])
        try write("20260102-000000-aaaa", [("a", [], 1), ("c", [Failure(.rig, "lost")], 5)])
        try write("20260103-000000-aaaa", [("a", [], 2)])
        try write("notes", [("d", [product], 1)])
        let past = PastRuns.read(in: results)
        #expect(past.failed == ["b", "c"])
        #expect(past.seconds(of: "a") == 2)
        #expect(past.seconds(of: "c") == 5)
        #expect(past.seconds(of: "d") == nil)
        #expect(PastRuns.read(in: results, limit: 1).failed.isEmpty)
        #expect(PastRuns.read(in: "/nowhere").failed.isEmpty)
    }

    @Test("Failures in a run of an older version are known as well")
    func olderVersion() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let folder = "\(results)/20260101-000000-aaaa"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let failure = #"{"kind":"product","message":"broken"}"#
        let judgement = #"{"failures":[\#(failure)],"verdict":"failed"}"#
        let result = #"{"evidence":[],"judgement":\#(judgement),"missing":[],"seconds":9}"#
        let line = #"{"runner":{"scenarioEnded":{"_0":\#(result)}},"scenario":"a","time":2}"#
        try line.write(toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
        #expect(PastRuns.read(in: results).failed == ["a"])
        #expect(PastRuns.read(in: results).seconds(of: "a") == 9)
    }
}
