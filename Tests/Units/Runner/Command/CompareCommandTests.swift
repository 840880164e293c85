import Foundation
import HIL
import HILExecution
import HILHistory
import HILRecord
import Synchronization
import Testing

@testable import HILCommand

struct CompareCommandTests {
    private let results = NSTemporaryDirectory() + "hil-compare-\(UUID().uuidString)"

    private func write(
        _ name: String, _ time: UInt64, _ scenarios: [(String, [Failure])], step: [Double] = [],
        machine: String = "bench", more: [RunLine] = [RunLine(time: 0, runner: .runEnded(RunEnd(seconds: 3)))]
    ) throws {
        try WrittenRun.write(name, in: results, time, scenarios, step: step, machine: machine, ending: more)
    }

    private func compare(
        _ first: String, _ second: String, fails: Bool = false, format: Request.Comparing? = nil
    ) throws -> (code: Int32, lines: [String]) {
        let lines = Mutex<[String]>([])
        var request = format ?? Request.Comparing(first: "", second: "")
        (request.first, request.second, request.failsOnRegression) = (first, second, fails)
        let command = CompareCommand(
            request: request, results: results, say: { said in lines.withLock { $0 += said } }, note: { _ in })
        return (try command.run(), lines.withLock { $0 })
    }

    private let wrong = Failure(.product, "expected that it joins\nmore")

    @Test("What newly failed is told first with its cause, and is exit code 4 where that is asked for")
    func verdicts() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("a", 1, [("join", []), ("pair", [wrong]), ("old", [])])
        try write("b", 2, [("join", [wrong]), ("pair", []), ("new", [])])
        let (code, lines) = try compare("a", "\(results)/b")
        #expect(code == 0)
        #expect(
            lines == [
                "before  a  virtual rig of bench: 2 passed, 1 failed",
                "after   b  virtual rig of bench: 2 passed, 1 failed",
                "", "newly failed: 1", "  join: expected that it joins", "", "fixed: 1", "  pair", "", "new: 1",
                "  new, passed", "", "gone: 1", "  old", "", "times of 0 steps are compared",
            ])
        #expect(try compare("a", "b", fails: true).code == 4)
        #expect(try compare("a", "a", fails: true).code == 0)
        #expect(try compare("a", "a").lines.contains("failed as before: 1"))
    }

    @Test("The last good run is the newest before, on the same kind of rig, that ended well with most of the cases")
    func lastGood() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("4-now", 40, [("join", [wrong]), ("pair", [])])
        #expect(try compare("last-good", "4-now", fails: true).code == 0)
        #expect(try compare("last-good", "4-now").lines.isEmpty)
        let whole = [RunLine(time: 1, runner: .runEnded(RunEnd(seconds: 1)))]
        try write("1-good", 10, [("join", []), ("pair", [])], more: whole)
        try write("2-good", 20, [("join", []), ("pair", [])], more: whole)
        try write("3-bad", 30, [("join", []), ("pair", [wrong])], more: whole)
        try write("3-cut", 31, [("join", []), ("pair", [])], more: [])
        try write("3-small", 32, [("other", [])], more: whole)
        try write(
            "3-killed", 33, [("join", []), ("pair", [])],
            more: [
                RunLine(time: 1, runner: .runEnded(RunEnd(signal: 15, seconds: 1)))
            ])
        try write("5-later", 50, [("join", []), ("pair", [])], more: whole)
        let (code, lines) = try compare("last-good", "4-now", fails: true)
        #expect(code == 4 && lines[0].hasPrefix("before  2-good  ") && lines.contains("newly failed: 1"))
        let text = try String(contentsOfFile: "\(results)/2-good/events.jsonl", encoding: .utf8)
        try text.replacingOccurrences(of: #""rig":"virtual""#, with: #""rig":"bench""#).write(
            toFile: "\(results)/2-good/events.jsonl", atomically: false, encoding: .utf8)
        #expect(try compare("last-good", "4-now").lines[0].hasPrefix("before  1-good  "))
    }

    @Test("Rounds of both runs are enough to find a slower step; fewer than four say how many are needed")
    func rounds() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("a", 1, [("join", [])], step: [1, 1.1, 1.2, 1.3])
        try write("b", 2, [("join", [])], step: [2, 2.1, 2.2, 2.3])
        let (code, lines) = try compare("a", "b", fails: true)
        #expect(code == 4)
        #expect(lines.contains("  join, step “open”: 1.2 s before, 2.2 s now (4 and 4 times, p 0.029)"), "\(lines)")
        #expect(lines.last == "times of 1 step are compared")
        #expect(try compare("b", "a", fails: true).code == 0, "faster is no regression")
        #expect(try compare("b", "a").lines.contains("faster: 1"))
        try write("c", 3, [("join", [])], step: [9])
        #expect(try compare("a", "c").lines.last == "times are not compared: needs at least 4 runs on each side")
        let least = Request.Comparing(first: "", second: "", leastChange: .init(share: 2, seconds: 0.1))
        #expect(try compare("a", "b", fails: true, format: least).code == 0)
    }

    @Test("The history's runs of the same bench count for the side of their time, each once")
    func history() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let history = HistoryFile("\(results)/\(HistoryFile.name)")
        for number in 1...8 {
            let isLate = number > 4
            try write("r\(number)", UInt64(number), [("join", [])], step: [Double(number) * 0.01 + (isLate ? 2 : 1)])
            let record = try RunRecord.read(in: "\(results)/r\(number)")
            _ = try history.use { store throws(HistoryError) in try store.add(record) }
        }
        // A run of another machine is left out.
        try write("far", 5, [("join", [])], step: [50, 50, 50], machine: "other")
        let far = try RunRecord.read(in: "\(results)/far")
        _ = try history.use { store throws(HistoryError) in try store.add(far) }
        let lines = try compare("r4", "r8").lines
        #expect(lines.contains("  join, step “open”: 1 s before, 2.1 s now (4 and 4 times, p 0.029)"), "\(lines)")
        let unlike = try compare("r4", "far").lines.last
        #expect(
            unlike
                == "times are not compared: the benches differ: virtual rig of bench, and virtual rig of other"
        )
    }

    @Test("As JSON there is one object with every group")
    func json() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("a", 1, [("join", [])], step: [1, 1, 1, 1])
        try write("b", 2, [("join", [wrong])], step: [3, 3, 3, 3])
        struct Content: Decodable {
            struct Step: Decodable {
                let step: String
                let before, after, p: Double
            }
            let newlyFailed: [Comparison.Change]
            let slower: [Step]
            let isRegression: Bool
        }
        let lines = try compare("a", "b", format: .init(first: "", second: "", format: .json)).lines
        let content = try JSONDecoder().decode(Content.self, from: Data(try #require(lines.first).utf8))
        #expect(lines.count == 1 && content.isRegression && content.newlyFailed.map(\.scenario) == ["join"])
        #expect(content.slower.first?.before == 1 && content.slower.first?.after == 3)
    }

    @Test("What is no run is refused with its path")
    func noRun() throws {
        #expect(throws: UsageError(description: "x is not a run's folder: it has no events.jsonl")) {
            try compare("x", "y")
        }
    }
}
