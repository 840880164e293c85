import Framing
import Glibc
import POSIX
import Synchronization
import Timing

/// A program that serves the agent: started and ended by it, with every line that it prints in the journal.
final class Daemon: Sendable {
    /// Its name in the journal and in events.
    let name: String
    /// How many of its lines are kept for ``waitForLine(containing:within:)``; the journal has all.
    static let keptLines = 200
    /// Where a line goes on in a new one of the journal, bytes.
    private static let longestLine = 4096
    /// The last lines that it printed.
    let lines = EventLog<String>(keepingAtMost: keptLines)
    private let child: ChildProcess
    private let isStopping = Mutex(false)

    /// How a daemon's end is told: its name, and how it ended.
    typealias LossHandler = @Sendable (_ name: String, _ how: String) -> Void

    /// Starts a program, which goes with the agent, however that ends.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments; never a secret, any user of the board can read them.
    ///   - lost: Called when it ends without having been asked to.
    init(
        _ name: String, _ arguments: [String], environment: [String]? = nil, journal: Journal,
        lost: @escaping LossHandler
    ) async throws(SystemError) {
        self.name = name
        let pipe = try Descriptor.pipe()
        child = try ChildProcess.spawn(
            arguments, environment: environment,
            streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)], atParentDeath: .kill)
        pipe.write.close()
        startThread(named: "log-\(name)") { [lines, read = pipe.read] in
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

    /// What the kernel's crash handler left of a process, for the end of a sentence and for the journal; empty where it
    /// ended otherwise.
    private static func crashReport(of pid: pid_t, to journal: Journal) -> String {
        let lines = CrashHandler.takeReports(of: pid).flatMap { $0 }
        for line in lines { journal.write(line, from: Journal.crashes) }
        return lines.map { "\n" + $0 }.joined()
    }

    /// Ends it by a signal, as a fault would; its loss is told like any other. Returns when it has ended.
    func kill(by signal: Int32) async {
        child.signal(signal)
        _ = await child.wait()
    }

    /// Whether it still runs.
    var isRunning: Bool { child.status == nil }

    /// Ends it: asks, and after `patience` kills.
    func stop(patience: Duration = .seconds(2)) async {
        isStopping.withLock { $0 = true }
        child.signal(SIGTERM)
        let child = child
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await child.wait() }
            group.addTask {
                // Cut short when the child has ended.
                guard (try? await ContinuousClock().sleep(for: patience)) != nil else { return }
                child.signal(SIGKILL)
            }
            await group.next()
            group.cancelAll()
        }
        _ = await child.wait()
    }

    /// Returns once it printed a line that contains `text`.
    func waitForLine(containing text: String, within limit: Duration) async throws {
        _ = try await lines.first(within: limit, waitingFor: "\(name) to say “\(text)”") { $0.contains(text) }
    }
}

/// A daemon ended while something was expected of it.
struct DaemonEnded: Error, CustomStringConvertible {
    let name: String
    let status: ExitStatus

    var description: String { "\(name) \(status); the journal has what it said" }
}
