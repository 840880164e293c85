import Foundation
import HIL
import HILPOSIX
import HILPhone
import RigModel

/// Starts this program again, as a worker.
package struct WorkerProcesses: WorkerLauncher {
    /// The hidden subcommand.
    package static let subcommand = "worker"

    private let program: String

    /// - Parameter program: The path of this program. By default the running executable, even if its file was replaced.
    package init(program: String = "/proc/self/exe") {
        // In a child, /proc/self is the child itself.
        self.program = program == "/proc/self/exe" ? "/proc/\(getpid())/exe" : program
    }

    package func launch(_ scenario: String, log: String) throws -> any RunningWorker {
        let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        let control = try Descriptor.pipe()
        let events = try Descriptor.pipe()
        let ticks = try Descriptor.memory(named: "worker-ticks")
        let home = try WorkerHome()
        // Backtraces of Swift's runtime go to the log.
        let settings = "SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,output-to=stderr,images=none,threads=crashed"
        let folders = AppHome.variables(in: home.path)
        let own = ["SWIFT_BACKTRACE"] + folders.map(\.name)
        let inherited = ProcessInfo.processInfo.environment.filter { !own.contains($0.key) }
        let child = try ChildProcess.spawn(
            [program, WorkerProcesses.subcommand, scenario, home.path, "\(WorkerMessage.version)"],
            environment: inherited.map { "\($0.key)=\($0.value)" } + [settings]
                + folders.flatMap { OwnEnvironment.entries($0.name, $0.path) },
            streams: [
                .descriptor(control.read), .descriptor(output), .descriptor(output), .descriptor(events.write),
                .descriptor(ticks),
            ],
            ownGroup: true)
        control.read.close()
        events.write.close()
        return WorkerProcess(child, control: control.write, events: events.read, ticks: ticks, home)
    }
}

/// The folder for the files of a worker's apps. It is removed with the last reference, if not before.
private final class WorkerHome: Sendable {
    let path: String

    init() throws(SystemError) {
        var template = Array("\(NSTemporaryDirectory())/hil-apps-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError(
                code: errno, action: "making a folder for the files of the apps in \(NSTemporaryDirectory())")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// The data that a worker needs besides its scenario.
struct WorkerJob: Codable {
    var rig: RigEndpoint
    var options: LabOptions
}

/// A worker, the two pipes to it, and the file of its ticks.
final class WorkerProcess: RunningWorker {
    let events: AsyncStream<WorkerLine>
    private let child: ChildProcess
    private let control: Descriptor
    private let ticksFile: Descriptor
    private let home: WorkerHome

    fileprivate init(
        _ child: ChildProcess, control: Descriptor, events descriptor: Descriptor, ticks: Descriptor, _ home: WorkerHome
    ) {
        self.home = home
        self.child = child
        self.control = control
        ticksFile = ticks
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

    var ticks: TickRecord? { TickRecord(from: ticksFile) }

    var used: Duration? { child.processorTime }

    func wait() async -> ExitStatus {
        let status = await child.wait()
        home.remove()
        return status
    }

    func begin(on rig: RigEndpoint, options: LabOptions) {
        guard let json = try? JSONEncoder().encode(WorkerJob(rig: rig, options: options)) else { return }
        try? control.write(Array("job ".utf8) + Array(json) + [UInt8(ascii: "\n")])
    }

    // An error means that the worker is already gone.
    func ask() { try? control.write(Array("standing\n".utf8)) }

    func resume() { try? control.write(Array("resume\n".utf8)) }

    func play(_ command: PlayCommand) {
        guard let json = try? JSONEncoder().encode(command) else { return }
        try? control.write(Array("play ".utf8) + Array(json) + [UInt8(ascii: "\n")])
    }

    func answer(_ reply: HandReply) {
        guard let json = try? JSONEncoder().encode(reply) else { return }
        try? control.write(Array("answer ".utf8) + Array(json) + [UInt8(ascii: "\n")])
    }

    func endWithBacktrace() { try? control.write(Array("backtrace\n".utf8)) }

    func kill() { child.signal(SIGKILL, group: true) }
}

extension WorkerLine {
    init(_ line: [UInt8]) {
        do { self = .event(try JSONDecoder().decode(WorkerMessage.self, from: Data(line))) } catch {
            self = .unreadable(PlainText.unreadable(line, error))
        }
    }
}
