import Foundation
import HILExecution
import HILHistory
import Synchronization
import Testing

@testable import HILCommand

struct ParityCommandTests {
    private static let runs = "Fixtures/Runs/parity"

    private func parity(
        _ first: String, _ second: String, format: Request.ParityRequest = .init(first: "", second: "")
    ) throws -> [String] {
        let lines = Mutex<[String]>([])
        var request = format
        (request.first, request.second) = (first, second)
        try ParityCommand(
            request: request, results: Self.runs, say: { said in lines.withLock { $0 += said } }, note: { _ in }
        ).run()
        return lines.withLock { $0 }
    }

    @Test("Verdicts, events, their order and times that differ between two recorded runs are told")
    func text() throws {
        #expect(
            try parity("virtual", "bench") == [
                "first   virtual  virtual rig of bench: 5 passed",
                "second  bench  bench rig of lab: 2 passed, 1 failed, 1 error, 1 skipped", "",
                "different verdicts: 3",
                "  pairs: passed, then failed", "    expected that it is bonded: got nil",
                "  rolls: passed, then error", "    the accessory board is lost: bench-2",
                "  walks: passed, then skipped", "    the bench lacks an adjustable distance", "",
                "different events: 2",
                "  joins", "    only in the second: phone: K#: the name is too long",
                "    in the opposite order: die: joined Home #, and app: told: networkJoined",
                "  pairs", "    only in the first: die: bonded with ‹address›", "",
                "different times: 1",
                "  joins", "    the whole scenario: 1.2 s, then 3.3 s, 2.75 times",
                "    step “join”: 1 s, then 3 s, 3.00 times", "",
                "only in the first: 1", "  older", "", "only in the second: 1", "  newer", "",
                "not compared by their events: 1",
                "  there is no Fixtures/Runs/parity/bench/rolls/timeline.json", "",
                "4 cases compared; a step takes 1.38 times as long in the second (the median of 4)",
            ])
    }

    @Test("A run is the same as itself")
    func same() throws {
        #expect(
            try parity("virtual", "virtual").suffix(1) == [
                "5 cases compared, and nothing differs; a step takes 1.00 times as long in the second (the median of 5)"
            ])
    }

    @Test("The same as one JSON object")
    func json() throws {
        let lines = try parity("virtual", "bench", format: .init(first: "", second: "", format: .json))
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(lines.count == 1 && object["isSame"] as? Bool == false && object["compared"] as? Int == 4)
        #expect(object["onlyFirst"] as? [String] == ["older"] && object["onlySecond"] as? [String] == ["newer"])
        let cases = try #require(object["different"] as? [[String: Any]])
        #expect(cases.map { $0["scenario"] as? String } == ["joins", "pairs", "rolls", "walks"])
        let order = try #require(cases[0]["order"] as? [String: Any])
        #expect((order["exchanged"] as? [Any])?.count == 1 && (order["onlySecond"] as? [Any])?.count == 1)
        #expect(cases[2]["whyNoOrder"] as? String != nil)
    }

    @Test("A smaller least change tells more")
    func least() throws {
        let least = Request.ParityRequest(first: "", second: "", leastChange: .init(share: 0, seconds: 0.04))
        #expect(
            try parity("virtual", "bench", format: least).contains("    step “find”: 200 ms, then 300 ms, 1.50 times"))
    }

    @Test("What is not a run is a wrong command line, and a record that leads out of its folder leads nowhere")
    func hostile() throws {
        #expect(throws: UsageError.self) { try parity("virtual", "nowhere") }
        #expect(throws: UsageError.self) { try parity("Fixtures", "virtual") }
        let folder = NSTemporaryDirectory() + "hil-parity-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = try String(contentsOfFile: "\(Self.runs)/virtual/events.jsonl", encoding: .utf8)
        try text.replacingOccurrences(of: #""folder": "joins""#, with: #""folder": "../../etc""#).write(
            toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
        #expect(try parity("virtual", folder).contains("  “../../etc” is not the name of a scenario's folder"))
    }
}
