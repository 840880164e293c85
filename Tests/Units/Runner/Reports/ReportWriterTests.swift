import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILRecord
import Synchronization
import Testing

@testable import HILReports

struct ReportWriterTests {
    private let root = NSTemporaryDirectory() + "hil-reports-\(UUID().uuidString)"

    @Test("In a run of thousands junit.xml is written less often, and is whole at the end")
    func large() throws {
        let results = NSTemporaryDirectory() + "hil-large-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: results) }
        let folder = try RunFolder.create(in: results)
        let count = JUnitFile.largeRun + 200
        let entries = (1...count).map { number in
            let scenario = Scenario("Case \(number)") { _ in }
            return RunInfo.Entry(
                PlannedScenario(NamedScenario("case\(number)", file: "a.swift", scenario), scenario.cases[0]))
        }
        let info = RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder.path, scenarios: entries)
        let reports = try ReportWriter(folder.path, root: results, format: .text, isTerminal: false) { _ in }
        let observed = ObservedRun([reports])
        observed.take(RunLine(time: 1, runner: .runBegan(info)))
        var (writes, last) = (0, Data())
        for entry in entries {
            let name = entry.identifier
            observed.take(RunLine(time: 2, scenario: name, runner: .scenarioBegan, rig: 1))
            let told = StampedEvent(time: 2, event: .note(text: "told by \(name)"))
            observed.take(RunLine(scenario: name, worker: told))
            let failures = name == "case7" ? [Failure(.product, "wrong")] : []
            observed.take(
                RunLine(
                    time: 3, scenario: name,
                    runner: .scenarioEnded(ScenarioResult(Judgement(failures), seconds: 1, evidence: ["story.txt"]))))
            let now = FileManager.default.contents(atPath: folder.file("junit.xml")) ?? Data()
            if now.count != last.count { (writes, last) = (writes + 1, now) }
        }
        observed.take(RunLine(time: 4, runner: .runEnded(RunEnd(seconds: 9))))
        #expect(writes < count / 2, "it was written \(writes) times")
        let text = try String(contentsOfFile: folder.file("junit.xml"), encoding: .utf8)
        let junit = JUnitRules(text)
        #expect(junit.violations == [] && junit.cases.count == count)
        #expect(junit.cases.allSatisfy { $0["skipped"].isEmpty } && junit.cases.count { !$0["failure"].isEmpty } == 1)
        #expect(text.contains("told by case\(count)") && text.contains("told by case7\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("junit.xml.elements")))
        // What passed takes no memory any more; what failed is whole, for the summary.
        #expect(observed.record["case8"]?.log.isEmpty == true && observed.record["case7"]?.log.isEmpty == false)
        #expect(observed.record.count(.passed) == count - 1 && observed.record.count(.failed) == 1)
    }

    @Test("After each scenario its verdict is in events.jsonl and in junit.xml, before the run ends")
    func durable() throws {
        let folder = try RunFolder.create(in: "\(root)/results")
        defer { try? FileManager.default.removeItem(atPath: root) }
        let writer = try ReportWriter(
            folder.path, root: root, format: .text, isTerminal: false, print: { _ in })
        let run = ObservedRun([writer])
        var finished = 0
        for line in SampleRun.lines(folder: folder.path) {
            run.take(line)
            if case .scenarioEnded? = line.runner { finished += 1 }
            let junit = JUnitRules(try String(contentsOfFile: folder.file("junit.xml"), encoding: .utf8))
            #expect(junit.violations == [])
            #expect(junit.cases.count { $0["error"].allSatisfy { $0.attributes["type"] != "NotRun" } } == finished)
        }
        let events = try String(contentsOfFile: folder.file("events.jsonl"), encoding: .utf8)
        let lines = try events.split(separator: "\n").map {
            try JSONDecoder().decode(RunLine.self, from: Data($0.utf8))
        }
        #expect(lines.count == SampleRun.lines().count)
        #expect(finished == 3)
    }

    @Test("With a full disk the verdicts are still shown, and the missing results are known")
    func fullDisk() throws {
        let folder = try RunFolder.create(in: "\(root)/results")
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("events.jsonl"), withDestinationPath: "/dev/full")
        let printed = Mutex("")
        let writer = try ReportWriter(
            folder.path, root: root, format: .text, isTerminal: false,
            print: { text in printed.withLock { $0 += text } })
        #expect(writer.missing == nil)
        let run = ObservedRun([writer])
        for line in SampleRun.lines(folder: folder.path) { run.take(line) }
        #expect(writer.missing?.what == "events.jsonl lacks \(SampleRun.lines().count) lines")
        #expect(writer.missing?.error.code == ENOSPC)
        #expect(printed.withLock { $0 }.contains("passed"))
        #expect(run.record.count(.passed) > 0)
    }

    @Test("Files with the same name in several scenarios are attached under unique names, by paths from the workspace")
    func attachments() throws {
        let folder = try RunFolder.create(in: "\(root)/results")
        defer { try? FileManager.default.removeItem(atPath: root) }
        for path in ["fails/host", "fails/accessory", "passes"] {
            try FileManager.default.createDirectory(atPath: folder.file(path), withIntermediateDirectories: true)
        }
        for file in ["fails/capture.pcapng", "fails/host/bluetoothd.log", "passes/capture.pcapng"] {
            try "x".write(toFile: folder.file(file), atomically: true, encoding: .utf8)
        }
        let writer = try ReportWriter(
            folder.path, root: root, format: .text, isTerminal: false, print: { _ in })
        let run = ObservedRun([writer])
        for line in SampleRun.lines(folder: folder.path) { run.take(line) }
        let junit = try String(contentsOfFile: folder.file("junit.xml"), encoding: .utf8)
        let name = folder.path.split(separator: "/").last!
        #expect(junit.contains("[[ATTACHMENT|results/\(name)/attachments/fails.host.bluetoothd.log]]"))
        #expect(FileManager.default.fileExists(atPath: folder.file("attachments/fails.host.bluetoothd.log")))
        #expect(FileManager.default.fileExists(atPath: folder.file("attachments/passes.capture.pcapng")))
    }

    @Test("As JSON, standard output has the lines of events.jsonl and nothing else")
    func json() throws {
        let folder = try RunFolder.create(in: "\(root)/results")
        defer { try? FileManager.default.removeItem(atPath: root) }
        let printed = Mutex("")
        let writer = try ReportWriter(
            folder.path, root: root, format: .json, isTerminal: true,
            print: { text in printed.withLock { $0 += text } })
        let run = ObservedRun([writer])
        for line in SampleRun.lines(folder: folder.path) { run.take(line) }
        #expect(try String(contentsOfFile: folder.file("events.jsonl"), encoding: .utf8) == printed.withLock { $0 })
    }
}
