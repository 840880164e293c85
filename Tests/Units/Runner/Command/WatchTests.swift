import Foundation
import HIL
import HILExecution
import HILHistory
import HILPOSIX
import HILRecord
import HILRules
import Testing

@testable import HILCommand

struct WatchTests {
    private let results = NSTemporaryDirectory() + "hil-watch-\(UUID().uuidString)"
    private let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 1)

    private func fetch(_ address: String) async throws -> (status: Int, text: String) {
        let words = ["curl", "-s", "-m", "20", "-o", "-", "-w", "\n%{http_code}", address]
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(words, streams: [.null, .descriptor(write), .null])
        write.close()
        let bytes = await withCheckedContinuation { continuation in
            startThread(named: "curl") {
                var all: [UInt8] = []
                while let more = try? read.read(), !more.isEmpty { all += more }
                continuation.resume(returning: all)
            }
        }
        _ = await child.wait()
        let text = String(decoding: bytes, as: UTF8.self)
        let code = text.split(separator: "\n").last.flatMap { Int($0) } ?? 0
        return (code, String(text.dropLast(4)))
    }

    /// Writes a run in which a scenario runs, up to a step.
    private func begin() throws -> LiveRun {
        let scenario = Scenario("It joins") { _ in }
        let entry = RunInfo.Entry(
            PlannedScenario(NamedScenario("join", file: "a.swift", scenario), scenario.cases[0]))
        let folder = "\(results)/run"
        try FileManager.default.createDirectory(atPath: "\(folder)/join", withIntermediateDirectories: true)
        let info = RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder, scenarios: [entry])
        try write([
            RunLine(time: 1, runner: .runBegan(info)),
            RunLine(time: 2, scenario: "join", runner: .scenarioBegan, rig: 1),
            RunLine(time: 2, scenario: "join", runner: .attemptBegan(number: 1)),
            RunLine(
                scenario: "join",
                worker: StampedEvent(time: 3, event: .stepBegan(name: "open", budget: 9, at: place, number: 1))),
        ])
        return LiveRun(folder: folder)
    }

    private func write(_ lines: [RunLine]) throws {
        let path = "\(results)/run/events.jsonl"
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        for line in lines { try file.write(line.json + [10]) }
    }

    @Test("A run is read as it grows, and a line only when it is whole")
    func growing() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let live = try begin()
        #expect(live.advance() == 4 && live.record.entries.first?.began == 2)
        #expect(live.story(of: "join")?.count == 2)
        let end = RunLine(
            time: 5, scenario: "join", runner: .scenarioEnded(ScenarioResult(Judgement([]), seconds: 1)))
        let file = try Descriptor.open("\(results)/run/events.jsonl", O_WRONLY | O_APPEND)
        try file.write(end.json.prefix(20))
        #expect(live.advance() == 4)
        try file.write(end.json.dropFirst(20) + [10])
        #expect(live.advance() == 5 && live.record.count(.passed) == 1 && live.story(of: "join") == nil)
        #expect(!live.isOver)
    }

    @Test("What a scenario told is read once it has failed, and of one that passed only its steps")
    func stories() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        func told(_ event: ScenarioEvent) -> RunLine {
            RunLine(scenario: "join", worker: StampedEvent(time: 4, event: event))
        }
        func end(_ failures: [Failure]) -> [RunLine] {
            [
                told(.note(text: "hello")), told(.stepEnded(name: "open", seconds: 1, outcome: .done, number: 1)),
                RunLine(
                    time: 5, scenario: "join", runner: .scenarioEnded(ScenarioResult(Judgement(failures), seconds: 1))),
            ]
        }
        let live = try begin()
        live.advance()
        #expect(live.record.entries[0].attempts[0].steps == [])
        #expect(live.record(with: "join").entries[0].attempts[0].steps.map(\.name) == ["open"])
        try write(end([]))
        live.advance()
        #expect(live.record.entries[0].attempts[0].steps.map(\.seconds) == [1])
        #expect(live.record.entries[0].attempts[0].log.allSatisfy { $0.text != "hello" })
        let other = try begin()
        try write(end([Failure(.product, "wrong")]))
        other.advance()
        #expect(other.record.entries[0].attempts[0].log.contains { $0.text == "hello" })
    }

    @Test("Only the beginning of a line tells whose it is, and what is unusual is left to JSON")
    func tellers() {
        func teller(_ line: String) -> String? { LiveLine.teller(of: Data(line.utf8)) }
        #expect(teller(#"{"scenario":"join","time":4,"worker":{"note":{"text":"x"}}}"#) == "join")
        #expect(teller(#"{"runner":{"scenarioBegan":{}},"scenario":"join","time":4}"#) == nil)
        #expect(
            teller(#"{"scenario":"a\"b","time":4}"#) == nil && teller(#"{"scenario":"join"#) == nil && teller("") == nil
        )
    }

    @Test("A page of a long run takes a time in proportion to its length")
    func long() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        _ = try begin()
        let path = "\(results)/run/events.jsonl"
        let note = RunLine(
            scenario: "join", worker: StampedEvent(time: 4, event: .note(text: String(repeating: "x", count: 400))))
        let line = Data(note.json + [10])
        var block = Data()
        while block.count < 1 << 20 { block.append(line) }
        func seconds(megabytes: Int) throws -> Double {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for _ in 0..<megabytes { try file.write(contentsOf: block) }
            try file.close()
            let began = ContinuousClock.now
            #expect(LiveRun(folder: "\(results)/run").advance() == megabytes * block.count / line.count)
            return (ContinuousClock.now - began) / .seconds(1)
        }
        let (short, long) = (try seconds(megabytes: 1), try seconds(megabytes: 16))
        // Sixteen times as long; what grows with the square takes 256 times.
        #expect(long < 64 * max(short, 0.005), "\(short) s for 1 MB, \(long) s for 16 MB")
    }

    @Test("A run that goes on says what is new since the last good run, and not that the rest is gone")
    func news() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let entries = ["join", "pick"].map { name in
            let scenario = Scenario("It can \(name)") { _ in }
            return RunInfo.Entry(PlannedScenario(NamedScenario(name, file: "a.swift", scenario), scenario.cases[0]))
        }
        func run(_ name: String, at time: UInt64) -> RunRecord {
            var record = RunRecord()
            let info = RunInfo(
                version: "1", rig: "virtual", machine: "bench", folder: "\(results)/\(name)", scenarios: entries)
            record.take(RunLine(time: time, runner: .runBegan(info)))
            return record
        }
        func end(_ record: inout RunRecord, _ name: String, _ failures: [Failure] = []) {
            let result = ScenarioResult(Judgement(failures), seconds: 1)
            record.take(RunLine(time: record.began + 1, scenario: name, runner: .scenarioEnded(result)))
        }
        let live = LiveNews(results: results)
        var now = run("now", at: 2_000)
        #expect(LiveNews(results: results).page(of: now) == nil, "there is no history")

        try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
        var good = run("good", at: 1_000)
        for entry in entries { end(&good, entry.identifier) }
        good.take(RunLine(time: 1_500, runner: .runEnded(RunEnd(seconds: 1))))
        _ = try HistoryFile("\(results)/\(HistoryFile.name)").use { store throws(HistoryError) in try store.add(good) }
        #expect(live.page(of: now)?.baseline == "good")
        #expect(live.page(of: now)?.groups.contains { !$0.items.isEmpty } == false)
        end(&now, "join", [Failure(.product, "no network")])
        let told = try #require(live.page(of: now))
        #expect(told.groups.first { $0.kind == "newlyFailed" }?.items.map(\.scenario) == ["join"])
        #expect(!told.groups.contains { $0.kind == "gone" })
    }

    @Test("The page, a running scenario and the run's files are served; what lies outside of its folder is not")
    func served() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let live = try begin()
        try "story".write(toFile: "\(results)/run/join/story.txt", atomically: false, encoding: .utf8)
        try "secret".write(toFile: "\(results)/outside.txt", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(results)/run/join/link.txt", withDestinationPath: "\(results)/outside.txt")
        let real = try #require(realpath("\(results)/run", nil))
        defer { free(real) }
        let command = WatchCommand(
            request: .init(), results: results, root: results, rules: Rule.phone, say: { _ in })
        let server = try command.serve(LiveRun(folder: String(cString: real)))
        defer { server.close() }
        let address = server.gate.address
        let page = try await fetch(address)
        #expect(
            page.status == 200 && page.text.contains(#""isLive":true"#) && page.text.contains(#""verdict":"running""#))
        let part = try await fetch(address + "join/scenario.js")
        #expect(part.status == 200 && part.text.hasPrefix("hil.part(") && part.text.contains(#""name":"open""#))
        #expect(try await fetch(address + "join/lanes.js").text.hasPrefix("hil.lanes("))
        #expect(try await fetch(address + "join/story.txt") == (200, "story"))
        for path in ["join/link.txt", "../outside.txt", "join", "join/nothing.txt", "%2e%2e/outside.txt"] {
            let answer = try await fetch(address + path)
            #expect(answer.status >= 400 && !answer.text.contains("secret"), "\(path)")
        }
        let elsewhere = "http://127.0.0.1:\(server.gate.port)/"
        #expect(try await fetch(elsewhere + "join/story.txt").status == 404, "without the token")
        try write([
            RunLine(time: 5, scenario: "join", runner: .scenarioEnded(ScenarioResult(Judgement([]), seconds: 1))),
            RunLine(time: 6, runner: .runEnded(RunEnd(seconds: 2))),
        ])
        _ = live
        // The stream ends with the run.
        let stream = try await fetch(address + "live")
        #expect(stream.text.hasPrefix("event: index\ndata: {") && stream.text.contains(#""isLive":false"#))
    }
}
