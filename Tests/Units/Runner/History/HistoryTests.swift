import Foundation
import HILCSQLite
import HILRecord
import TestSupport
import Testing

@testable import HILHistory

/// A folder with a history, and runs to put into it.
final class TestHistory: Sendable {
    let folder = NSTemporaryDirectory() + "hil-history-\(UUID().uuidString)"
    var file: HistoryFile { HistoryFile("\(folder)/\(HistoryFile.name)") }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func past(limit: Int = 50) throws -> [ScenarioPast] {
        try file.use { store throws(HistoryError) in try store.past(limit: limit) }.value
    }

    @discardableResult
    func add(_ record: RunRecord) throws -> Bool {
        try file.use { store throws(HistoryError) in try store.add(record) }.value
    }

    static let wrong = Failure(.product, "wrong")
    static let lost = Failure(.rig, "lost")

    /// A run on a day, in which these scenarios end with these failures, with a step that takes so many seconds.
    static func record(
        _ day: Int, _ scenarios: [(String, [Failure])], step: Double = 0.5, firmware: String? = nil
    ) -> RunRecord {
        let began = UInt64(day) * 86_400_000_000_000
        let planned = Set(scenarios.map { String($0.0.prefix { $0 != "#" }) }).sorted().reduce(
            into: [String: RunInfo.Entry]()
        ) {
            $0[$1] = RunInfo.Entry(identifier: $1, title: "It \($1)", file: "a", folder: $1)
        }
        let entries = scenarios.compactMap { name, _ in
            planned[String(name.prefix { $0 != "#" })].map { entry in
                var entry = entry
                entry.identifier = name
                let round = entry.caseAndRound.round
                if round > 1 { entry.title += " (round \(round))" }
                return entry
            }
        }
        let info = RunInfo(
            version: "1", rig: "stub", machine: "bench", folder: "/r/day-\(day)", scenarios: entries)
        var record = RunRecord()
        record.take(RunLine(time: began, runner: .runBegan(info)))
        let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 1)
        for (name, failures) in scenarios {
            func told(_ event: ScenarioEvent) -> RunLine {
                RunLine(scenario: name, worker: StampedEvent(time: began, event: event))
            }
            record.take(RunLine(time: began, scenario: name, runner: .scenarioBegan, rig: 1))
            record.take(told(.boardsReady(versions: ["host": ["bluez": "5.82"]])))
            record.take(told(.stepBegan(name: "join", budget: 8, at: place, number: 1)))
            record.take(told(.stepEnded(name: "join", seconds: step, outcome: .done, number: 1)))
            var result = ScenarioResult(Judgement(failures), seconds: 2, bodySeconds: step * 2)
            result.firmware = firmware
            record.take(RunLine(time: began, scenario: name, runner: .scenarioEnded(result)))
        }
        record.take(RunLine(time: began, runner: .runEnded(RunEnd(seconds: 9))))
        return record
    }
}

struct HistoryTests {
    @Test("Verdicts over time are kept, the newest first, with their causes, rounds apart from the name")
    func verdicts() throws {
        let history = try TestHistory()
        try history.add(TestHistory.record(2, [("join#2", [TestHistory.wrong]), ("pair", [])]))
        try history.add(TestHistory.record(1, [("join", [])]))
        let past = try history.past()
        #expect(past.map(\.scenario) == ["join", "pair"] && past.map(\.title) == ["It join", "It pair"])
        #expect(past[0].results.map(\.verdict) == [.failed, .passed] && past[0].results.map(\.round) == [2, 1])
        #expect(past[0].results.map(\.run) == ["day-2", "day-1"] && past[0].results[0].cause == "wrong")
        #expect(past[0].results[0].bodySeconds == 1 && past[0].results[0].machine == "bench")
        #expect(try history.past(limit: 1)[0].results.map(\.verdict) == [.failed])
    }

    @Test("A run that is added again counts once")
    func twice() throws {
        let history = try TestHistory()
        #expect(try history.add(TestHistory.record(1, [("join", [])])))
        #expect(try !history.add(TestHistory.record(1, [("join", [TestHistory.wrong])])))
        #expect(try history.past().map { $0.results.map(\.verdict) } == [[.failed]])
        let rows = try Database(history.file.path).run("SELECT count(*) FROM steps")
        #expect(rows == [[.integer(1)]], "what belonged to the run went with it")
    }

    @Test("The durations of a step are known from the newest run to the oldest")
    func steps() throws {
        let history = try TestHistory()
        for day in 1...3 { try history.add(TestHistory.record(day, [("join", [])], step: Double(day))) }
        let steps = try history.file.use { store throws(HistoryError) in try store.steps(of: "join", limit: 2) }.value
        #expect(steps == [PastStep(name: "join", budget: 8, seconds: [3, 2])])
    }

    @Test("Hostile text is kept as it is: quotes, control characters, a megabyte of cause is cut")
    func hostile() throws {
        let history = try TestHistory()
        let text = "'; DROP TABLE runs; -- \u{0}\u{1B}[2J" + String(repeating: "x", count: 1 << 20)
        try history.add(TestHistory.record(1, [("join", [Failure(.product, text)])]))
        let cause = try #require(try history.past().first?.results.first?.cause)
        #expect(cause.hasPrefix("'; DROP TABLE runs; -- \u{0}\u{1B}[2Jxxx") && cause.utf8.count < 10_000)
    }

    @Test("Many writers at once lose nothing")
    func manyWriters() async throws {
        let history = try TestHistory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for day in 1...16 {
                group.addTask { try history.add(TestHistory.record(day, (0..<20).map { ("s\($0)", []) })) }
            }
            try await group.waitForAll()
        }
        let past = try history.past()
        #expect(past.count == 20 && past.allSatisfy { $0.results.count == 16 })
    }

    @Test("Many that make a history at the same time all find it theirs")
    func madeAtOnce() async throws {
        for _ in 0..<200 {
            let history = try TestHistory()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try history.past() } }
                try await group.waitForAll()
            }
        }
    }

    @Test("A writer waits for one that is not done, and both runs are there")
    func waits() async throws {
        let history = try TestHistory()
        try history.add(TestHistory.record(1, [("join", [])]))
        let other = try Database(history.file.path)
        try other.run("BEGIN IMMEDIATE")
        try other.run("UPDATE runs SET seconds = 7")
        async let added = Task.detached { try history.add(TestHistory.record(2, [("join", [])])) }.value
        try other.run("COMMIT")
        #expect(try await added)
        #expect(try history.past().map(\.results.count) == [2])
        #expect(try other.run("SELECT seconds FROM runs WHERE name = 'day-1'") == [[.real(7)]])
    }

    @Test("A run of which a part cannot be written leaves nothing behind")
    func whole() throws {
        let history = try TestHistory()
        try history.add(TestHistory.record(1, [("join", [])]))
        let database = try Database(history.file.path)
        try database.run(
            "CREATE TRIGGER refuse BEFORE INSERT ON steps BEGIN SELECT raise(ABORT, 'the disk is full'); END")
        let problem = HistoryError(.refused(SQLITE_CONSTRAINT | (7 << 8)), history.file.path, "the disk is full")
        #expect(throws: problem) { try history.add(TestHistory.record(2, [("join", [])])) }
        #expect(try history.past().map(\.results.count) == [1])
        #expect(try database.run("SELECT count(*) FROM runs") == [[.integer(1)]])
    }
}

struct DamagedHistoryTests {
    @Test("A damaged file is set aside under another name and said, and a new history begins", arguments: [0, 4096])
    func damaged(whole: Int) throws {
        let history = try TestHistory()
        for day in 1...20 { try history.add(TestHistory.record(day, [("join", [])])) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: history.file.path))
        #expect(bytes.count > 8192)
        for place in whole..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 31 &+ 7) }
        try bytes.write(to: URL(fileURLWithPath: history.file.path))
        let outcome = try history.file.use { store throws(HistoryError) in
            try store.add(TestHistory.record(30, [("join", [])]))
        }
        let aside = try #require(outcome.setAside)
        #expect(aside.hasPrefix("\(history.file.path).damaged-"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes, "nothing of it is lost")
        #expect(try history.past().map { $0.results.map(\.run) } == [["day-30"]])
        let names = try FileManager.default.contentsOfDirectory(atPath: history.folder).sorted()
        #expect(names.count == 2, "\(names)")
    }

    @Test("Of many that find the damage at once, one moves the file, and none of their runs is lost")
    func damagedAtOnce() async throws {
        let history = try TestHistory()
        try "this is not a database, but a text of some length".write(
            toFile: history.file.path, atomically: false, encoding: .utf8)
        let moved = try await withThrowingTaskGroup(of: String?.self) { group in
            for day in 1...8 {
                group.addTask {
                    try history.file.use { store throws(HistoryError) in
                        try store.add(TestHistory.record(day, [("join", [])]))
                    }.setAside
                }
            }
            return try await group.reduce(into: 0) { if $1 != nil { $0 += 1 } }
        }
        #expect(moved == 1)
        #expect(try history.past().map(\.results.count) == [8])
    }

    @Test("The firmware of each result is kept, and a history without firmware gets it with its next run")
    func firmware() throws {
        let history = try TestHistory()
        try history.add(TestHistory.record(1, [("join", [])]))
        let database = try Database(history.file.path)
        // As version 1 had it.
        for sql in [
            "ALTER TABLE runs DROP COLUMN firmware", "ALTER TABLE results DROP COLUMN firmware",
            "ALTER TABLE results DROP COLUMN audit", "PRAGMA user_version = 1",
        ] { try database.run(sql) }
        try history.add(TestHistory.record(2, [("join", [])], firmware: "1.4.2"))
        #expect(try history.past()[0].results.map(\.firmware) == ["1.4.2", nil])
        #expect(try database.run("SELECT firmware FROM runs ORDER BY began") == [[.null], [.text("1.4.2")]])
        #expect(try database.run("PRAGMA user_version") == [[.integer(3)]])
    }

    @Test("What came of an audit's check is kept")
    func audits() throws {
        let history = try TestHistory()
        try history.add(SampleAudit.record())
        let kept = Dictionary(try history.past().map { ($0.scenario, $0.results[0].audit) }) { first, _ in first }
        #expect(kept["lampIsSetUp~access.matrix[build=weak]"] == .breached)
        #expect(kept["lampIsSetUp~pairing.guesses[build=weak]"] == .accepted)
        let run = try history.file.use { store throws(HistoryError) in
            try store.run(named: "20260114-093015-k3v9")
        }.value
        #expect(run?.results.first { $0.scenario == "lampIsSetUp~pairing.guesses[build=weak]" }?.audit == .accepted)
    }

    @Test("The file of a later version, and another program's, stay as they are")
    func foreign() throws {
        let history = try TestHistory()
        try history.add(TestHistory.record(1, [("join", [])]))
        let database = try Database(history.file.path)
        try database.run("PRAGMA user_version = 99")
        #expect(throws: HistoryError(.later(99), history.file.path)) { try history.past() }
        try database.run("PRAGMA application_id = 7")
        #expect(throws: HistoryError(.foreign, history.file.path)) { try history.past() }
        #expect(try database.run("SELECT count(*) FROM results") == [[.integer(1)]])
    }

    @Test("A folder that does not exist is told with its path")
    func nowhere() throws {
        let path = try TestHistory().folder + "/nowhere/history.sqlite"
        #expect { try HistoryFile(path).use { store throws(HistoryError) in try store.scenarios() } } throws: {
            "\($0)" == "\(path): unable to open database file"
        }
    }
}

struct FlakyRuleTests {
    private func past(_ marks: String) -> ScenarioPast {
        let verdicts: [Character: Verdict] = [
            ".": .passed, "F": .failed, "E": .error, "s": .skipped, "~": .flaky, "q": .quarantined,
        ]
        // From the oldest to the newest in the test, the other way round in the history.
        let results = marks.reversed().compactMap { verdicts[$0] }.map { verdict in
            PastResult(verdict, actual: verdict == .quarantined ? .failed : nil)
        }
        return ScenarioPast(scenario: "s", title: "S", results: results)
    }

    @Test(
        "A failure is flaky if a pass among the five results before it is newer than a failure among them",
        arguments: [
            ("F.F", true), (".F", false), ("F", false), ("FF", false), (".FF", false), ("F.FF", true), ("F..", false),
            // The failure is the fifth result before it, and then the sixth.
            ("F....F", true), ("F.....F", false),
        ])
    func rule(marks: String, isFlaky: Bool) {
        #expect(past(marks).isFlaky(at: 0) == isFlaky)
    }

    @Test("Errors of the rig and skipped results count for nothing, and a quarantine changes nothing")
    func uncounted() {
        #expect(past("F.EEEEEsF").isFlaky(at: 0))
        #expect(!past("E.F").isFlaky(at: 0), "an error is not a failure")
        #expect(past("F.q").isFlaky(at: 0))
        let all = past("F.EsF")
        #expect(all.counted == 3 && all.flaky == 1 && all.flakyRate == 1.0 / 3)
        #expect(past("EEs").flakyRate == nil)
    }

    @Test("A pass on a retry is flaky, and counts as a pass afterwards")
    func retried() {
        #expect(past("~").isFlaky(at: 0) && past("~.").flaky == 1)
        #expect(past("F~F").isFlaky(at: 0))
    }

    @Test("The median of an even number of values is the mean of the two in the middle")
    func median() {
        #expect([4.0, 1, 3, 2].median == 2.5 && [3.0, 1, 2].median == 2 && [Double]().median == nil)
    }
}
