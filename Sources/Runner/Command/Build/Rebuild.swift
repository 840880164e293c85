import Foundation
import HILPOSIX
import RigModel
import Synchronization
import VirtualRig

/// Rebuilds a program that is older than its sources before it runs.
///
/// The new program replaces this process, with the same arguments. A build that fails ends the command, because a
/// verdict of the old program would be about old sources.
struct Rebuild {
    /// The environment variable that prevents a rebuild. It is set for the new program, so that it does not build
    /// again.
    static let off = "HIL_NO_BUILD"

    let program: BuiltProgram
    /// Called with messages about the build.
    let note: (String) -> Void

    /// Builds what is older than its sources, and then does not return.
    ///
    /// - Parameters:
    ///   - mayBuild: If false, an old program is reported, but not built.
    ///   - arguments: The whole command line, for the new program.
    /// - Throws: If the build fails.
    func ensure(_ part: BuiltProgram.Part, mayBuild: Bool, arguments: [String] = CommandLine.arguments) async throws {
        guard let source = program.newerSource(than: part) else { return }
        guard mayBuild else { return note("\(source) is newer than the program, which runs unchanged") }
        note("\(source) is newer than the program: building (--no-build runs the old program)")
        let action = "building \(program.root)"
        let remedy = "correct the errors above, or run the old program with --no-build"
        let status: ExitStatus
        let began = Date()
        do {
            let pipe = try Descriptor.pipe()
            let child = try ChildProcess.spawn(
                command(part), streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)],
                atParentDeath: .terminate)
            pipe.write.close()
            await Rebuild.show(pipe.read, tellsProgress: program.builder == nil)
            status = await child.wait()
        } catch { throw RigFailure(action, "\(error)", remedy: remedy) }
        guard status.isSuccess else { throw RigFailure(action, "the build \(status)", remedy: remedy) }
        if program.builder == nil { program.note(builtFrom: began) }
        setenv(Rebuild.off, "1", 1)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        execv(program.path, &words)
        throw RigFailure(action, "starting the new \(program.path): \(String(cString: strerror(errno)))")
    }

    /// Shows the part of the build's output that people need.
    ///
    /// - Parameter tellsProgress: Whether to report the progress every ten seconds.
    private static func show(_ output: Descriptor, tellsProgress: Bool) async {
        let compiler = SharedOutput()
        let began = ContinuousClock.now
        let ticker = Task {
            while tellsProgress, (try? await Task.sleep(for: .seconds(10))) != nil {
                let seconds = Int((ContinuousClock.now - began) / .seconds(1))
                let step = compiler.state.withLock { $0.progress }
                try? errors.write(Array("hil: building, \(seconds) s: \(step.prefix(90))\n".utf8))
            }
        }
        defer { ticker.cancel() }
        await withCheckedContinuation { continuation in
            startThread(named: "build") {
                var lines = LineSplitter(limit: 1 << 16)
                func show(_ line: [UInt8]) {
                    let text = compiler.state.withLock { $0.take(String(decoding: line, as: UTF8.self)) }
                    if let text { try? errors.write(Array("\(text)\n".utf8)) }
                }
                while let bytes = try? output.read(), !bytes.isEmpty { lines.push(bytes).forEach(show) }
                if let rest = lines.finish() { show(rest) }
                continuation.resume()
            }
        }
    }

    /// The command that builds a part.
    func command(_ part: BuiltProgram.Part) -> [String] {
        if let builder = program.builder {
            return [builder, program.configuration] + (part == .rig ? ["rig"] : []) + ["hil"]
        }
        let name = program.path.split(separator: "/").last.map(String.init) ?? "hil"
        return ["env"] + Rebuild.irrelevant.flatMap { ["-u", $0] }
            + ["swift", "build", "--package-path", program.root, "-c", program.configuration, "--product", name]
    }

    /// Variables that differ from shell to shell and from `make` to `hil`. SwiftPM plans the whole package and builds its
    /// plugins anew, two seconds, when any variable has changed. The same list is in Fixtures/Setup/build.
    static let irrelevant = [
        "_", "OLDPWD", "PWD", "SHLVL", "MAKEFLAGS", "MAKELEVEL", "MAKE_TERMERR", "MAKE_TERMOUT", "MFLAGS",
        "HIL_STARTED_BY",
    ]

    /// Standard error, because standard output is for the command's results.
    private static let errors = Descriptor(adopting: STDERR_FILENO)
}

/// The output of a build, for the thread that reads it and the task that reports the progress.
private final class SharedOutput: Sendable {
    let state = Mutex(CompilerOutput())
}

extension Rebuild {
    /// Rebuilds the running program if needed, unless it is installed or the environment forbids it.
    static func ensure(_ request: Request, note: @escaping (String) -> Void) async throws {
        let (part, mayBuild): (BuiltProgram.Part, Bool)
        switch request {
        case .run(let choice, let settings): (part, mayBuild) = (settings.isDry ? .program : .rig, choice.mayBuild)
        case .explore(let choice, _): (part, mayBuild) = (.rig, choice.mayBuild)
        case .audit(let choice, let settings, _):
            (part, mayBuild) = (settings.isDry ? .program : .rig, choice.mayBuild)
        case .auditTargets(let choice): (part, mayBuild) = (.program, choice.mayBuild)
        case .list(let choice): (part, mayBuild) = (.program, choice.mayBuild)
        case .rules(let request): (part, mayBuild) = (.program, request.mayBuild)
        case .play(let request): (part, mayBuild) = (.rig, request.mayBuild)
        case .record(let request): (part, mayBuild) = (.rig, request.mayBuild)
        case .setUp(_, _, isImageAlone: true): return
        case .setUp(let isAllowed, _, _): (part, mayBuild) = (.rig, isAllowed)
        default: return
        }
        guard ProcessInfo.processInfo.environment[off, default: ""].isEmpty, let running = BuiltProgram.running else {
            return
        }
        try await Rebuild(program: running, note: note).ensure(part, mayBuild: mayBuild)
    }
}
