import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import RigModel

extension QEMUBoard {
    /// Writes the board's state and its disk into files. The board is paused meanwhile, and then continues.
    ///
    /// - Parameters:
    ///   - file: The path for its state, which does not exist.
    ///   - diskFile: The path for its disk, which does not exist.
    ///   - socket: A path for the socket through which QEMU sends the state.
    /// - Throws: If the files are not complete.
    func keep(in file: String, disk diskFile: String, by socket: String) async throws {
        let action = "keeping the \(role.rawValue) board"
        let listener = try UnixSocket.listen(at: socket)
        defer { unlink(socket) }
        let output = try Descriptor.open(file, O_WRONLY | O_CREAT | O_EXCL)
        let (readErrors, errors) = try Descriptor.pipe()
        let errorOutput = OutputTail(readErrors)
        let compressed = EventLog<ExitStatus>()
        startThread(named: "keep") {
            do {
                let state = try UnixSocket.accept(on: listener)
                let compressor = try ChildProcess.spawn(
                    compression, streams: [.descriptor(state), .descriptor(output), .descriptor(errors)],
                    ownGroup: true,
                    atParentDeath: .kill)
                // Close our ends, so that the pipes end with the compressor.
                for descriptor in [state, errors] { descriptor.close() }
                Task { compressed.append(await compressor.wait()) }
            } catch { compressed.finish(throwing: error) }
        }
        do {
            try await sendState(to: socket, disk: diskFile)
            let status = try await compressed.first(within: .seconds(30), waitingFor: "\(file) to be written").event
            guard status.isSuccess else {
                throw RigFailure(action, "\(compression[0]) \(status)")
            }
        } catch {
            // Ends the thread above if QEMU never connected.
            listener.shutDown()
            errors.close()
            let words = lastLines(of: await errorOutput.whole(), 1)
            throw RigFailure.wrapping(error, while: action).adding(words)
        }
    }

    /// Restores the board from a file that ``keep(in:by:)`` wrote, and lets it continue.
    func restoreWhole(from file: String) async throws {
        let start = try Descriptor.open(file, O_RDONLY).read(upTo: 4)
        // RFC 8878, section 3.1.1: the magic number of a zstd frame.
        let decompression = start == [0x28, 0xB5, 0x2F, 0xFD] ? "zstd -q -d -c" : "cat"
        try await includeMemory()
        let place = qmp.messages.count
        try await qmp.run("migrate-incoming", #"{"uri":\#(jsonText("exec:\(decompression) \(quoted(file))"))}"#)
        try await qmp.migrationEnd(from: place, within: .seconds(30), for: "restoring")
        try await qmp.run("cont")
    }

    /// Tells QEMU to include the memory in the state. In a snapshot, the memory is a separate file.
    private func includeMemory() async throws {
        try await qmp.run(
            "migrate-set-capabilities", #"{"capabilities":[{"capability":"x-ignore-shared","state":false}]}"#)
    }

    /// Pauses the board, sends its state, copies its disk, and lets it continue even if that failed.
    private func sendState(to socket: String, disk diskFile: String) async throws {
        try await qmp.run("stop")
        do {
            try await includeMemory()
            try await qmp.run("migrate-set-parameters", #"{"max-bandwidth":10000000000}"#)
            let start = qmp.messages.count
            try await qmp.run("migrate", #"{"uri":\#(jsonText("unix:\(socket)"))}"#)
            try await qmp.migrationEnd(from: start, within: .seconds(30), for: "saving")
            try DiskFile.copy(disk, to: diskFile)
        } catch {
            try? await resume()
            throw error
        }
        try await resume()
    }

    /// Lets the board continue after its state was sent.
    private func resume() async throws {
        let deadline = ContinuousClock.now + .seconds(5)
        while true {
            do {
                try await qmp.run("cont")
                return
            } catch let error as RigFailure {
                // QEMU reports the end of a migration a moment before the board can run, and sends no event for that.
                guard error.reason.contains("not finalized"), ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}

/// The command that compresses a state to a fifth of its size, in less time than a disk needs for the saved bytes.
/// Without zstd the state is not compressed.
private let compression = access("/usr/bin/zstd", X_OK) == 0 ? ["/usr/bin/zstd", "-q", "-1", "-c"] : ["cat"]

extension RigFailure {
    /// The same failure, with these words added to the reason.
    func adding(_ words: String) -> RigFailure {
        words.isEmpty || reason.contains(words)
            ? self : RigFailure(action, on: subject, "\(reason): \(words)", remedy: remedy)
    }
}
