import Glibc
import HILPOSIX
import HILTiming
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs a command that ends on its own: a hook, on the runner's machine or on a board.
package enum CommandRun {
    /// How many bytes of the output are kept: the last 256 KiB.
    package static let outputLimit = 256 << 10
    /// How long to wait for the output of processes that outlive the command.
    private static let endLimit = Duration.milliseconds(500)

    /// Runs a command, and returns how it ended and what it printed.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments. No shell is involved.
    ///   - environment: `NAME=value` strings.
    ///   - folder: The working folder.
    ///   - limit: After this time, the command and its process group are killed.
    /// - Throws: ``HILPOSIX/SystemError`` if it cannot be started.
    package static func run(
        _ command: [String], environment: [String], in folder: String, within limit: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> CommandOutcome {
        let pipe = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            ["env", "-C", folder, "--"] + command, environment: environment,
            streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)], ownGroup: true)
        pipe.write.close()
        let kept = Kept()
        let ended = EventLog<ProgramExit>()
        let silent = EventLog<Void>()
        startThread(named: "hook") { [read = pipe.read] in
            while let more = try? read.read(), !more.isEmpty { kept.add(more) }
            silent.append(())
        }
        Task { ended.append(ProgramExit(await child.wait())) }
        let exit: ProgramExit?
        do {
            exit = try await ended.first(within: limit, waitingFor: "\(command[0]) to end", clock: clock).event
        } catch {
            child.signal(SIGKILL, group: true)
            if !(error is TimedOut) { throw error }
            exit = nil
        }
        _ = try? await silent.first(within: endLimit, waitingFor: "the end of the output")
        return CommandOutcome(exit: exit, output: Data(kept.bytes))
    }

    /// The end of a command's output.
    private final class Kept: Sendable {
        private let state = Mutex<[UInt8]>([])

        var bytes: [UInt8] { state.withLock { $0 } }

        func add(_ more: [UInt8]) {
            state.withLock { bytes in
                bytes += more
                if bytes.count > CommandRun.outputLimit { bytes.removeFirst(bytes.count - CommandRun.outputLimit) }
            }
        }
    }
}
