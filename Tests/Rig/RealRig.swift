import Foundation
import HILExecution
import HILPOSIX
import StubRig
import Testing

/// Runs the command on the virtual rig, both as `make setup` makes them.
enum RealRig {
    /// Whether a rig can start at once. The tests do not set one up, which takes minutes and a network. If
    /// every test must run, as in `make check`, a missing rig makes them fail.
    static let isReady: Bool = {
        if ProcessInfo.processInfo.environment["HIL_TESTS"] == "all" { return true }
        guard let output = Shell.outputAtOnce([RunnerProcess.path(of: "hil"), "doctor"]) else { return false }
        return !output.contains("MISSING")
            // Other systems for the accessory board are for those who ask for them.
            && !output.split(separator: "\n").contains { $0.contains("is not made yet") && !$0.contains("--accessory") }
    }()

    static let notReady = "the virtual rig is not set up here: run `make setup` first"

    /// A folder for the results of one test.
    static func results() -> String { NSTemporaryDirectory() + "hil-real-\(UUID().uuidString)" }

    /// The kinds of boards that can be had here: native ones only if their kernel is built, as `make check` builds it.
    static let boards: [String] = {
        if ProcessInfo.processInfo.environment["HIL_TESTS"] == "all" { return ["qemu", "native"] }
        let output = Shell.outputAtOnce([RunnerProcess.path(of: "hil"), "doctor"]) ?? ""
        return ["qemu"] + (output.contains("runs take native boards") ? ["native"] : [])
    }()

    /// Whether this user may make a container, out of name spaces.
    static let canContain = Shell.outputAtOnce(["unshare", "--user", "--map-root-user", "echo", "yes"]) == "yes\n"

    /// The patterns of the scenarios to run on both kinds of boards, from `HIL_COMPARED`; `all` for all of them. Empty
    /// by default, because it takes minutes.
    static let compared: [String] = {
        (ProcessInfo.processInfo.environment["HIL_COMPARED"] ?? "").split(separator: " ").map(String.init)
    }()

    /// Starts `hil run`.
    static func run(_ patterns: [String], boards: String = "qemu", out: String) throws -> RunnerProcess {
        try RunnerProcess(
            "hil", ["run", "--jobs", "1", "--boards", boards, "--format", "json", "--out", out] + patterns)
    }

    /// Whether a process is a board: QEMU, or the kernel of a native one.
    static func isBoard(_ process: RunningProcess) -> Bool {
        let program = process.command.split(separator: " ").first ?? ""
        return program.contains("qemu-system") || program.hasSuffix("/linux") && process.command.contains("hil.role=")
    }
}

/// Tests on the real rig, one after the other, because each needs the whole machine.
///
/// The limit is for the longest of them, fifty kills on a bench: a longer one there would not count.
@Suite(.serialized, .enabled(if: RealRig.isReady, "\(RealRig.notReady)"), .timeLimit(.minutes(150)))
enum RealRigTests {}
