import Glibc
import HILPOSIX
import HILTiming
import Synchronization

/// A program that the agent starts and ends. Every line that it prints goes into the journal.
final class Daemon: Sendable {
    /// Its name in the journal and in events.
    let name: String
    /// How many of its lines are kept for ``waitForLine(containing:within:)``. The journal has all lines.
    static let keptLines = 200
    /// The longest line in the journal, in bytes. The rest of a longer line goes into a new one.
    private static let longestLine = 4096
    /// The latest lines that it printed.
    let lines = EventLog<String>(keepingAtMost: keptLines)
    /// An event when all of its output is read.
    private let outputEnd = EventLog<Void>()
    private let child: ChildProcess
    private let isStopping = Mutex(false)

    /// Handles the unexpected end of a daemon: its name, and how it ended.
    typealias LossHandler = @Sendable (_ name: String, _ how: String) -> Void

    /// Starts a program. It ends with the agent in every case.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments. They must hold no secret, as any user of the board can read them.
    ///   - descriptors: Its descriptors from 3 on. This process closes its own copies.
    ///   - lost: Called when the program ends unexpectedly.
    init(
        _ name: String, _ arguments: [String], environment: [String]? = nil, descriptors: [Descriptor] = [],
        journal: Journal, lost: @escaping LossHandler
    ) async throws(SystemError) {
        self.name = name
        let pipe = try Descriptor.pipe()
        child = try ChildProcess.spawn(
            arguments, environment: environment,
            streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)] + descriptors.map { .descriptor($0) },
            atParentDeath: .kill)
        // Otherwise a close by the program would go unnoticed.
        for end in [pipe.write] + descriptors { end.close() }
        startThread(named: "log-\(name)") { [lines, outputEnd, read = pipe.read] in
            defer { outputEnd.append(()) }
            var splitter = LineSplitter(limit: Daemon.longestLine, overlong: .cut)
            func take(_ line: [UInt8]) {
                let line = String(decoding: line, as: UTF8.self)
                journal.write(line, from: name)
                lines.append(line)
            }
            while let bytes = try? read.read(), !bytes.isEmpty { splitter.push(bytes).forEach(take) }
            if let line = splitter.finish() { take(line) }
        }
        Task {
            let status = await child.wait()
            lines.finish(throwing: DaemonEnded(name: name, status: status))
            guard !isStopping.withLock({ $0 }) else { return }
            journal.write("\(name) \(status)", from: "agent")
            lost(name, "it \(status)" + Daemon.crashReport(of: child.pid, to: journal))
        }
    }

    /// The report of the kernel's crash handler on a process, to append to a sentence. Also written to the journal.
    /// Empty if the process did not crash.
    private static func crashReport(of pid: pid_t, to journal: Journal) -> String {
        let lines = CrashHandler.takeReports(of: pid).flatMap { $0 }
        for line in lines { journal.write(line, from: Journal.crashes) }
        return lines.map { "\n" + $0 }.joined()
    }

    /// Ends it by a signal, as a fault would. The end is reported as usual. Returns when it has ended.
    func kill(by signal: Int32) async {
        child.signal(signal)
        _ = await child.wait()
    }

    /// Waits until it ends, and says how, with its last line.
    ///
    /// - Throws: `CancellationError`.
    func earlyEnd() async throws -> String {
        do {
            _ = try await lines.first(within: .seconds(1_000_000), waitingFor: "the end of \(name)") { _ in false }
        } catch let ended as DaemonEnded {
            // A child of it may keep the pipe open.
            _ = try? await outputEnd.first(within: .seconds(1), waitingFor: "its output")
            let line = lines.events.last.map { "; its last line: \($0)" } ?? ", and printed nothing"
            return "it \(ended.status)\(line)"
        }
        return "it ended"
    }

    /// Its process.
    var process: pid_t { child.pid }

    /// Whether it still runs.
    var isRunning: Bool { child.status == nil }

    /// Ends it: asks first, and kills it after `gracePeriod`.
    func stop(gracePeriod: Duration = .seconds(2)) async {
        isStopping.withLock { $0 = true }
        child.signal(SIGTERM)
        let child = child
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await child.wait() }
            group.addTask {
                // Cancelled when the child has ended.
                guard (try? await ContinuousClock().sleep(for: gracePeriod)) != nil else { return }
                child.signal(SIGKILL)
            }
            await group.next()
            group.cancelAll()
        }
        _ = await child.wait()
    }

    /// Waits until it has printed a line that contains `text`.
    func waitForLine(containing text: String, within limit: Duration) async throws {
        _ = try await lines.first(within: limit, waitingFor: "\(name) to say “\(text)”") { $0.contains(text) }
    }
}

/// A daemon ended while something waited for its output.
struct DaemonEnded: Error, CustomStringConvertible {
    let name: String
    let status: ExitStatus

    var description: String { "\(name) \(status); its output is in the journal" }
}
