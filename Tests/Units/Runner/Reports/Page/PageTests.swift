import Foundation
import HILRecord
import TestSupport
import Testing

@testable import HILReports

/// The documents of the page, without a browser.
struct PageTests {
    private let documents: PageDocuments

    init() throws { documents = try PageDocuments.get() }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A recorded run of each format gives the same data, byte by byte", arguments: ["format-1", "format-2"])
    func recorded(name: String) throws {
        let folder = "Fixtures/Runs/\(name)"
        let record = try RunRecord.read(in: folder)
        let root = record.info.map { URL(fileURLWithPath: $0.folder).deletingLastPathComponent() }?
            .deletingLastPathComponent().path
        let index = text(ScriptJSON.bytes(PageIndex(Page([Page.Source(record)], root: root), .all)))
        let parts = record.entries.map { text(ScenarioPart($0, of: record, root: root).script) }.joined()
        let document = index + "\n" + parts
        let path = "\(folder)/page.txt"
        if document != (try? String(contentsOfFile: path, encoding: .utf8)) {
            let new = NSTemporaryDirectory() + "hil-\(name)-page.txt"
            try document.write(toFile: new, atomically: true, encoding: .utf8)
            Issue.record("\(path) is another one now: \(new)")
        }
        let page = Page([Page.Source(record)], root: root)
        let (first, second) = (page.document(in: documents), page.document(in: documents))
        #expect(first == second, "a page does not depend on when it is made")
    }

    @Test("Hostile text cannot end the script element around the data, and stays what it is")
    func hostile() throws {
        let record = SamplePage.record(
            ["a"], failing: ["a"], title: SamplePage.hostile, cause: SamplePage.hostile,
            folder: "/r/" + SamplePage.hostile)
        let page = Page([Page.Source(record)], news: nil, rules: [Page.Rule(id: "K1", text: SamplePage.hostile)])
        let document = text(page.document(in: documents))
        #expect(document.split(separator: "</script", omittingEmptySubsequences: false).count == 3, "those of the page")
        #expect(!document.contains("<img"))
        let start = try #require(document.range(of: #"id="data">"#)).upperBound
        let data = document[start...].prefix { $0 != "<" }
        #expect(!data.contains(">") && !data.contains("&"))
        struct Index: Decodable {
            struct Entry: Decodable { let title, cause: String }
            let entries: [Entry]
        }
        let index = try JSONDecoder().decode(Index.self, from: Data(data.utf8))
        #expect(index.entries.first?.title == SamplePage.hostile, "what it means is not changed")
        #expect(index.entries.first?.cause == SamplePage.hostile)
        let part = text(ScenarioPart(record.entries[0], of: record, root: nil).script)
        #expect(part.hasPrefix("hil.part({") && part.hasSuffix("});\n") && !part.contains("<"))
    }

    @Test("A timeline is carried as data, whatever it is")
    func timelines() {
        let foreign = Data("\");alert(1);(\"".utf8)
        let script = text(LanesScript.bytes(foreign))
        #expect(script == "hil.lanes(\"\(foreign.base64EncodedString())\");\n")
        #expect(!script.contains("alert"))
    }

    @Test("A page has at most 3 MB: long causes are cut first, then what passed is brief, and then it is left out")
    func size() throws {
        let names = (1...1000).map { "scenarioNumber\($0)" }
        let long = String(repeating: "it says so again; ", count: 60)
        let record = SamplePage.record(
            names, failing: Set(names.prefix(500)), title: "A title of a usual length for scenario", cause: long)
        let page = Page([Page.Source(record)])
        let whole = text(page.document(in: documents))
        #expect(whole.utf8.count <= Page.limit && whole.contains(long))
        let half = text(page.document(in: documents, limit: 900_000))
        #expect(half.utf8.count <= 900_000)
        #expect(!half.contains(long) && half.contains("it says so again"), "causes are cut")
        #expect(half.contains(#""leftOut":0"#) && half.contains("scenarioNumber1000"))
        let little = text(page.document(in: documents, limit: 450_000))
        #expect(little.utf8.count <= 450_000)
        #expect(little.contains(#""leftOut":500"#) && !little.contains("scenarioNumber1000"))
        #expect(little.contains("scenarioNumber500"), "what failed stays")
    }

    @Test("A part has times from the scenario's beginning, failures with their step, and findings without a moment")
    func part() throws {
        var record = SamplePage.record(["a"], failing: ["a"])
        let late = Failure(.rig, "bluetoothd ended", finding: Finding(.daemon, of: .accessory, program: "bluetoothd"))
        var result = try #require(record.entries[0].result)
        result.judgement = Judgement(result.judgement.failures + [late])
        record.take(RunLine(time: SamplePage.start, scenario: "a", runner: .scenarioEnded(result)))
        let part = ScenarioPart(record.entries[0], of: record, root: "/work")
        let attempt = try #require(part.attempts.first)
        #expect(attempt.steps.map(\.at) == [0.1] && attempt.steps.map(\.outcome) == ["threw"])
        #expect(attempt.failures.map(\.step) == [1, nil] && attempt.failures.map(\.at) == [0.5, nil])
        #expect(attempt.failures.last?.program == "bluetoothd" && attempt.failures.last?.board == "accessory")
        #expect(attempt.failures.first?.place == "Scenarios/a.swift:7", "relative to the package")
        #expect(attempt.screens.first?.dark == "screens/01-picker.dark.svg")
    }

    @Test("A failure is shown once, also if the verdict adds more to it, such as the packets of an attack")
    func continuedFailure() throws {
        var record = SamplePage.record(["a"], failing: ["a"])
        var result = try #require(record.entries[0].result)
        var failures = result.judgement.failures
        let place = try #require(failures.indices.first)
        failures[place].message += "\none packet does it:\n  Write Request"
        result.judgement = Judgement(failures)
        record.take(RunLine(time: SamplePage.start, scenario: "a", runner: .scenarioEnded(result)))
        let attempt = try #require(ScenarioPart(record.entries[0], of: record, root: "/work").attempts.first)
        #expect(attempt.failures.count == failures.count)
        #expect(attempt.failures.first?.message.hasSuffix("Write Request") == true && attempt.failures.first?.at == 0.5)
    }

    @Test("Commands find a run by its name in the folder of results, and anywhere else by its path")
    func place() {
        #expect(PageRun.place(of: "/work/results/2026-01-02", in: "/work") == "2026-01-02")
        #expect(PageRun.place(of: "/tmp/out/2026-01-02", in: "/work") == "/tmp/out/2026-01-02")
    }

    @Test("A page in one file has what failed whole, and at most 10 MB: what has no room is counted")
    func singleFile() throws {
        let record = SamplePage.record(["good", "bad", "worse"], failing: ["bad", "worse"])
        let source = Page.Source(record, path: "../a run")
        let timeline = Data(#"{"events":[]}"#.utf8)
        func contents(_ limit: Int) -> PageContents {
            var contents = PageContents(limit: limit)
            contents.add([source], root: nil) { _, file in
                file.hasSuffix("timeline.json")
                    ? timeline : file.hasSuffix(".svg") ? Data("<svg>\(file)</svg>".utf8) : nil
            } before: { _, entry in
                (ScenarioPart.Before(run: "earlier", began: 1), timeline)
            }
            return contents
        }
        let whole = contents(PageContents.limit)
        let files = try #require(JSONSerialization.jsonObject(with: Data(whole.bytes)) as? [String: Any])
        let names = [
            "before.js", "lanes.js", "scenario.js", "screens/01-picker.dark.svg", "screens/01-picker.light.svg",
        ]
        let expected = ["bad", "worse"].flatMap { name in names.map { "../a%20run/\(name)/\($0)" } }
        #expect(files.keys.sorted() == (expected + ["../a%20run/good/scenario.js"]).sorted())
        #expect(whole.leftOut == 0)
        #expect(files["../a%20run/bad/lanes.js"] as? String == timeline.base64EncodedString())
        #expect(!text(whole.bytes).contains("<"), "it stands in a script element")
        let little = contents(Page.limit + 3000)
        #expect(little.leftOut > 0 && little.bytes.count <= 3002)
        #expect(text(little.bytes).contains("bad/scenario.js") && !text(little.bytes).contains("good"))
        let document = text(Page([source]).document(in: documents, with: whole))
        #expect(document.contains(#"<script type="application/json" id="files">"#))
    }

    @Test("Files are written beside the evidence, and a scenario without a folder writes none")
    func files() throws {
        let folder = NSTemporaryDirectory() + "hil-page-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let record = SamplePage.record(["a", "b"], failing: ["a"], folder: folder)
        try FileManager.default.createDirectory(atPath: "\(folder)/a", withIntermediateDirectories: true)
        try Data("not a timeline".utf8).write(to: URL(fileURLWithPath: "\(folder)/a/timeline.json"))
        let files = PageFiles(folder: folder, root: nil)
        for entry in record.entries { try files.write(entry, of: record) }
        try files.write(Page([Page.Source(record)]))
        let names = FileManager.default.subpaths(atPath: folder)?.sorted()
        #expect(names == ["a", "a/lanes.js", "a/scenario.js", "a/timeline.json", "index.html"])
        try files.writeLink(to: record.entries[0].info)
        let link = try String(contentsOfFile: "\(folder)/a/page.html", encoding: .utf8)
        #expect(link.contains("url=../index.html#s/a\""), "from the scenario's folder and from attachments")
    }
}
