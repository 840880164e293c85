import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// Runs helper programs of the system to their end.
enum Tool {
    /// The result of a program.
    struct Outcome: Sendable {
        let status: ExitStatus
        /// The last 64 KiB of standard output and standard error, in the order of arrival.
        let output: String

        /// The last lines that are not empty, joined to one line.
        func tail(_ count: Int = 3) -> String { lastLines(of: output, count) }
    }

    /// Runs a program, and waits for its end.
    ///
    /// The program ends with this process at the latest. Ctrl-C does not reach it; cancelling the task ends it, with
    /// time to clean up.
    ///
    /// - Parameters:
    ///   - package: The Debian package of the program, for the error if it is missing.
    ///   - action: What is being done, for errors.
    ///   - environment: Variables in addition to those of this process. Messages are always in English.
    ///   - limit: The program is ended after this time.
    ///   - log: A file for a copy of all its output.
    ///   - eachLine: Called with every line of its output as it arrives.
    static func run(
        _ arguments: [String], package: String, for action: String, environment: [String: String] = [:],
        within limit: Duration, log: String? = nil, eachLine: (@Sendable (String) -> Void)? = nil
    ) async throws(RigFailure) -> Outcome {
        let child: ChildProcess
        let output: OutputTail
        do {
            let copy = try log.map { path in try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND) }
            let pipe = try Descriptor.pipe()
            child = try ChildProcess.spawn(
                arguments, environment: merged(environment),
                streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)], ownGroup: true,
                atParentDeath: .terminate)
            pipe.write.close()
            output = OutputTail(pipe.read, log: copy, eachLine: eachLine)
        } catch {
            if (error as? SystemError)?.code == ENOENT {
                throw .missing(arguments[0], package: package, for: action)
            }
            throw .wrapping(error, while: action)
        }
        do {
            let status = try await withDeadline(limit, waitingFor: "\(arguments[0]) to end") {
                await withTaskCancellationHandler {
                    await child.wait()
                } onCancel: {
                    end(child)
                }
            }
            return Outcome(status: status, output: await output.whole())
        } catch { throw .wrapping(error, while: action) }
    }

    /// Ends a program, with 10 s to clean up: mmdebstrap has mounts to undo.
    private static func end(_ child: ChildProcess) {
        child.signal(SIGTERM)
        Task {
            try await Task.sleep(for: .seconds(10))
            child.signal(SIGKILL)
        }
    }

    private static func merged(_ changes: [String: String]) -> [String] {
        // In English, because error messages are searched for words.
        ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }.merging(changes) { $1 }
            .map { "\($0)=\($1)" }
    }
}

/// Keeps the end of a program's output, which a thread reads until the pipe ends.
final class OutputTail: Sendable {
    private static let limit = 64 << 10
    private let bytes = Mutex<[UInt8]>([])
    private let ended = EventLog<Bool>()

    /// Reads a pipe to its end, copying to `log`.
    init(_ pipe: Descriptor, log: Descriptor? = nil, eachLine: (@Sendable (String) -> Void)? = nil) {
        startThread(named: "output") { [self] in
            var lines = LineSplitter(limit: OutputTail.limit)
            while let more = try? pipe.read(), !more.isEmpty {
                try? log?.write(more)
                if let eachLine {
                    for line in lines.push(more) { eachLine(String(decoding: line, as: UTF8.self)) }
                }
                bytes.withLock { $0 = Array(($0 + more).suffix(OutputTail.limit)) }
            }
            ended.append(true)
        }
    }

    /// The output so far, at most the last 64 KiB.
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The output of a program that has ended. Waits at most one second, in case a grandchild still runs.
    func whole() async -> String {
        _ = try? await ended.first(within: .seconds(1), waitingFor: "the end of the output")
        return text
    }
}

/// The last lines of a text that are not empty, joined to one line.
func lastLines(of text: String, _ count: Int) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        .suffix(count).joined(separator: " | ")
}
