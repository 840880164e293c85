import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import HILTiming

/// A runner in a separate process that writes its events to standard output.
package final class RunnerProcess: Sendable {
    package let process: ChildProcess
    /// Its events so far. The log ends with an error when its standard output ends.
    package let lines = EventLog<RunLine>()

    /// - Parameters:
    ///   - program: The name of a program beside this test's own program.
    ///   - environment: Variables in addition to those of this process.
    ///   - prefix: Words in front of the command: a program that starts it in some way.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], after prefix: [String] = []
    ) throws {
        let pipe = try Descriptor.pipe()
        process = try ChildProcess.spawn(
            prefix + [RunnerProcess.path(of: program)] + arguments,
            environment: RunnerProcess.environment + environment.map { "\($0.key)=\($0.value)" },
            streams: [.null, .descriptor(pipe.write), .null])
        pipe.write.close()
        startThread(named: "runner") { [lines] in
            var reader = LineSplitter()
            while let bytes = try? pipe.read.read(), !bytes.isEmpty {
                for line in reader.push(bytes) {
                    if let line = try? JSONDecoder().decode(RunLine.self, from: Data(line)) { lines.append(line) }
                }
            }
            lines.finish(throwing: CancellationError())
        }
    }

    /// The environment of this process without rebuilding, which would wait forever for the SwiftPM that runs the
    /// tests.
    package static var environment: [String] {
        ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" } + ["HIL_NO_BUILD=1"]
    }

    /// The path of a program that is built with the tests.
    package static func path(of program: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(program).path
    }

    /// The results of a process that has ended.
    package func end() async -> (status: HILPOSIX.ExitStatus, record: RunRecord) {
        let status = await process.wait()
        _ = try? await lines.first(within: .seconds(300), waitingFor: "the end", where: { _ in false })
        var record = RunRecord()
        for line in lines.events { record.take(line) }
        return (status, record)
    }

    /// Waits until a step of this scenario has begun.
    package func step(of scenario: String) async throws {
        _ = try await lines.first(within: .seconds(120), waitingFor: "a step of \(scenario)") { line in
            if case .stepBegan? = line.worker { line.scenario == scenario } else { false }
        }
    }

    /// The process with all its descendants.
    package func family() -> [RunningProcess] {
        let all = RunningProcess.all()
        var family = all.filter { $0.identifier == process.pid }
        while true {
            let known = Set(family.map(\.identifier))
            let more = all.filter { known.contains($0.parent) && !known.contains($0.identifier) }
            if more.isEmpty { return family }
            family += more
        }
    }
}

/// A process of this machine.
package struct RunningProcess: Sendable, Hashable {
    package let identifier: pid_t
    package let parent: pid_t
    /// Its arguments, separated by spaces.
    package let command: String
    /// When it started, in ticks. Together with the identifier it is unique.
    private let start: String

    /// All running processes.
    package static func all() -> [RunningProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap(RunningProcess.init)
    }

    private init?(_ identifier: pid_t) {
        // Identifier, name in parentheses, state, parent; the start is field 22 (proc(5)).
        guard let status = FileManager.default.contents(atPath: "/proc/\(identifier)/stat"),
            let line = FileManager.default.contents(atPath: "/proc/\(identifier)/cmdline")
        else { return nil }
        let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19, fields[0] != "Z", let parent = pid_t(fields[1]) else { return nil }
        self.identifier = identifier
        self.parent = parent
        command = String(decoding: line.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        start = String(fields[19])
    }

    /// Whether it still runs.
    package var isRunning: Bool {
        guard let now = RunningProcess(identifier) else { return false }
        return now.start == start
    }
}
