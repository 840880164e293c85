import BoardProtocol
import Foundation
import Testing

@testable import HILRecord

/// The record of a run is a pure fold over its events.
struct RunRecordTests {
    private static let second: UInt64 = 1_000_000_000
    private static let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 3)
    private let folder = NSTemporaryDirectory() + "hil-record-\(UUID().uuidString)"

    private static func told(_ time: UInt64, _ event: ScenarioEvent) -> RunLine {
        RunLine(scenario: "a", worker: StampedEvent(time: time * second, event: event))
    }

    private static func runner(_ time: UInt64, _ event: RunnerEvent, rig: Int? = nil) -> RunLine {
        RunLine(time: time * second, scenario: "a", runner: event, rig: rig)
    }

    private static var info: RunInfo {
        let entry = RunInfo.Entry(identifier: "a", title: "A holds", file: "a", folder: "a")
        return RunInfo(version: "1", rig: "stub", machine: "m", folder: "/f", scenarios: [entry])
    }

    private static let late = Failure(.product, "late", at: place)
    private static let oops = Failure(.rig, "oops", finding: Finding(.kernel, of: .accessory))
    private static let picture = ScreenPicture(number: 1, light: "screens/01.light.svg", dark: "screens/01.dark.svg")

    /// A scenario that failed, ran again and passed, on the second rig.
    private static let lines: [RunLine] = [
        RunLine(time: 1, runner: .runBegan(info)), runner(2, .scenarioBegan, rig: 2),
        runner(2, .attemptBegan(number: 1)), told(3, .boardsReady(versions: ["host": ["bluez": "5.82"]])),
        told(4, .bodyBegan(budget: 30)), told(5, .stepBegan(name: "join", budget: 8, at: place, number: 1)),
        told(6, .phone(.screen(ScreenNote(kind: "picker", title: "Dice", text: "Dice")))),
        told(6, .air(AirNote("dropped", fired: .init(fault: "dropped", packet: nil, count: 1, of: 2)))),
        told(7, .expectation(text: "it joined", held: false, at: place)), told(7, .failure(late)),
        told(7, .stepEnded(name: "join", seconds: 2, outcome: .threw, number: 1)), told(8, .drawn(picture)),
        told(8, .phone(.warning(rule: "K1", "too large"))), told(8, .failure(oops)),
        told(9, .stepBegan(name: "open", budget: 1, at: place, number: 2)),
        runner(9, .attemptEnded(AttemptResult(Judgement([late, oops]), seconds: 7))),
        runner(10, .attemptBegan(number: 2)), told(11, .bodyBegan(budget: 30)), told(12, .bodyEnded(seconds: 1)),
        runner(
            13,
            .scenarioEnded(
                ScenarioResult(attempts: [
                    AttemptResult(Judgement([late, oops]), seconds: 7), AttemptResult(Judgement([]), seconds: 3),
                ]))),
        RunLine(time: 14 * second, runner: .runEnded(RunEnd(seconds: 14))),
    ]

    private static func check(_ record: RunRecord) throws {
        let entry = try #require(record["a"])
        #expect(record.format == RunLine.format && record.end?.seconds == 14 && record.unreadableLines == 0)
        #expect(entry.rig == 2 && entry.began == 2 * second && entry.ended == 13 * second)
        #expect(entry.versions == ["host": ["bluez": "5.82"]])
        #expect(entry.attempts.map(\.result?.judgement.verdict) == [.error, .passed])
        #expect(entry.attempts.map(\.began) == [2 * second, 10 * second])
        #expect(entry.attempts.map(\.bodyBegan) == [4 * second, 11 * second])
        #expect(entry.decisive.number == 1)
        let attempt = entry.attempts[0]
        #expect(attempt.steps.map(\.name) == ["join", "open"] && attempt.steps.map(\.number) == [1, 2])
        #expect(attempt.steps[0].outcome == .threw && attempt.steps[0].seconds == 2 && attempt.steps[0].budget == 8)
        #expect(attempt.steps[1].outcome == nil && attempt.steps[1].seconds == nil)
        #expect(attempt.expectations.map(\.value.held) == [false] && attempt.expectations[0].step == 1)
        #expect(attempt.failures.map(\.value) == [late, oops] && attempt.failures.map(\.step) == [1, nil])
        #expect(attempt.failures[1].value.finding == Finding(.kernel, of: .accessory))
        #expect(attempt.warnings.map(\.value) == [Warning(rule: "K1", "too large")])
        #expect(attempt.screens.map(\.value.kind) == ["picker"] && attempt.screens[0].step == 1)
        #expect(attempt.screens[0].value.picture == picture)
        #expect(attempt.faults.map(\.value) == [.init(fault: "dropped", packet: nil, count: 1, of: 2)])
    }

    @Test("Steps, expectations, findings, screens, faults and attempts are fields of the record")
    func fields() throws {
        var record = RunRecord()
        for line in Self.lines { record.take(line) }
        try Self.check(record)
    }

    @Test("A record that is read from its file is the one that was folded while the run went on")
    func file() throws {
        try write(Self.lines.map { String(decoding: $0.json, as: UTF8.self) })
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = try String(contentsOfFile: "\(folder)/events.jsonl", encoding: .utf8)
        #expect(text.hasPrefix(#"{"format":7,"runner":{"runBegan":"#))
        #expect(text.components(separatedBy: #""format":"#).count == 2, "only the first line says the format")
        try Self.check(try RunRecord.read(in: folder))
    }

    @Test("A record of format 1 reads: steps count from 1, and what it does not have is nil")
    func older() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = #"{"file":"S/a.swift","line":3,"path":"/S/a.swift"}"#
        try write([
            #"{"runner":{"runBegan":{"_0":{"folder":"/f","machine":"m","rig":"virtual","scenarios":[{"identifier":"a","title":"A","file":"a"}],"version":"0"}}},"time":1}"#,
            #"{"runner":{"scenarioBegan":{}},"scenario":"a","time":2}"#,
            #"{"scenario":"a","time":3,"worker":{"stepBegan":{"at":\#(place),"budget":10,"name":"join"}}}"#,
            #"{"scenario":"a","time":4,"worker":{"phone":{"event":{"screen":{"screen":{"controls":[],"entries":[],"kind":"picker","lines":[],"title":"Dice"}}}}}}"#,
            #"{"scenario":"a","time":5,"worker":{"stepEnded":{"name":"join","outcome":"done","seconds":1.5}}}"#,
            #"{"scenario":"a","time":6,"worker":{"danced":{}}}"#,
            #"{"runner":{"scenarioEnded":{"_0":{"evidence":[],"judgement":{"failures":[],"verdict":"passed"},"missing":[],"seconds":9}}},"scenario":"a","time":7}"#,
            #"{"runner":{"runEn"#,
        ])
        let record = try RunRecord.read(in: folder)
        #expect(record.format == 1 && record.info?.rig == "virtual" && record.end == nil)
        #expect(record.unreadableLines == 2, "an unknown event, and the end of a run that was killed")
        let entry = try #require(record["a"])
        #expect(entry.result?.judgement.verdict == .passed && entry.info.line == nil && entry.info.folder == "a")
        #expect(entry.attempts[0].steps.map(\.number) == [1] && entry.attempts[0].steps[0].seconds == 1.5)
        #expect(entry.attempts[0].screens.map(\.value.picture) == [nil])
    }

    @Test("A folder without a record, another file and a record of a later version are refused with the reason")
    func refused() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: RunRecord.Unreadable.self) { try RunRecord.read(in: folder) }
        try write(["hello", #"{"a":1}"#, #"{"time":3,"scenario":"a","worker":{"note":{"text":"\ud800"}}}"#])
        let foreign = "\(folder)/events.jsonl is not the record of a run"
        #expect { try RunRecord.read(in: folder) } throws: { "\($0)" == foreign }
        var line = Self.lines[0]
        line.format = 99
        try write([String(decoding: line.json, as: UTF8.self)])
        #expect { try RunRecord.read(in: folder) } throws: {
            "\($0)".contains("has format 99, and this version reads up to \(RunLine.format)")
        }
    }

    private func write(_ lines: [String]) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try lines.joined(separator: "\n").write(toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
    }
}
