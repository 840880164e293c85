import Execution
import Foundation
import POSIX
import PlainText
import Synchronization
import Timing

/// Keeps the results of a run as they come: `events.jsonl` line by line, `junit.xml` after each scenario, and the console.
///
/// What is finished is on the disk, whatever becomes of the runner.
package final class ReportWriter: Sendable {
    /// What goes to standard output.
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
    /// The JUnit elements of scenarios that are through, so that a long run does not make them again and again.
    private let finished = Mutex<[String: String]>([:])

    /// What could not be kept.
    private struct Losses {
        /// The first reason.
        var error: SystemError?
        /// How many lines `events.jsonl` lacks.
        var lines = 0
        /// How many bytes it has.
        var size: off_t = 0
    }

    /// - Parameters:
    ///   - root: The package's folder: the workspace, for reports.
    ///   - isTerminal: Whether somebody at a terminal reads along: colours and live lines, as far as it can show them.
    ///   - print: Takes what goes to standard output.
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

    /// What is known of the run so far.
    package var record: RunRecord { state.withLock { $0 } }

    /// Says something to who is to look at a rig, and draws nothing over it until they have.
    ///
    /// - Parameter isDone: Returns when they have.
    package func pause(_ message: String, until isDone: @Sendable () async -> Void) async {
        // Events have no place for it: then it goes where a person may still see it.
        switch format {
        case .text: console.hold(PlainText.lines(message))
        case .json: try? Descriptor(adopting: dup(STDERR_FILENO)).write(Array(PlainText.lines(message).utf8))
        }
        await isDone()
        console.release()
    }

    /// What of the results is missing, and why; nil when all was kept.
    package var missing: (what: String, error: SystemError)? {
        losses.withLock { losses in
            losses.error.map { error in
                let lines = losses.lines == 1 ? "1 line" : "\(losses.lines) lines"
                return (losses.lines == 0 ? "junit.xml is not complete" : "events.jsonl lacks \(lines)", error)
            }
        }
    }

    /// Takes the next line of the run. What cannot be kept, for the disk is full, is told all the same: see ``missing``.
    package func take(_ line: RunLine) {
        let record = state.withLock { record in
            record.take(line)
            return record
        }
        let json = line.json + [UInt8(ascii: "\n")]
        // Said first: a full disk must not keep a verdict from the person who waits for it.
        switch format {
        case .json: print(String(decoding: json, as: UTF8.self))
        case .text: console.take(line, record)
        }
        keep(json)
        guard let event = line.runner else { return }
        if case .scenarioBegan = event { return }
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

    /// Adds a line to `events.jsonl`, whole or not at all.
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

    /// Files to offer with a scenario, and their links, whose names are unique in the run.
    private func attachments(of entry: RunRecord.Entry) -> [(file: String, link: String)] {
        guard let result = entry.result else { return [] }
        // Of what passed, the packets will do.
        let names = result.judgement.verdict == .passed ? Array(result.evidence.prefix(1)) : result.evidence
        return names.map { name in
            let flat = "\(entry.info.folder).\(name.replacing("/", with: "."))"
            return (folder.file("\(entry.info.folder)/\(name)"), folder.file("attachments/\(flat)"))
        }
    }

    /// Hard links: copies cost space, and collectors of artifacts do not follow symbolic ones. What cannot be linked is
    /// no reason to fail: the file itself is there.
    private func link(_ entry: RunRecord.Entry) {
        mkdir(folder.file("attachments"), 0o755)
        for (file, link) in attachments(of: entry) { _ = Glibc.link(file, link) }
    }

    private func pathFromRoot(_ path: String) -> String {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
    }
}
