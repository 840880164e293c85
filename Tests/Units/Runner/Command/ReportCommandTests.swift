import Foundation
import FoundationXML
import HIL
import HILExecution
import HILHistory
import HILRecord
import HILReports
import HILRules
import Synchronization
import TestSupport
import Testing

@testable import HILCommand

struct ReportCommandTests {
    private let results = NSTemporaryDirectory() + "hil-report-\(UUID().uuidString)"
    private let wrong = Failure(.product, "expected that it joins")
    private let lost = Failure(.rig, "the air is lost")

    private func write(_ name: String, _ time: UInt64, _ scenarios: [(String, [Failure])], remembered: Bool = false)
        throws
    {
        try WrittenRun.write(name, in: results, time, scenarios, step: [1])
        guard remembered else { return }
        let record = try WrittenRun.record(name, in: results)
        _ = try HistoryFile("\(results)/\(HistoryFile.name)").use { store throws(HistoryError) in try store.add(record)
        }
    }

    @discardableResult
    private func report(_ request: Request.Reporting) throws -> (lines: [String], notes: [String]) {
        let lines = Mutex<[String]>([])
        let notes = Mutex<[String]>([])
        let command = ReportCommand(
            request: request, results: results, root: results, rules: Rule.phone,
            say: { said in lines.withLock { $0 += said } },
            note: { said in notes.withLock { $0.append(said) } })
        #expect(try command.run() == 0)
        return (lines.withLock { $0 }, notes.withLock { $0 })
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(results)/\(file)", encoding: .utf8)
    }

    @Test("The report of an audit has audit.json, also of one whose process was killed; that of another run has none")
    func audit() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("plain", 1, [("join", [])])
        try FileManager.default.createDirectory(atPath: "\(results)/audit", withIntermediateDirectories: true)
        let lines = SampleAudit.lines(folder: "\(results)/audit").dropLast(3)
        try lines.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
            .write(toFile: "\(results)/audit/events.jsonl", atomically: false, encoding: .utf8)
        try report(.init(runs: ["audit"]))
        try report(.init(runs: ["plain"]))
        let document = try text("audit/audit.json")
        #expect(document.contains(#""verdict" : "breached""#) && document.contains(#""isComplete" : false"#))
        #expect(try text("audit/index.html").contains(#""verdict":"breached","words":"breached""#))
        #expect(!FileManager.default.fileExists(atPath: "\(results)/plain/audit.json"))
    }

    @Test("The page of a run says what is new since the last good run, and has the timeline of the last pass")
    func one() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("good", 1, [("join", []), ("pair", [])], remembered: true)
        try write("bad", 2, [("join", []), ("pair", [wrong])], remembered: true)
        try write("now", 3, [("join", [wrong]), ("pair", [])], remembered: true)
        let (lines, notes) = try report(.init(runs: ["now"]))
        #expect(lines == [URL(fileURLWithPath: "\(results)/now/index.html").absoluteString] && notes == [])
        let page = try text("now/index.html")
        #expect(page.contains(#""baseline":"good""#), "in the run before something failed")
        #expect(page.contains(#"{"items":[{"scenario":"join","text":"expected that it joins"}],"kind":"newlyFailed"}"#))
        let part = try text("now/join/scenario.js")
        #expect(part.contains(#""before":{"began":0,"isWithoutFault":false,"run":"bad"}"#), "there it passed last")
        try report(.init(runs: ["bad"]))
        #expect(try text("now/join/before.js") == text("bad/join/lanes.js"))
        #expect(!FileManager.default.fileExists(atPath: "\(results)/now/pair/before.js"), "it passed")
    }

    @Test("The page of a finding has the timeline of its journey without the fault, and of no earlier run")
    func finding() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("good", 1, [("join", []), ("join~stuck", [])], remembered: true)
        let info = ExplorationInfo(moments: [], faults: [], planned: 0, leftOut: [], seed: 1, seconds: 1)
        try WrittenRun.write(
            "now", in: results, 2, [("join", []), ("join~stuck", [wrong]), ("pair", [wrong])],
            ending: [
                RunLine(time: 2, scenario: "join", runner: .explorationBegan(info)),
                RunLine(time: 2, runner: .runEnded(RunEnd(seconds: 3))),
            ])
        try report(.init(runs: ["now"]))
        #expect(try text("now/join-stuck/scenario.js").contains(#""isWithoutFault":true,"run":"join""#))
        #expect(try text("now/join-stuck/before.js") == text("now/join/lanes.js"))
        #expect(!FileManager.default.fileExists(atPath: "\(results)/now/pair/before.js"), "it never passed")
    }

    @Test("Several runs become one page and one JUnit file, in which every case has a name of its own")
    func several() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("shard1", 1, [("join", []), ("pair", [wrong])])
        try write("shard2", 2, [("join", [lost]), ("find", [])])
        let (lines, _) = try report(.init(runs: ["shard1", "shard2", "shard1"]))
        #expect(lines.map { $0.split(separator: "/").last } == ["index.html", "junit.xml"])
        let page = try text("report/index.html")
        #expect(page.contains(#""path":"../shard1""#) && page.contains(#""path":"../shard2""#))
        #expect(try text("shard2/find/scenario.js").hasPrefix("hil.part("))
        let document = try XMLDocument(data: Data(text("report/junit.xml").utf8))
        let cases = try document.nodes(forXPath: "//testcase").compactMap { $0 as? XMLElement }
        let names = cases.map {
            "\($0.attribute(forName: "classname")?.stringValue ?? "") \($0.attribute(forName: "name")?.stringValue ?? "")"
        }
        #expect(names.count == 4 && Set(names).count == 4, "\(names)")
        let root = try #require(document.rootElement())
        #expect(["tests", "failures", "errors"].map { root.attribute(forName: $0)?.stringValue } == ["4", "1", "1"])
        #expect(try document.nodes(forXPath: "/testsuites/testsuite").count == 2)
    }

    @Test("A page in one file has what failed in it, and leaves the runs' folders alone")
    func singleFile() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("now", 3, [("join", [wrong]), ("pair", [])])
        try report(.init(runs: ["now"], singleFile: "\(results)/mail.html"))
        let page = try text("mail.html")
        #expect(
            page.contains(#"id="files""#) && page.contains(#""join/lanes.js":"#)
                && page.contains(#""pair/scenario.js":"#))
        #expect(!FileManager.default.fileExists(atPath: "\(results)/now/index.html"))
        #expect(page.utf8.count <= PageContents.limit)
    }

    @Test("A baseline is a run, a file of events, or the last good run that has most of the cases")
    func baselines() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("whole", 1, [("join", []), ("pair", [])], remembered: true)
        try write("part", 2, [("join", [])], remembered: true)
        try write("lost", 3, [("join", []), ("pair", [lost])], remembered: true)
        try write("now", 4, [("join", [wrong]), ("pair", [])], remembered: true)
        let now = ComparedRun(try WrittenRun.record("now", in: results))
        func name(_ text: String) throws -> String? { try Baseline(text).find(for: now, in: results)?.name }
        #expect(try name("last-good") == "whole")
        #expect(try name("part") == "part" && name("\(results)/part") == "part")
        #expect(try name("\(results)/part/events.jsonl") == "part")
        try FileManager.default.copyItem(atPath: "\(results)/lost/events.jsonl", toPath: "\(results)/kept.jsonl")
        #expect(try name("\(results)/kept.jsonl") == "lost")
        try FileManager.default.removeItem(atPath: "\(results)/part")
        #expect(try name("part") == "part", "the history keeps it")
        #expect(throws: UsageError.self) { try name("never") }
        let first = ComparedRun(try WrittenRun.record("whole", in: results))
        #expect(try Baseline.lastGood.find(for: first, in: results) == nil, "none is earlier")
    }

    @Test("The terminal names what is new, and says so if nothing is")
    func news() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let names = (1...7).map { "s\($0)" }
        try write("a", 1, names.map { ($0, []) } + [("fixed", [wrong])])
        try write("b", 2, names.map { ($0, [wrong]) } + [("fixed", [])])
        let runs = try ["a", "b"].map { ComparedRun(try WrittenRun.record($0, in: results)) }
        func lines(_ before: ComparedRun, _ after: ComparedRun) -> [String] {
            let comparison = RunComparing(results: results, note: { _ in }).compare(before, after)
            return RunNews(baseline: before, comparison: comparison).lines
        }
        #expect(
            lines(runs[0], runs[1]) == ["since a:", "  newly failed: s1, s2, s3, s4, s5, and 2 more", "  fixed: fixed"])
        #expect(lines(runs[0], runs[0]) == ["since a: the verdicts of the 8 cases in both runs are unchanged"])
    }

    @Test("A baseline of one case says nothing of the others, and those that failed are named")
    func smallBaseline() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        try write("one", 1, [("join", [])])
        try write("all", 2, [("join", []), ("pair", [wrong]), ("leave", [wrong]), ("roll", [])])
        try write("other", 3, [("scan", [])])
        let runs = try ["one", "all", "other"].map { ComparedRun(try WrittenRun.record($0, in: results)) }
        func lines(_ before: ComparedRun, _ after: ComparedRun) -> [String] {
            let comparison = RunComparing(results: results, note: { _ in }).compare(before, after)
            return RunNews(baseline: before, comparison: comparison).lines
        }
        #expect(
            lines(runs[0], runs[1]) == [
                "since one: the verdict of the one case in both runs is unchanged; 1 more is not in that run",
                "  failed, and not in that run: pair, leave",
            ])
        #expect(lines(runs[0], runs[2]) == ["since one: no case is in both runs; 1 more is not in that run"])
    }

    @Test("A path leads from one folder to another")
    func paths() {
        #expect(RelativePath.from("/a/b", to: "/a/b") == "")
        #expect(RelativePath.from("/a/report", to: "/a/run") == "../run")
        #expect(RelativePath.from("/a", to: "/a/b/c") == "b/c")
        #expect(RelativePath.from("/x/y", to: "/a") == "../../a")
    }
}
