import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import Synchronization

/// Writes the results of a run as they arrive: `events.jsonl` line by line, `junit.xml` after each scenario, the
/// console, and at the end `summary.md`, which is also appended to GitHub's summary of the step.
///
/// Finished results are on the disk even if the runner crashes.
package final class ReportWriter: RunObserver {
    /// The format of standard output.
    package enum Format: String, Sendable {
        /// Lines for people.
        case text
        /// The lines of `events.jsonl`.
        case json
    }

    private let folder: String
    private let root: String
    private let format: Format
    private let flavor: JUnit.Flavor
    private let stepSummary: String?
    private let console: Console
    private let print: @Sendable (String) -> Void
    private let events: Descriptor
    private let losses = Mutex(Losses())
    private let junit: JUnitFile

    /// The results that could not be written.
    private struct Losses {
        /// The first error.
        var error: SystemError?
        /// The file that the first error is about.
        var file = ""
        /// The number of lines missing in `events.jsonl`.
        var lines = 0
        /// Why GitHub's summary of the step lacks the run.
        var stepSummary: SystemError?
        /// The size of `events.jsonl` in bytes.
        var size: off_t = 0
    }

    /// - Parameters:
    ///   - folder: The run's folder.
    ///   - root: The package's folder, which is the workspace for reports.
    ///   - flavor: The dialect of `junit.xml`.
    ///   - stepSummary: The file that GitHub shows as the summary of the step, to which Markdown is appended; nil elsewhere.
    ///   - isTerminal: Whether standard output is a terminal, for colours and live lines if it supports them.
    ///   - print: Writes to standard output.
    package init(
        _ folder: String, root: String, format: Format, flavor: JUnit.Flavor = .plain, stepSummary: String? = nil,
        isTerminal: Bool, print: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        self.flavor = flavor
        self.stepSummary = stepSummary
        self.folder = folder
        self.root = root
        self.format = format
        self.print = print
        junit = JUnitFile("\(folder)/junit.xml")
        let terminal =
            isTerminal ? Terminal.standardOutput(environment: ProcessInfo.processInfo.environment) : .none
        console = Console(terminal, root: root, now: wallClockNanoseconds, print: print)
        events = try Descriptor.open("\(folder)/events.jsonl", O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        if format == .text { console.start() }
    }

    /// Shows a message to the person who looks at a rig, and draws nothing else until they have finished.
    ///
    /// - Parameter isDone: Returns when they have finished.
    package func pause(_ message: String, until isDone: @Sendable () async -> Void) async {
        // JSON lines have no place for it, so it goes to standard error.
        switch format {
        case .text: console.hold(PlainText.lines(message))
        case .json: try? Descriptor(adopting: dup(STDERR_FILENO)).write(Array(PlainText.lines(message).utf8))
        }
        await isDone()
        console.release()
    }

    /// The part of the results that is missing, and why; nil if all were written.
    package var missing: (what: String, error: SystemError)? {
        losses.withLock { losses in
            losses.error.map { error in
                let lines = losses.lines == 1 ? "1 line" : "\(losses.lines) lines"
                return (losses.lines == 0 ? "\(losses.file) is not complete" : "events.jsonl lacks \(lines)", error)
            }
        }
    }

    /// Why GitHub's summary of the step lacks the run; nil if it has it. The run's own results do not depend on it.
    package var stepSummaryError: SystemError? { losses.withLock { $0.stepSummary } }

    /// Handles the next line of the run. If it cannot be written to a file, it is still shown: see ``missing``.
    package func take(_ line: RunLine, _ record: RunRecord) {
        let json = line.json + [UInt8(ascii: "\n")]
        // The console comes first, because a person waits for the verdict even if the disk is full.
        switch format {
        case .json: print(String(decoding: json, as: UTF8.self))
        case .text: console.take(line, record)
        }
        keep(json)
        switch line.runner {
        case nil, .scenarioBegan?, .attemptBegan?:
            if junit.isDue { writeJUnit(record, ended: nil) }
        case .scenarioEnded?:
            let entry = record[line.scenario ?? ""]
            if let entry { link(entry) }
            writeJUnit(record, ended: entry)
        case .runEnded?:
            writeJUnit(record, ended: nil, isLast: true)
            summarise(record)
            note(AuditJSON.name) { () throws(SystemError) in try AuditJSON.write(record, in: folder) }
        default: writeJUnit(record, ended: nil)
        }
    }

    private func writeJUnit(_ record: RunRecord, ended: RunRecord.Entry?, isLast: Bool = false) {
        let document = JUnit(record, root: root, flavor: flavor) { [self] in
            attachments(of: $0).map(\.link).map(pathFromRoot)
        }
        note("junit.xml") { () throws(SystemError) in
            try junit.write(document, of: record, ended: ended, isLast: isLast)
        }
    }

    /// Writes `summary.md`, and appends it to GitHub's summary of the step.
    private func summarise(_ record: RunRecord) {
        let markdown = Markdown(record, root: root)
        note("summary.md") { () throws(SystemError) in
            try replaceFile("\(folder)/summary.md", with: markdown.document().utf8)
        }
        guard let stepSummary else { return }
        do throws(SystemError) {
            let file = try Descriptor.open(stepSummary, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
            // What an earlier command of the step wrote counts as well.
            var status = stat()
            let written = fstat(file.raw, &status) == 0 ? Int(status.st_size) : 0
            try file.write(Array(markdown.document(limit: Markdown.limit - written).utf8))
        } catch { losses.withLock { $0.stepSummary = error } }
    }

    /// Does something, and remembers its error for ``missing``.
    private func note(_ file: String, _ work: () throws(SystemError) -> Void) {
        do throws(SystemError) { try work() } catch {
            losses.withLock { losses in
                guard losses.error == nil else { return }
                (losses.error, losses.file) = (error, file)
            }
        }
    }

    /// Adds a line to `events.jsonl`, completely or not at all.
    private func keep(_ line: [UInt8]) {
        losses.withLock { losses in
            do throws(SystemError) {
                try events.write(line)
                losses.size += off_t(line.count)
            } catch {
                ftruncate(events.raw, losses.size)
                losses.lines += 1
                let action = "writing \(folder)/events.jsonl"
                losses.error = losses.error ?? SystemError(code: error.code, action: action)
            }
        }
    }

    /// The files to attach to a scenario, and their links, whose names are unique in the run.
    private func attachments(of entry: RunRecord.Entry) -> [(file: String, link: String)] {
        guard let result = entry.result else { return [] }
        // For a scenario that passed, the capture is enough. A CI that shows one file of any other leads to its page.
        var names = result.judgement.verdict == .passed ? Array(result.evidence.prefix(1)) : result.evidence
        let page = "\(entry.info.folder)/\(RunInfo.Entry.page)"
        if access("\(folder)/\(page)", F_OK) == 0 { names.insert(RunInfo.Entry.page, at: 0) }
        return names.map { name in
            let flat = "\(entry.info.folder).\(name.replacing("/", with: "."))"
            return ("\(folder)/\(entry.info.folder)/\(name)", "\(folder)/attachments/\(flat)")
        }
    }

    /// Makes hard links to the attachments, because copies need space, and collectors of artifacts do not follow
    /// symbolic links. A failure is ignored: the file itself exists.
    private func link(_ entry: RunRecord.Entry) {
        mkdir("\(folder)/attachments", 0o755)
        for (file, link) in attachments(of: entry) { _ = Glibc.link(file, link) }
    }

    private func pathFromRoot(_ path: String) -> String {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
    }
}
