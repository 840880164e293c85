import BoardProtocol
import Glibc
import HILPOSIX
import HILTiming
import RigModel

/// A running virtual board.
final class QEMUBoard: VirtualBoard {
    let role: BoardRole
    let process: ChildProcess
    /// The path of its own disk.
    let disk: String
    let qmp: QMPClient

    /// Starts QEMU. It ends with this process at the latest.
    ///
    /// - Parameter log: The file for QEMU's own output.
    init(_ command: QEMUCommand, log: String) throws {
        role = command.role
        disk = command.disk
        let (ours, theirs) = try UnixSocket.pair()
        let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND)
        process = try ChildProcess.spawn(
            command.arguments,
            streams: [.null, .descriptor(output), .descriptor(output), .descriptor(theirs)],
            ownGroup: true, atParentDeath: .kill)
        qmp = QMPClient(ours, name: command.role.rawValue)
    }

    /// Waits until QEMU runs its main loop. Then all its sockets exist.
    func open() async throws {
        try await qmp.run("qmp_capabilities", within: .seconds(20))
        try await qmp.run(
            "migrate-set-capabilities", #"{"capabilities":[{"capability":"events","state":true}]}"#)
    }

    /// Restores the board from a snapshot's state file. It is paused then.
    func restore(from file: String) async throws {
        try await excludeMemory()
        let start = qmp.messages.count
        try await qmp.run("migrate-incoming", #"{"uri":\#(jsonText("exec:cat \(quoted(file))"))}"#)
        try await qmp.migrationEnd(from: start, within: .seconds(20), for: "restoring")
    }

    /// Pauses the board.
    func pause() async throws { try await qmp.run("stop") }

    /// Lets a paused board continue.
    func run() async throws { try await qmp.run("cont") }

    /// Writes everything that the first client of a new socket sends into a file. The log gets the result.
    private static func receive(on path: String, into file: String) throws -> EventLog<Result<Void, SystemError>> {
        let output = try Descriptor.open(file, O_WRONLY | O_CREAT | O_EXCL)
        let listener = try UnixSocket.listen(at: path)
        let outcome = EventLog<Result<Void, SystemError>>()
        startThread(named: "state") {
            defer { unlink(path) }
            do throws(SystemError) {
                let state = try UnixSocket.accept(on: listener)
                while case let bytes = try state.read(), !bytes.isEmpty { try output.write(bytes) }
                outcome.append(.success(()))
            } catch { outcome.append(.failure(error)) }
        }
        return outcome
    }

    /// Tells QEMU to leave the memory out of the state, because a snapshot has it in a separate file.
    private func excludeMemory() async throws {
        try await qmp.run(
            "migrate-set-capabilities", #"{"capabilities":[{"capability":"x-ignore-shared","state":true}]}"#)
    }

    /// Writes the state of a paused board without the memory into a file, and ends QEMU.
    ///
    /// - Parameter socket: A path for the socket through which QEMU sends the state.
    /// - Throws: ``RigFailure``, for example if the disk is full.
    func save(to file: String, by socket: String) async throws {
        try await excludeMemory()
        let start = qmp.messages.count
        let written = try QEMUBoard.receive(on: socket, into: file)
        try await qmp.run("migrate", #"{"uri":\#(jsonText("unix:\(socket)"))}"#)
        let isFull = "check that the disk of \(file) is not full, then repeat"
        try await qmp.migrationEnd(from: start, within: .seconds(60), for: "saving", remedy: isFull)
        // QEMU is done when the socket has taken everything; the file may not have it yet.
        do {
            try await written.first(within: .seconds(30), waitingFor: "\(file) to be written").event.get()
        } catch {
            throw RigFailure.wrapping(error, while: "saving the \(role.rawValue) board's snapshot", remedy: isFull)
        }
        try await qmp.run("quit")
        _ = await process.wait()
    }
}
