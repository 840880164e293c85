import Foundation
import HILPOSIX
import RigModel
import VirtualRig

/// `hil kernel`: builds the kernel of native boards, and carries it from one machine to another.
struct KernelCommand: Sendable {
    /// Called with the results of the command.
    let say: @Sendable (String) -> Void
    /// Called with messages about the command.
    let note: @Sendable (String) -> Void

    func run(_ request: Request.KernelRequest) async throws {
        let build = try KernelCommand.kernelBuild()
        switch request {
        case .build:
            build.forgetFailure()
            do { say("the native boards' kernel is \(try await build.run(progress: note).folder)") } catch {
                build.rememberFailure(error)
                throw error
            }
        case .key: say(try await build.name())
        case .export(let file):
            try await build.export(to: KernelCommand.absolute(file))
            say("wrote \(file)")
        case .import(let file): say("imported \(try await build.import(from: KernelCommand.absolute(file)).folder)")
        }
    }

    private static func kernelBuild() throws -> KernelBuild {
        RigSetUp(recipe: "\(try Checkout.get())/Fixtures/BoardImage").kernelBuild
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// A command that gets only idle processor time, in a separate session.
    ///
    /// Where the kernel shares time between sessions first (`sched(7)`, autogroup), an idle process of another session
    /// still gets as much as all of this one together, unless its session is nice.
    static func idly(_ command: [String]) -> [String] {
        let script = "{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec \"$@\""
        return ["setsid", "chrt", "--idle", "0", "sh", "-c", script, "sh"] + command
    }

    /// Begins to build the kernel beside a run, with idle processor time, in a process that outlives it.
    ///
    /// - Returns: What was done, in a line.
    static func startBeside() -> String {
        let next = "from the next run on, boards are native"
        do {
            let build = try kernelBuild()
            if let failure = build.lastFailure {
                return "their kernel could not be built: \(failure); `make native` tries again"
            }
            let missing = build.missingPackages
            guard missing.isEmpty else {
                return "their kernel cannot be built without the packages \(missing.joined(separator: ", "))"
            }
            if build.isRunning { return "their kernel is being built; \(next)" }
            // By its own path: /proc/self would be another program's.
            let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            let log = try Descriptor.open(build.log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
            _ = try ChildProcess.spawn(
                idly([program, "kernel", "build"]),
                environment: ProcessInfo.processInfo.environment.merging([Rebuild.off: "1"]) { $1 }.map {
                    "\($0)=\($1)"
                },
                streams: [.null, .descriptor(log), .descriptor(log)], ownGroup: true)
            return
                "their kernel is built beside this run and after it, with idle processor time; \(next) (\(build.log))"
        } catch { return "their kernel could not be built: \(error)" }
    }
}
