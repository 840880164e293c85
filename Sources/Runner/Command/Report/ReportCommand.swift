import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import HILReports
import HILRules

/// `hil report`: writes the page of earlier runs, and one JUnit file of several.
struct ReportCommand {
    let request: Request.Reporting
    /// The folder of the runs' folders.
    let results: String
    /// The package's folder.
    let root: String
    let rules: [Rule]
    /// Called with the lines to print.
    let say: ([String]) -> Void
    /// Called with a message that is not a result.
    let note: (String) -> Void

    /// A run and its folder.
    private struct ReadRun {
        let record: RunRecord
        let folder: String
        let page: RunPage
    }

    /// - Returns: The exit code.
    func run() throws -> Int32 {
        let names = request.runs.isEmpty ? ["latest"] : request.runs
        var runs: [ReadRun] = []
        for name in names {
            let run = try read(name)
            // `latest` and its own name are one run.
            if !runs.contains(where: { $0.folder == run.folder }) { runs.append(run) }
        }
        if let file = request.singleFile {
            try writeSingle(runs, to: file)
        } else {
            try write(runs)
        }
        if request.junit != nil || runs.count > 1,
            let file = request.junit ?? folder(of: runs).map({ "\($0)/junit.xml" })
        {
            try writeJUnit(runs, to: file)
        }
        return 0
    }

    /// Where the page of the runs goes; nil for a page in one file.
    private func folder(of runs: [ReadRun]) -> String? {
        if request.singleFile != nil { return nil }
        if runs.count == 1, request.folder == nil { return runs[0].folder }
        return URL(fileURLWithPath: request.folder ?? "\(results)/report").standardizedFileURL.path
    }

    /// Writes the files of all scenarios into the runs' folders, and the page.
    private func write(_ runs: [ReadRun]) throws {
        for run in runs {
            try AuditJSON.write(run.record, in: run.folder)
            for entry in run.record.entries where entry.result != nil || entry.isInterrupted {
                try run.page.write(entry, of: run.record)
            }
        }
        guard let folder = folder(of: runs) else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let sources = runs.map { Page.Source($0.record, path: RelativePath.from(folder, to: $0.folder)) }
        try PageFiles(folder: folder, root: root).write(try page(sources))
        say([Self.address(of: "\(folder)/\(PageFiles.page)")])
    }

    private func writeSingle(_ runs: [ReadRun], to file: String) throws {
        let sources = runs.map { run in
            // The names of the runs keep their files apart.
            Page.Source(run.record, path: runs.count == 1 ? "" : URL(fileURLWithPath: run.folder).lastPathComponent)
        }
        var contents = PageContents()
        contents.add(sources, root: root) { place, path in
            FileManager.default.contents(atPath: "\(runs[place].folder)/\(path)")
        } before: { place, entry in
            guard let pass = try? runs[place].page.lastPass(of: entry, in: runs[place].record),
                let timeline = FileManager.default.contents(atPath: "\(pass.folder)/timeline.json")
            else { return nil }
            return (pass.run, timeline)
        }
        let document = try page(sources).document(in: PageDocuments.get(), with: contents)
        try replaceFile(URL(fileURLWithPath: file).standardizedFileURL.path, with: document)
        if contents.leftOut > 0 {
            let files = contents.leftOut == 1 ? "1 file has" : "\(contents.leftOut) files have"
            note("\(files) no room in \(file): the page says what is missing")
        }
        say([Self.address(of: file)])
    }

    private func page(_ sources: [Page.Source]) throws -> Page {
        Page(sources, news: try news(of: sources.map(\.record))?.page, rules: RunPage.rules(rules), root: root)
    }

    /// What is new in the runs since their baseline.
    private func news(of records: [RunRecord]) throws -> RunNews? {
        let run = ComparedRun(records)
        guard let baseline = try request.baseline.find(for: run, in: results) else { return nil }
        return RunNews(
            baseline: baseline, comparison: RunComparing(results: results, note: note).compare(baseline, run))
    }

    private func writeJUnit(_ runs: [ReadRun], to file: String) throws {
        var known: Set<String> = []
        let suites = runs.map { run in
            // The same scenario in two runs needs two names.
            let names = Set(run.record.entries.map { "\($0.info.file) \($0.info.title)" })
            let isOther = !known.isDisjoint(with: names)
            known.formUnion(names)
            let name = URL(fileURLWithPath: run.folder).lastPathComponent
            let evidence = run.folder.hasPrefix(root + "/") ? String(run.folder.dropFirst(root.count + 1)) : run.folder
            return JUnit(run.record, root: root, flavor: request.flavor, prefix: isOther ? "\(name)." : "") { entry in
                guard let result = entry.result else { return [] }
                var files = result.judgement.verdict == .passed ? Array(result.evidence.prefix(1)) : result.evidence
                let page = "\(run.folder)/\(entry.info.folder)/\(RunInfo.Entry.page)"
                // Earlier formats list it.
                if !files.contains(RunInfo.Entry.page), FileManager.default.fileExists(atPath: page) {
                    files.insert(RunInfo.Entry.page, at: 0)
                }
                return files.map { "\(evidence)/attachments/\(entry.info.folder).\($0.replacing("/", with: "."))" }
            }
        }
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        try replaceFile(path, with: JUnit.document(of: suites).utf8)
        say([path])
    }

    /// Reads a run by its folder or its name in the results.
    private func read(_ name: String) throws -> ReadRun {
        let places = [name, "\(results)/\(name)"]
        let found = places.first { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") } ?? name
        // `latest` is a link, whose target the page must name.
        let folder = URL(fileURLWithPath: found).resolvingSymlinksInPath().path
        let record: RunRecord
        do { record = try RunRecord.read(in: folder) } catch { throw UsageError(description: "\(error)") }
        let page = RunPage(folder: folder, results: results, root: root, rules: rules)
        return ReadRun(record: record, folder: folder, page: page)
    }

    /// The address of a file for a browser.
    static func address(of path: String) -> String { URL(fileURLWithPath: path).absoluteString }
}

/// Paths from one folder to another.
enum RelativePath {
    /// - Parameters: Absolute paths without `.` and `..`.
    /// - Returns: Empty for the folder itself.
    static func from(_ folder: String, to other: String) -> String {
        let (start, end) = (folder.split(separator: "/"), other.split(separator: "/"))
        let common = zip(start, end).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: start.count - common) + end.dropFirst(common)).joined(separator: "/")
    }
}
