import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// A board could not be restored from its snapshot.
struct NotRestored: Error {
    let error: RigFailure
}

/// Owns a `hil-rig` process. The rig ends with this object.
final class RigOwner: Sendable {
    /// The messages of the process, in order. The log ends with the process.
    let told = EventLog<RigStatus>()
    private let process: ChildProcess
    private let lifeline: Descriptor
    private let caller: Caller<RigCall>

    /// Starts the process, and sends it its configuration.
    ///
    /// - Parameter command: The command line: `hil-rig`, or a stand-in for it.
    init(_ command: [String], configuration: RigConfiguration) throws {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let log = try Descriptor.open("\(configuration.evidence)/rig.log", O_WRONLY | O_CREAT | O_APPEND)
        process = try ChildProcess.spawn(
            command, streams: [.descriptor(input.read), .descriptor(output.write), .descriptor(log)], ownGroup: true)
        let lifeline = input.write
        self.lifeline = lifeline
        caller = Caller(
            send: { message in
                // If this fails, the process has ended, which ends the wait.
                try? lifeline.write(Array(message) + [0x0A])
            },
            unreadable: { RigFailure("talking to the rig's process", "its answer is unreadable: \($0)") })
        output.write.close()
        input.read.close()
        startThread(named: "rig-status") { [told, process, caller] in
            RigOwner.read(output.read, into: told, caller)
            Task {
                let loss = RigLoss(part: .rig, how: "\(await process.wait())")
                let failure = RigFailure("talking to the rig's process", loss.description)
                caller.end(failure)
                told.append(.lost(loss))
                told.finish(throwing: failure)
            }
        }
        // If this fails, the process has ended, and the log gets its loss.
        try? lifeline.write(Array(try JSONEncoder().encode(configuration)) + [0x0A])
    }

    deinit { lifeline.close() }

    /// The process with all its descendants.
    var tree: ProcessTree { ProcessTree(of: process.pid) }

    /// Waits for a message of the process; throws if the process fails.
    @discardableResult
    func wait(
        until matches: @escaping @Sendable (RigStatus) -> Bool, within limit: Duration
    ) async throws -> RigStatus {
        let (status, _) = try await told.first(within: limit, waitingFor: "the rig") { status in
            switch status {
            case .failed, .notRestored: true
            case .lost(let loss): loss.part == .rig || matches(status)
            default: matches(status)
            }
        }
        switch status {
        case .failed(let error): throw error
        case .notRestored(let error): throw NotRestored(error: error)
        case .lost(let loss) where loss.part == .rig:
            throw RigFailure("starting the rig", loss.description)
        default: return status
        }
    }

    /// Saves both boards in a folder, as ``SavedBoards``. They are paused meanwhile.
    func saveBoards(in folder: String) async throws {
        _ = try await withDeadline(.seconds(60), waitingFor: "both boards to be kept") { [caller] in
            try await caller.ask(Question { .saveBoards(folder: folder, $0) })
        }
    }

    /// Stops the rig, and returns when all its parts have ended.
    func stop() async {
        lifeline.close()
        // A separate task, because a cancelled one would not wait for the rig.
        let end = Task { [process] in
            try await withDeadline(.seconds(5), waitingFor: "the rig to end") {
                await withTaskCancellationHandler {
                    await process.wait()
                } onCancel: {
                    // The next rig removes its folder; the kernel ends its children.
                    process.signal(SIGKILL)
                }
            }
        }
        _ = try? await end.value
    }

    /// Reads the messages of the process until it ends.
    private static func read(
        _ output: Descriptor, into told: EventLog<RigStatus>, _ caller: Caller<RigCall>
    ) {
        var lines = LineSplitter()
        var isGreeted = false
        while let more = try? output.read(), !more.isEmpty {
            for line in lines.push(more) where !caller.take(Data(line)) {
                let status = RigOwner.status(line, isGreeted: isGreeted)
                isGreeted = true
                // Otherwise a call would wait for its time limit, and give that as the reason.
                if case .lost(let loss) = status { caller.giveUp(RigFailure("asking the rig", loss.description)) }
                told.append(status)
            }
        }
    }

    /// Parses a line of the process. An unreadable line counts as the loss of the process.
    private static func status(_ line: [UInt8], isGreeted: Bool) -> RigStatus {
        let status: RigStatus
        do { status = try JSONDecoder().decode(RigStatus.self, from: Data(line)) } catch {
            let how = "wrote an unreadable message: \(PlainText.unreadable(line, error))"
            return .lost(RigLoss(part: .rig, how: how))
        }
        if isGreeted { return status }
        guard case .hello(let versions) = status else {
            return .failed(RigProtocol.mismatch(rig: nil, runner: .own)!)  // the versions always differ: one is nil
        }
        return RigProtocol.mismatch(rig: versions, runner: .own).map { .failed($0) } ?? status
    }
}
