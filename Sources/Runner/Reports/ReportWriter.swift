import Foundation
import HILExecution
import HILPOSIX
import HILPlainText
import HILTiming
import Synchronization

/// Writes the results of a run as they arrive: `events.jsonl` line by line, `junit.xml` after each scenario, and the
/// console.
///
/// Finished results are on the disk even if the runner crashes.
package final class ReportWriter: Sendable {
    /// The format of standard output.
    package enum Format: String, Sendable {
        /// Lines for people.
        case text
        /// The lines of `events.jsonl`.
        case json
    }

    private let folder: RunFolder
    private let root: String
    private let format: Format
    private let console: Console
    private let print: @Sendable (String) -> Void
    private let events: Descriptor
    private let losses = Mutex(Losses())
    private let state = Mutex(RunRecord())
    /// The JUnit elements of finished scenarios, so that they are made only once.
    private let finished = Mutex<[String: String]>([:])

    /// The results that could not be written.
    private struct Losses {
        /// The first error.
        var error: SystemError?
        /// The number of lines missing in `events.jsonl`.
        var lines = 0
        /// The size of `events.jsonl` in bytes.
        var size: off_t = 0
    }

    /// - Parameters:
    ///   - root: The package's folder, which is the workspace for reports.
    ///   - isTerminal: Whether standard output is a terminal, for colours and live lines if it supports them.
    ///   - print: Writes to standard output.
    package init(
        _ folder: RunFolder, root: String, format: Format, isTerminal: Bool,
        print: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        self.folder = folder
        self.root = root
        self.format = format
        self.print = print
        let terminal =
            isTerminal ? Terminal.standardOutput(environment: ProcessInfo.processInfo.environment) : .none
        console = Console(terminal, root: root, now: wallClockNanoseconds, print: print)
        events = try Descriptor.open(folder.file("events.jsonl"), O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        if format == .text { console.start() }
    }

    /// The record of the run so far.
    package var record: RunRecord { state.withLock { $0 } }

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
                return (losses.lines == 0 ? "junit.xml is not complete" : "events.jsonl lacks \(lines)", error)
            }
        }
    }

    /// Handles the next line of the run. If it cannot be written to a file, it is still shown: see ``missing``.
    package func take(_ line: RunLine) {
        let record = state.withLock { record in
            record.take(line)
            return record
        }
        let json = line.json + [UInt8(ascii: "\n")]
        // The console comes first, because a person waits for the verdict even if the disk is full.
        switch format {
        case .json: print(String(decoding: json, as: UTF8.self))
        case .text: console.take(line, record)
        }
        keep(json)
        guard let event = line.runner else { return }
        switch event {
        case .scenarioBegan, .attemptBegan: return
        default: break
        }
        if case .scenarioEnded = event, let entry = record[line.scenario ?? ""] { link(entry) }
        let document = finished.withLock { finished in
            let junit = JUnit(record, root: root, finished: finished) { [self] in
                attachments(of: $0).map(\.link).map(pathFromRoot)
            }
            if let name = line.scenario, let entry = record[name], entry.result != nil {
                finished[name] = junit.testcase(entry)
            }
            return junit.document
        }
        do { try replaceFile(folder.file("junit.xml"), with: document.utf8) } catch {
            losses.withLock { $0.error = $0.error ?? error }
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
                let action = "writing \(folder.file("events.jsonl"))"
                losses.error = losses.error ?? SystemError(code: error.code, action: action)
            }
        }
    }

    /// The files to attach to a scenario, and their links, whose names are unique in the run.
    private func attachments(of entry: RunRecord.Entry) -> [(file: String, link: String)] {
        guard let result = entry.result else { return [] }
        // For a scenario that passed, the capture is enough.
        let names = result.judgement.verdict == .passed ? Array(result.evidence.prefix(1)) : result.evidence
        return names.map { name in
            let flat = "\(entry.info.folder).\(name.replacing("/", with: "."))"
            return (folder.file("\(entry.info.folder)/\(name)"), folder.file("attachments/\(flat)"))
        }
    }

    /// Makes hard links to the attachments, because copies need space, and collectors of artifacts do not follow
    /// symbolic links. A failure is ignored: the file itself exists.
    private func link(_ entry: RunRecord.Entry) {
        mkdir(folder.file("attachments"), 0o755)
        for (file, link) in attachments(of: entry) { _ = Glibc.link(file, link) }
    }

    private func pathFromRoot(_ path: String) -> String {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
    }
}
