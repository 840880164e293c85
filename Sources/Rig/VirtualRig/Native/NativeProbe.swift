import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Finds out how native boards run on this machine, by starting their kernel: first in a sandbox, then with this user's
/// rights.
struct NativeProbe: Sendable {
    /// The text that the first program of a board prints when it is started for this.
    static let sign = "hil: this kernel runs"
    /// The time limit of a trial. A kernel needs a fraction of it.
    static let limit = AccelerationProbe.limit
    /// The space for the memory of both boards of a rig, in MB.
    private static let memory = 2 * (NativeCommand.memorySize + 16)

    var kernel: NativeKernel
    var image: BoardImage
    var agentDisk: String
    var cache: Cache

    /// The result of one trial.
    struct Trial: Equatable {
        var isUp: Bool
        /// The whole output.
        var output: String
    }

    /// The base of native boards: remembered from an earlier probe, or found now. A failure is not remembered, because
    /// its cause may be repaired. In a container with its own users, nothing is remembered.
    func run() async throws(RigFailure) -> NativeBoards {
        let name =
            "nativeprobe-"
            + Fingerprint.of(
                (kernel.folder as NSString).lastPathComponent, Seal(of: kernel.folder).text, Machine.kernel,
                Machine.processor, NativeProbe.rights())
        let isLasting = NativeProbe.isInitial()
        if isLasting, let data = FileManager.default.contents(atPath: cache.path(name)),
            let known = try? JSONDecoder().decode(NativeBoards.self, from: data), known.kernel == kernel,
            known.isolation == .sandbox || NativeProbe.hasRoom(known.memoryFolder)
        {
            return known
        }
        let found = try await find()
        if isLasting, let data = try? JSONEncoder().encode(found) {
            try? data.write(to: URL(fileURLWithPath: cache.path(name)), options: .atomic)
        }
        return found
    }

    /// The rights of this process that decide how boards can be isolated: a container with the same cache may have
    /// fewer rights than its host.
    static func rights(process: String = "/proc/self", settings: String = "/proc/sys") -> String {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let status = text("\(process)/status").split(separator: "\n").filter {
            $0.hasPrefix("Seccomp:") || $0.hasPrefix("NoNewPrivs:") || $0.hasPrefix("CapEff:") || $0.hasPrefix("Uid:")
        }
        let limits = [
            "user/max_user_namespaces", "kernel/unprivileged_userns_clone", "kernel/yama/ptrace_scope",
            "kernel/apparmor_restrict_unprivileged_userns",
        ].map { text("\(settings)/\($0)") }
        return
            (status.map(String.init) + limits + [
                text("\(process)/attr/current"), "\(access("/usr/bin/bwrap", X_OK))",
            ]).joined(separator: "\n")
    }

    /// Whether this process is in the machine's own user name space. Any other name space also has the limits of its
    /// outer ones, which are invisible here, and its number may be reused after its end.
    static func isInitial(process: String = "/proc/self") -> Bool {
        // PROC_USER_INIT_INO of linux/proc_ns.h.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/ns/user")) == "user:[4026531837]"
    }

    private func find() async throws(RigFailure) -> NativeBoards {
        var boards = NativeBoards(kernel: kernel, isolation: .sandbox)
        let closed = try await trial(boards)
        if closed.isUp { return boards }
        boards.isolation = .user
        guard let folder = NativeProbe.memoryFolders.first(where: NativeProbe.hasRoom) else {
            throw NativeProbe.failure(
                "no folder allows running programs and has \(NativeProbe.memory) MB for the boards' memory",
                NativeProbe.room)
        }
        boards.memoryFolder = folder
        let open = try await trial(boards)
        if open.isUp { return boards }
        throw NativeProbe.explain(open.output)
    }

    /// Folders for the boards' memory, if the boards see the machine's files; those in memory first.
    private static var memoryFolders: [String] {
        let own = ProcessInfo.processInfo.environment["TMPDIR"].map { [$0] } ?? []
        return ["/dev/shm"] + own + ["/var/tmp", "/tmp"]
    }

    private static func hasRoom(_ folder: String) -> Bool {
        var info = statvfs()
        guard statvfs(folder, &info) == 0, access(folder, W_OK) == 0 else { return false }
        // ST_NOEXEC of statvfs(3).
        let isExecutable = info.f_flag & 8 == 0
        return isExecutable && Int(info.f_bavail) * Int(info.f_frsize) / 1_000_000 >= memory
    }

    private static let room = "give /dev/shm more room (docker run --shm-size=1g), or name another folder in TMPDIR"

    private static func failure(_ reason: String, _ remedy: String?) -> RigFailure {
        RigFailure("trying native boards", reason, remedy: remedy)
    }

    /// The failure of a trial, from its output, with a remedy if one is known.
    static func explain(_ output: String) -> RigFailure {
        func says(_ words: String...) -> Bool { words.contains { output.contains($0) } }
        let remedy: String? =
            if says("ptrace") && says("Operation not permitted", "EPERM", "failed") {
                "programs may not trace each other here: in a container, allow ptrace (docker run --cap-add SYS_PTRACE)"
            } else if says("noexec", "PROT_EXEC") && says("Operation not permitted", "Permission denied") {
                "programs may not run from the folder of the boards' memory: name another in TMPDIR"
            } else if says("No space left", "Cannot allocate memory", "Bus error") { room } else { nil }
        let last = lastLines(of: output, 1)
        return failure("their kernel does not start: \(last.isEmpty ? "no output" : last)", remedy)
    }

    /// Starts the kernel with its disks, and checks whether it reaches its first program.
    private func trial(_ boards: NativeBoards) async throws(RigFailure) -> Trial {
        do {
            let folder = try RigFolder()
            defer { folder.remove() }
            let command = NativeCommand(
                role: .host, boards: boards, image: image, agentDisk: agentDisk, folder: folder.path, isProbe: true)
            let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
            let child = try command.spawn(input: input.read, output: output.write, errors: output.write)
            input.read.close()
            output.write.close()
            let tail = OutputTail(output.read)
            let watch = Task {
                try await Task.sleep(for: NativeProbe.limit)
                input.write.close()
            }
            _ = await withTaskCancellationHandler {
                await child.wait()
            } onCancel: {
                input.write.close()
            }
            watch.cancel()
            input.write.close()
            try Task.checkCancellation()
            let text = await tail.whole()
            return Trial(isUp: text.contains(NativeProbe.sign), output: text)
        } catch { throw .wrapping(error, while: "trying native boards") }
    }
}
