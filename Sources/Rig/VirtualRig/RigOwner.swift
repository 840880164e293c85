import Foundation
import Framing
import POSIX
import PlainText
import RigModel
import Timing

/// A board did not come to life from its snapshot.
struct NotRestored: Error {
    let error: RigFailure
}

/// The runner's hold on a `hil-rig` process: as long as it holds, the rig lives.
final class RigOwner: Sendable {
    /// What the process told, in order; it ends when the process does.
    let told = EventLog<RigStatus>()
    private let process: ChildProcess
    private let lifeline: Descriptor

    /// Starts the process and tells it its configuration.
    ///
    /// - Parameter command: `hil-rig`, or what stands for it.
    init(_ command: [String], configuration: RigConfiguration) throws {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let log = try Descriptor.open("\(configuration.evidence)/rig.log", O_WRONLY | O_CREAT | O_APPEND)
        process = try ChildProcess.spawn(
            command, streams: [.descriptor(input.read), .descriptor(output.write), .descriptor(log)], ownGroup: true)
        lifeline = input.write
        output.write.close()
        input.read.close()
        startThread(named: "rig-status") { [told, process] in
            RigOwner.read(output.read, into: told)
            Task {
                let loss = RigLoss(part: .rig, how: "\(await process.wait())")
                told.append(.lost(loss))
                told.finish(throwing: RigFailure("talking to the rig's process", loss.description))
            }
        }
        // If this fails, the process has ended, and its loss is told.
        try? lifeline.write(Array(try JSONEncoder().encode(configuration)) + [0x0A])
    }

    deinit { lifeline.close() }

    /// Waits for something that the process tells; its failure is thrown.
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

    /// Has both boards written into a folder, as ``KeptBoards``; they stand still meanwhile.
    func keepBoards(in folder: String) async throws {
        let start = told.count
        try lifeline.write(Array(try JSONEncoder().encode(RigOrder.keepBoards(folder: folder))) + [0x0A])
        let (status, _) = try await told.first(
            from: start, within: .seconds(60), waitingFor: "both boards to be kept"
        ) { status in
            switch status {
            case .kept, .notKept, .lost, .refused: true
            default: false
            }
        }
        switch status {
        case .notKept(let error): throw error
        case .lost(let loss): throw RigFailure("keeping both boards", "\(loss)")
        case .refused(let why):
            throw RigFailure("keeping both boards", "hil-rig could not read what it was asked: \(why)")
        default: return
        }
    }

    /// Ends the rig, and returns when nothing of it is left.
    func stop() async {
        lifeline.close()
        // A task of its own: one that was cancelled would not give the rig its time.
        let end = Task { [process] in
            try await withDeadline(.seconds(5), waitingFor: "the rig to end") {
                await withTaskCancellationHandler {
                    await process.wait()
                } onCancel: {
                    // It leaves its folder to the next rig's sweeping; the kernel ends its children.
                    process.signal(SIGKILL)
                }
            }
        }
        _ = try? await end.value
    }

    /// Reads what the process tells until it ends, or says something that this program does not understand.
    private static func read(_ output: Descriptor, into told: EventLog<RigStatus>) {
        var lines = LineSplitter()
        var isGreeted = false
        while let more = try? output.read(), !more.isEmpty {
            for line in lines.push(more) {
                let status = RigOwner.status(line, isGreeted: isGreeted)
                isGreeted = true
                told.append(status)
            }
        }
    }

    /// A line of the process; what cannot be read is as good as its loss.
    private static func status(_ line: [UInt8], isGreeted: Bool) -> RigStatus {
        let status: RigStatus
        do { status = try JSONDecoder().decode(RigStatus.self, from: Data(line)) } catch {
            let how = "told something that cannot be read: \(PlainText.unreadable(line, error))"
            return .lost(RigLoss(part: .rig, how: how))
        }
        if isGreeted { return status }
        guard case .hello(let versions) = status else {
            return .failed(RigProtocol.mismatch(rig: nil, runner: .own)!)  // no program speaks nothing
        }
        return RigProtocol.mismatch(rig: versions, runner: .own).map { .failed($0) } ?? status
    }
}
