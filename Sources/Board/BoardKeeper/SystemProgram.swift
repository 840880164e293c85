import BoardProtocol
import Glibc
import HILPOSIX
import HILTiming
import Synchronization

/// Runs the board's own programs to their end: `systemctl`, `nmcli`.
enum SystemProgram {
    struct Outcome: Sendable {
        let status: ExitStatus
        /// Standard output and standard error, at most 1 MiB.
        let output: String

        /// The output's lines.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// A service manager may start this process with less.
    private static let environment = [
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
    ]

    /// Whether a program is installed.
    static func isInstalled(_ name: String) -> Bool {
        ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin"].contains {
            access("\($0)/\(name)", X_OK) == 0
        }
    }

    /// Runs a program, and returns what it printed and how it ended.
    ///
    /// - Throws: ``KeeperFailure`` if it cannot be started or does not end within `limit`.
    @discardableResult
    static func run(
        _ arguments: [String], within limit: Duration = .seconds(30)
    ) async throws(KeeperFailure) -> Outcome {
        let command = arguments.joined(separator: " ")
        let child: ChildProcess
        let read: Descriptor
        do throws(SystemError) {
            let pipe = try Descriptor.pipe()
            read = pipe.read
            child = try ChildProcess.spawn(
                ["env", "-i"] + environment + arguments,
                streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)], atParentDeath: .kill)
            pipe.write.close()
        } catch { throw KeeperFailure("`\(command)` cannot be run: \(error)") }
        let printed = EventLog<String>()
        startThread(named: "output") {
            var bytes: [UInt8] = []
            while let more = try? read.read(), !more.isEmpty { if bytes.count < 1 << 20 { bytes += more } }
            printed.append(String(decoding: bytes, as: UTF8.self))
        }
        do {
            let output = try await printed.first(within: limit, waitingFor: "`\(command)` to end").event
            return Outcome(status: await child.wait(), output: output)
        } catch {
            child.signal(SIGKILL)
            throw KeeperFailure("`\(command)` did not end within \(limit.short)")
        }
    }

    /// Runs a program that must succeed.
    static func require(_ arguments: [String], within limit: Duration = .seconds(30)) async throws(KeeperFailure) {
        let outcome = try await run(arguments, within: limit)
        guard outcome.status.isSuccess else {
            let words = outcome.lines.last.map { ": \($0)" } ?? ""
            throw KeeperFailure("`\(arguments.joined(separator: " "))` \(outcome.status)\(words)")
        }
    }
}
