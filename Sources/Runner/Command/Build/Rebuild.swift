import Foundation
import POSIX
import RigModel
import VirtualRig

/// Sees to it that what runs is what the sources say.
///
/// A program that is older than its sources is built, and the new one takes its place with the same arguments. A build that
/// fails ends the command: a verdict of the old program would be about sources that are no longer there.
struct Rebuild {
    /// The environment variable that leaves the program as it is. The new one gets it, so that nothing goes round.
    static let off = "HIL_NO_BUILD"

    let program: BuiltProgram
    /// Takes what is about it.
    let remark: (String) -> Void

    /// Builds what is older than its sources, and then never returns.
    ///
    /// - Parameters:
    ///   - mayBuild: False says that the program is old, and leaves it so.
    ///   - arguments: The whole command line, for the new program.
    /// - Throws: When the build fails.
    func ensure(_ part: BuiltProgram.Part, mayBuild: Bool, arguments: [String] = CommandLine.arguments) async throws {
        guard let source = program.newerSource(than: part) else { return }
        guard mayBuild else { return remark("\(source) is newer than what was built of it, which runs all the same") }
        remark("\(source) is newer than what was built of it: building (--no-build runs the old program)")
        let action = "building \(program.root)"
        let remedy = "mend what stands above, or run the old program with --no-build"
        let status: ExitStatus
        do {
            let child = try ChildProcess.spawn(
                command(part), streams: [.null, .descriptor(Rebuild.errors), .descriptor(Rebuild.errors)],
                atParentDeath: .terminate)
            status = await child.wait()
        } catch { throw RigFailure(action, "\(error)", remedy: remedy) }
        guard status.isSuccess else { throw RigFailure(action, "the build \(status)", remedy: remedy) }
        setenv(Rebuild.off, "1", 1)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        execv(program.path, &words)
        throw RigFailure(action, "starting the new \(program.path): \(String(cString: strerror(errno)))")
    }

    /// What builds it.
    func command(_ part: BuiltProgram.Part) -> [String] {
        if let builder = program.builder {
            return [builder, program.configuration] + (part == .rig ? ["rig"] : []) + ["hil"]
        }
        let name = program.path.split(separator: "/").last.map(String.init) ?? "hil"
        return ["swift", "build", "--package-path", program.root, "-c", program.configuration, "--product", name]
    }

    /// Standard output is for what the command tells.
    private static let errors = Descriptor(adopting: STDERR_FILENO)
}

extension Rebuild {
    /// The same for the program that runs; nothing to do for an installed one, or where the environment forbids it.
    static func ensure(_ request: Request, remark: @escaping (String) -> Void) async throws {
        let (part, mayBuild): (BuiltProgram.Part, Bool)
        switch request {
        case .run(let choice, let way): (part, mayBuild) = (way.isDry ? .program : .rig, choice.mayBuild)
        case .list(let choice): (part, mayBuild) = (.program, choice.mayBuild)
        case .rules(let order): (part, mayBuild) = (.program, order.mayBuild)
        case .setUp(let isAllowed): (part, mayBuild) = (.rig, isAllowed)
        default: return
        }
        guard ProcessInfo.processInfo.environment[off, default: ""].isEmpty, let running = BuiltProgram.running else {
            return
        }
        try await Rebuild(program: running, remark: remark).ensure(part, mayBuild: mayBuild)
    }
}
