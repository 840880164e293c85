import Glibc
import HILPOSIX
import HILTiming

/// Contains a program and all its descendants, so that they end together: a control group (cgroup v2).
///
/// A process cannot leave it by becoming a daemon or by starting a session. Source: the kernel's
/// `Documentation/admin-guide/cgroup-v2.rst`, “Core Interface Files”.
final class ProcessFence: Sendable {
    /// How long the kernel may take to end killed processes.
    private static let endLimit = Duration.seconds(5)
    private let path: String

    private init(path: String) { self.path = path }

    /// Makes an empty fence. Processes that an earlier fence of this name still holds are killed.
    ///
    /// - Parameters:
    ///   - name: The name of the group.
    ///   - mountPoint: Where to mount control groups if the board has not mounted them.
    /// - Returns: Nil if the kernel has no control groups, or does not let this process use them.
    static func make(named name: String, mountPoint: String) async -> ProcessFence? {
        guard let root = root(orMountAt: mountPoint) else { return nil }
        let fence = ProcessFence(path: "\(root)/\(name)")
        if mkdir(fence.path, 0o755) == -1 {
            guard errno == EEXIST else { return nil }
            await fence.killAll()
            guard mkdir(fence.path, 0o755) == 0 || errno == EEXIST else { return nil }
        }
        // Groups before Linux 5.14 cannot be killed at once.
        return access("\(fence.path)/cgroup.kill", W_OK) == 0 ? fence : nil
    }

    /// A process that writes `0` to this file is inside from then on, with all its descendants.
    var entrance: String { "\(path)/cgroup.procs" }

    /// Kills all processes inside and removes the fence. Returns when they have ended.
    func killAll() async {
        // The first write counts: nobody inside can start another process after it.
        try? Descriptor.open("\(path)/cgroup.kill", O_WRONLY).write("1".utf8)
        // An error means that a process waits in the kernel for an unresponsive device. It cannot be killed.
        try? await waitUntilEmpty()
        rmdir(path)
    }

    private func waitUntilEmpty() async throws {
        let events = try Descriptor.open("\(path)/cgroup.events", O_RDONLY)
        try await withDeadline(ProcessFence.endLimit, waitingFor: "the program's processes to end") {
            // After a read, a change of the file is an urgent event.
            while try ProcessFence.text(of: events).contains("populated 1") {
                try await waitUntilReady(events, for: POLLPRI)
                lseek(events.raw, 0, SEEK_SET)
            }
        }
    }

    /// Kills the processes that a fence of this name still holds, if there is one.
    static func endLeftOver(named name: String) async {
        guard let root = mountedRoot, access("\(root)/\(name)", F_OK) == 0 else { return }
        await ProcessFence(path: "\(root)/\(name)").killAll()
    }

    /// Where control groups are mounted; nil if they are not.
    private static var mountedRoot: String? {
        let mounts = text(of: "/proc/self/mounts").split(separator: "\n").map { $0.split(separator: " ") }
        return mounts.first { $0.count > 2 && $0[2] == "cgroup2" }.map { String($0[1]) }
    }

    private static func root(orMountAt mountPoint: String) -> String? {
        if let root = mountedRoot { return root }
        mkdir(mountPoint, 0o755)
        return mount("none", mountPoint, "cgroup2", 0, nil) == 0 ? mountPoint : nil
    }

    private static func text(of path: String) -> String {
        (try? text(of: Descriptor.open(path, O_RDONLY))) ?? ""
    }

    private static func text(of file: Descriptor) throws(SystemError) -> String {
        var bytes: [UInt8] = []
        while true {
            let more = try file.read()
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more
        }
    }
}
