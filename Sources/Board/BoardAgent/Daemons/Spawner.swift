import Glibc
import HILPOSIX
import HILTiming

/// Runs programs that end on their own.
enum Spawner {
    /// Runs a program, and returns everything that it prints.
    static func output(
        of arguments: [String], environment: [String]? = nil, within limit: Duration
    ) async throws -> String {
        let pipe = try Descriptor.pipe()
        // Not tied to the agent's life, because that needs two more programs, and it ends soon anyway.
        let child = try ChildProcess.spawn(
            arguments, environment: environment, streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)])
        pipe.write.close()
        let printed = EventLog<String>()
        startThread(named: "output") { [read = pipe.read] in
            var bytes: [UInt8] = []
            while let more = try? read.read(), !more.isEmpty { bytes += more }
            printed.append(String(decoding: bytes, as: UTF8.self))
        }
        do {
            // The output is complete when no process has the pipe open.
            return try await printed.first(within: limit, waitingFor: "\(arguments[0]) to end").event
        } catch {
            child.signal(SIGKILL)
            throw error
        }
    }
}
