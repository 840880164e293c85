import BoardProtocol
import Glibc
import POSIX
import Timing

/// A running virtual board.
final class QEMUBoard: Sendable {
    let role: BoardRole
    let process: ChildProcess
    private let qmp: QMPClient

    /// Starts QEMU, which lives no longer than this process.
    ///
    /// - Parameter log: The file that gets what QEMU itself writes.
    init(_ command: QEMUCommand, log: String) throws {
        role = command.role
        let (ours, theirs) = try UnixSocket.pair()
        let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND)
        process = try ChildProcess.spawn(
            command.arguments,
            streams: [.null, .descriptor(output), .descriptor(output), .descriptor(theirs)],
            ownGroup: true, atParentDeath: .kill)
        qmp = QMPClient(ours, name: command.role.rawValue)
    }

    /// Waits until QEMU runs its loop; all its sockets are there then.
    func open() async throws {
        try await qmp.run("qmp_capabilities", within: .seconds(20))
        try await qmp.run(
            "migrate-set-capabilities", #"{"capabilities":[{"capability":"events","state":true}]}"#)
    }

    /// Fills the board from a snapshot and lets it run.
    func restore(from file: String) async throws {
        try await leaveMemoryOut()
        let start = qmp.messages.count
        try await qmp.run("migrate-incoming", #"{"uri":\#(jsonText("exec:cat \(quoted(file))"))}"#)
        try await qmp.migrationEnd(from: start, within: .seconds(20), for: "restoring")
        try await qmp.run("cont")
    }

    /// Makes the stream of a snapshot hold all but the memory, which is a file of its own.
    private func leaveMemoryOut() async throws {
        try await qmp.run(
            "migrate-set-capabilities", #"{"capabilities":[{"capability":"x-ignore-shared","state":true}]}"#)
    }

    /// Stops the board for good, and writes its state, all but the memory, into a file.
    ///
    /// - Throws: ``VirtualRigError``, when the disk is full for instance.
    func save(to file: String) async throws {
        try await qmp.run("stop")
        try await leaveMemoryOut()
        let start = qmp.messages.count
        let uri = "exec:cat > \(quoted(file)) && : > \(quoted(file)).whole"
        try await qmp.run("migrate", #"{"uri":\#(jsonText(uri))}"#)
        let isFull = "see that the disk of \(file) is not full, then repeat"
        try await qmp.migrationEnd(from: start, within: .seconds(60), for: "saving", remedy: isFull)
        try await qmp.run("quit")
        _ = await process.wait()
        // QEMU is content once the pipe took all; only the mark says that the file did, too.
        guard unlink("\(file).whole") == 0 else {
            throw VirtualRigError(
                "saving the \(role.rawValue) board's snapshot", "\(file) could not be written whole", remedy: isFull)
        }
    }
}
