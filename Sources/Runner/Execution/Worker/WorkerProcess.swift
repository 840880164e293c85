import Foundation
import Framing
import HIL
import POSIX
import PlainText
import RigModel

/// Starts this program again, as a worker.
package struct WorkerProcesses: WorkerLauncher {
    /// The hidden subcommand.
    package static let subcommand = "worker"

    private let program: String

    /// - Parameter program: This program; by default as the kernel knows it, even if its file was replaced.
    package init(program: String = "/proc/self/exe") {
        // A child has another self: give it ours.
        self.program = program == "/proc/self/exe" ? "/proc/\(getpid())/exe" : program
    }

    package func launch(
        _ scenario: String, on rig: RigEndpoint, options: LabOptions, log: String
    ) throws -> any RunningWorker {
        let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        let control = try Descriptor.pipe()
        let events = try Descriptor.pipe()
        let job = WorkerJob(rig: rig, options: options)
        let text = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
        // Swift's own backtrace, of a trap or because it is asked for, goes to the log.
        let settings = "SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,output-to=stderr,images=none,threads=crashed"
        let inherited = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_BACKTRACE" }
        let child = try ChildProcess.spawn(
            [program, WorkerProcesses.subcommand, scenario, text, "\(StampedEvent.version)"],
            environment: inherited.map { "\($0.key)=\($0.value)" } + [settings],
            streams: [
                .descriptor(control.read), .descriptor(output), .descriptor(output), .descriptor(events.write),
            ],
            ownGroup: true)
        control.read.close()
        events.write.close()
        return WorkerProcess(child, control: control.write, events: events.read)
    }
}

/// What a worker needs beside its scenario.
struct WorkerJob: Codable {
    var rig: RigEndpoint
    var options: LabOptions
}

/// A worker and the two pipes to it.
final class WorkerProcess: RunningWorker {
    let events: AsyncStream<WorkerLine>
    private let child: ChildProcess
    private let control: Descriptor

    init(_ child: ChildProcess, control: Descriptor, events descriptor: Descriptor) {
        self.child = child
        self.control = control
        let (events, continuation) = AsyncStream<WorkerLine>.makeStream()
        self.events = events
        startThread(named: "worker-events") {
            var lines = LineSplitter()
            while let bytes = try? descriptor.read(), !bytes.isEmpty {
                for line in lines.push(bytes) { continuation.yield(WorkerLine(line)) }
            }
            if let line = lines.finish() { continuation.yield(WorkerLine(line)) }
            continuation.finish()
        }
    }

    deinit { kill() }

    var processorTime: ProcessorTime? { ProcessorTime(of: child.pid) }

    func wait() async -> ExitStatus { await child.wait() }

    // A worker that is gone already needs no asking.
    func ask() { try? control.write(Array("standing\n".utf8)) }

    func resume() { try? control.write(Array("resume\n".utf8)) }

    func endWithBacktrace() { try? control.write(Array("backtrace\n".utf8)) }

    func kill() { child.signal(SIGKILL, group: true) }
}

extension WorkerLine {
    init(_ line: [UInt8]) {
        do { self = .event(try JSONDecoder().decode(StampedEvent.self, from: Data(line))) } catch {
            self = .unreadable(PlainText.unreadable(line, error))
        }
    }
}
