import Foundation
import HIL
import HILExecution
import HILRecord
import HILReports
import HILRules
import Synchronization
import Testing

@testable import HILCommand

struct LivePageTests {
    @Test(
        "As a run goes on, the files of its scenarios are written, and at its end the page; of a failure a link leads there"
    )
    func run() throws {
        let results = NSTemporaryDirectory() + "hil-page-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: results) }
        let folder = try RunFolder.create(in: results)
        let reports = try ReportWriter(folder.path, root: results, format: .json, isTerminal: false) { _ in }
        let notes = Mutex<[String]>([])
        let page = RunPage(folder: folder.path, results: results, root: results, rules: Rule.phone)
        let pages = LivePage(page, .lastGood) { note in notes.withLock { $0.append(note) } }
        let observed = ObservedRun([PageLinks(pages), reports, pages])
        let entries = ["join", "pair"].map { name in
            let scenario = Scenario("It \(name)s") { _ in }
            return RunInfo.Entry(PlannedScenario(NamedScenario(name, file: "a.swift", scenario), scenario.cases[0]))
        }
        observed.take(
            RunLine(
                time: 1,
                runner: .runBegan(
                    RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder.path, scenarios: entries))))
        for (name, failures) in [("join", [Failure(.product, "it does not")]), ("pair", [])] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file("\(name)/timeline.json")))
            observed.take(RunLine(time: 2, scenario: name, runner: .scenarioBegan, rig: 1))
            let result = ScenarioResult(Judgement(failures), seconds: 1, evidence: ["timeline.json"])
            observed.take(RunLine(time: 3, scenario: name, runner: .scenarioEnded(result)))
            #expect(FileManager.default.fileExists(atPath: folder.file("\(name)/scenario.js")))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("index.html")))
        observed.take(RunLine(time: 4, runner: .runEnded(RunEnd(seconds: 2))))
        let name = URL(fileURLWithPath: folder.path).lastPathComponent
        #expect(pages.finish(observed.record) == ["page: \(name)/index.html"])
        #expect(notes.withLock { $0 } == [])
        #expect(FileManager.default.fileExists(atPath: folder.file("index.html")))
        let junit = try String(contentsOfFile: folder.file("junit.xml"), encoding: .utf8)
        let attachments = junit.split(separator: "\n").filter { $0.contains("[[ATTACHMENT|") }.map(String.init)
        #expect(attachments.first?.contains("/attachments/join.page.html]]") == true, "\(attachments)")
        #expect(!junit.contains("pair.page.html"), "it passed")
        #expect(FileManager.default.fileExists(atPath: folder.file("attachments/join.page.html")))
    }

    @Test("A link that cannot be written is told")
    func unwritableLink() throws {
        let results = NSTemporaryDirectory() + "hil-page-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: results) }
        let folder = try RunFolder.create(in: results)
        let notes = Mutex<[String]>([])
        let page = RunPage(folder: folder.path, results: results, root: results, rules: [])
        let pages = LivePage(page, .lastGood) { note in notes.withLock { $0.append(note) } }
        let scenario = Scenario("It joins") { _ in }
        let entry = RunInfo.Entry(
            PlannedScenario(NamedScenario("join", file: "a.swift", scenario), scenario.cases[0]))
        // A folder of the link's name cannot be replaced by a file.
        let link = folder.file("\(entry.folder)/\(RunInfo.Entry.page)/x")
        try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: true)
        pages.writeLink(to: entry)
        var record = RunRecord()
        record.take(
            RunLine(
                time: 1,
                runner: .runBegan(
                    RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder.path, scenarios: []))))
        _ = pages.finish(record)
        #expect(notes.withLock { $0 }.first?.hasPrefix("the page is not complete: writing ") == true)
    }

    @Test("A page that cannot be written is told, and nothing else depends on it")
    func unwritable() throws {
        let results = NSTemporaryDirectory() + "hil-page-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: results) }
        let folder = try RunFolder.create(in: results)
        // A folder of the page's name cannot be replaced by a file.
        try FileManager.default.createDirectory(atPath: folder.file("index.html/x"), withIntermediateDirectories: true)
        let notes = Mutex<[String]>([])
        let page = RunPage(folder: folder.path, results: results, root: results, rules: [])
        let pages = LivePage(page, .lastGood) { note in notes.withLock { $0.append(note) } }
        let info = RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder.path, scenarios: [])
        var record = RunRecord()
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        #expect(pages.finish(record) == [])
        #expect(notes.withLock { $0 }.first?.hasPrefix("the page is not complete: writing ") == true)
    }
}
