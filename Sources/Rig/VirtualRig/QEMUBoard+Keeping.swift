import BoardProtocol
import FoundationEssentials
import Glibc
import POSIX
import RigModel
import Timing

extension QEMUBoard {
    /// Writes the board's state into a file while the board stands still, and lets it run on.
    ///
    /// - Parameter socket: A path for a socket, on which QEMU hands the state over.
    /// - Throws: Where the file is not whole.
    func keep(in file: String, by socket: String) async throws {
        let action = "keeping the \(role.rawValue) board"
        let listener = try UnixSocket.listen(at: socket)
        defer { unlink(socket) }
        let output = try Descriptor.open(file, O_WRONLY | O_CREAT | O_EXCL)
        let (readErrors, errors) = try Descriptor.pipe()
        let complaints = OutputTail(readErrors)
        let packed = EventLog<ExitStatus>()
        startThread(named: "keep") {
            do {
                let state = try UnixSocket.accept(on: listener)
                let packer = try ChildProcess.spawn(
                    packing, streams: [.descriptor(state), .descriptor(output), .descriptor(errors)], ownGroup: true,
                    atParentDeath: .kill)
                // Once it is gone, nobody else has an end of its pipes.
                for descriptor in [state, errors] { descriptor.close() }
                Task { packed.append(await packer.wait()) }
            } catch { packed.finish(throwing: error) }
        }
        do {
            try await handOver(to: socket)
            let status = try await packed.first(within: .seconds(30), waitingFor: "\(file) to be written").event
            guard status.isSuccess else {
                throw RigFailure(action, "\(packing[0]) \(status)")
            }
        } catch {
            // If QEMU never connected, nothing waits for it any more.
            listener.shutDown()
            errors.close()
            let words = lastLines(of: await complaints.whole(), 1)
            throw RigFailure.wrapping(error, while: action).adding(words)
        }
    }

    /// Makes the board what it was when it was kept in a file, and lets it run on.
    func bringBack(from file: String) async throws {
        let start = try Descriptor.open(file, O_RDONLY).read(upTo: 4)
        // RFC 8878, section 3.1.1: the magic number of a zstd frame.
        let unpacking = start == [0x28, 0xB5, 0x2F, 0xFD] ? "zstd -q -d -c" : "cat"
        try await leaveMemoryIn()
        let place = qmp.messages.count
        try await qmp.run("migrate-incoming", #"{"uri":\#(jsonText("exec:\(unpacking) \(quoted(file))"))}"#)
        try await qmp.migrationEnd(from: place, within: .seconds(30), for: "restoring")
        try await qmp.run("cont")
    }

    /// Makes the stream of a state hold all of it, other than that of a snapshot, whose memory is a file beside it.
    private func leaveMemoryIn() async throws {
        try await qmp.run(
            "migrate-set-capabilities", #"{"capabilities":[{"capability":"x-ignore-shared","state":false}]}"#)
    }

    /// Stands still, sends the state, and runs on, whether or not the state was taken.
    private func handOver(to socket: String) async throws {
        try await qmp.run("stop")
        do {
            try await leaveMemoryIn()
            try await qmp.run("migrate-set-parameters", #"{"max-bandwidth":10000000000}"#)
            let start = qmp.messages.count
            try await qmp.run("migrate", #"{"uri":\#(jsonText("unix:\(socket)"))}"#)
            try await qmp.migrationEnd(from: start, within: .seconds(30), for: "saving")
        } catch {
            try? await runOn()
            throw error
        }
        try await runOn()
    }

    /// Lets the board run on after its state was sent.
    private func runOn() async throws {
        let deadline = ContinuousClock.now + .seconds(5)
        while true {
            do {
                try await qmp.run("cont")
                return
            } catch let error as RigFailure {
                // QEMU tells that a migration is completed a moment before it lets the board run, and tells nothing then.
                guard error.reason.contains("not finalized"), ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}

/// What makes a state small: a fifth of its size in less time than a disk takes for the rest. Where there is no zstd it
/// stays as it is.
private let packing = access("/usr/bin/zstd", X_OK) == 0 ? ["/usr/bin/zstd", "-q", "-1", "-c"] : ["cat"]

extension RigFailure {
    /// The same, with what else is known of the reason.
    func adding(_ words: String) -> RigFailure {
        words.isEmpty || reason.contains(words)
            ? self : RigFailure(action, on: subject, "\(reason): \(words)", remedy: remedy)
    }
}
