import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Virtual boards, two or only the host board, and the air around them. A board may be asleep at first.
///
/// They run until ``stop()`` is called or this process ends. Then all their parts are gone.
package final class VirtualRig: Sendable {
    /// The rig's private folder, with all sockets.
    package let folder: String
    /// The folder with the logs: `host/` and `accessory/` with `kernel.log`, `journal.jsonl` and the output of
    /// its process, and `air.log`.
    package let evidence: String
    /// The boards that it has and whose power is on.
    package var boards: [BoardRole] {
        let processes = processes
        return allBoards.filter { processes[$0] != 0 }
    }
    /// The process identifiers of the rig, now.
    package var processes: RigProcesses {
        for case .ready(let processes) in owner.told.events.reversed() { return processes }
        return atStart
    }
    /// Why the snapshot could not be used at first, so that the boards were restored at the second attempt or booted;
    /// nil if it could.
    package let snapshotFailure: RigFailure?
    /// The capabilities of the rig.
    package let description: RigDescription
    /// The parts of the rig that end unexpectedly. The stream ends with the rig.
    package let losses: AsyncStream<RigLoss>
    private let owner: RigOwner
    private let atStart: RigProcesses
    /// All boards that it has, also those without power.
    let allBoards: [BoardRole]
    /// The boards that were asleep at the start.
    let asleep: Set<BoardRole>

    /// The socket of a board's agent, for one client at a time.
    package func agentSocket(of role: BoardRole) -> String { "\(folder)/\(role.rawValue)/agent.sock" }

    /// The socket of a board's power switch: QEMU's machine protocol, or that of ``NativePower``.
    package func powerSocket(of role: BoardRole) -> String {
        let isNative = description.kind == VirtualRigs.nativeDescription.kind
        return "\(folder)/\(role.rawValue)/\(isNative ? "power" : "qmp").sock"
    }

    /// The file with the ``TickRecord`` of a part.
    func ticks(of part: RigPart) -> String { RigFolder.ticks(of: part, in: folder) }

    /// The socket of the air.
    package var airSocket: String { "\(folder)/air.sock" }

    /// Starts a rig, from its snapshot if the parts have one, and waits until both agents answer and the air listens.
    ///
    /// No radio is attached yet. A snapshot that is damaged or fails twice is deleted, and the boards boot instead.
    ///
    /// - Parameters:
    ///   - parts: The result of ``RigSetUp/prepare(withSnapshot:progress:)``; `parts.cold` makes the boards boot.
    ///   - programs: Our own programs.
    ///   - evidence: The absolute path of the folder for logs, which is made if it does not exist.
    ///   - limit: How long the start may take.
    package static func start(
        _ parts: RigParts, programs: RigPrograms = .built(), evidence: String, within limit: Duration = .seconds(60)
    ) async throws(RigFailure) -> VirtualRig {
        do {
            guard let snapshot = parts.snapshot else {
                return try await startOnce(parts, programs: programs, evidence: evidence, limit: limit, failure: nil)
            }
            var failure = snapshot.damage().map { RigFailure("restoring the boards", $0) }
            // Twice, so that a good snapshot is not deleted only because the machine is short of memory or time.
            for _ in 0..<2 where failure == nil || snapshot.damage() == nil {
                do {
                    return try await startOnce(
                        parts, programs: programs, evidence: evidence, limit: limit, failure: failure)
                } catch let error as NotRestored { failure = error.error }
            }
            try? FileManager.default.removeItem(atPath: snapshot.folder)
            return try await startOnce(
                parts.cold, programs: programs, evidence: evidence, limit: limit, failure: failure)
        } catch { throw .wrapping(error, while: "starting the virtual rig") }
    }

    /// Restores both saved boards without an air: their radios receive nothing, and their requests get no answer.
    ///
    /// - Parameter evidence: The absolute path of the folder for new logs, which is made if it does not exist.
    package static func reopen(
        _ kept: SavedBoards, programs: RigPrograms = .built(), evidence: String, within limit: Duration = .seconds(60)
    ) async throws(RigFailure) -> VirtualRig {
        do {
            return try await startOnce(
                kept.parts, programs: programs, evidence: evidence, limit: limit, failure: nil,
                purpose: .reopen(folder: kept.folder))
        } catch {
            throw .wrapping(error, while: "bringing both boards back")
        }
    }

    /// Saves both boards in a new folder, from which ``reopen(_:programs:evidence:within:)`` restores them. They are
    /// paused meanwhile, and then continue.
    package func saveBoards(in folder: String) async throws(RigFailure) {
        do { try await owner.saveBoards(in: folder) } catch { throw .wrapping(error, while: "keeping both boards") }
    }

    /// The processes of the rig: the owner and all its descendants.
    package var tree: ProcessTree { owner.tree }

    /// The processor time of its parts so far.
    package var use: RigUse {
        let used = boards.reduce(Duration.zero) { $0 + ProcessTree(of: processes[$1]).processorTime }
        return RigUse(boards: used, rest: max(.zero, tree.processorTime - used))
    }

    /// Stops the rig, and returns when all its parts have ended. A second call does nothing.
    package func stop() async { await owner.stop() }

    private static func startOnce(
        _ parts: RigParts, programs: RigPrograms, evidence: String, limit: Duration, failure: RigFailure?,
        purpose: RigConfiguration.Purpose = .run
    ) async throws -> VirtualRig {
        var owner: RigOwner?
        do {
            try FileManager.default.createDirectory(atPath: evidence, withIntermediateDirectories: true)
            let configuration = RigConfiguration(
                purpose: purpose, parts: parts, airProgram: programs.air, evidence: evidence,
                base: RigFolder.standardBase, timeLimit: limit.seconds)
            let started = try RigOwner([programs.rig], configuration: configuration)
            owner = started
            return try await VirtualRig(
                started, parts, evidence: evidence, limit: limit, failure: failure)
        } catch {
            await owner?.stop()
            throw error
        }
    }

    private init(
        _ owner: RigOwner, _ parts: RigParts, evidence: String, limit: Duration, failure: RigFailure?
    ) async throws {
        let ready = try await owner.wait(until: { if case .ready = $0 { true } else { false } }, within: limit)
        let started = try await owner.wait(until: { if case .started = $0 { true } else { false } }, within: limit)
        guard case .ready(let processes) = ready, case .started(let folder) = started else {
            throw RigFailure("starting the virtual rig", "its process sent unexpected messages")
        }
        self.owner = owner
        description = VirtualRigs.description(of: parts)
        atStart = processes
        allBoards = parts.boards
        asleep = parts.asleep
        self.folder = folder
        self.evidence = evidence
        snapshotFailure = failure
        losses = VirtualRig.losses(of: owner)
    }

    private static func losses(of owner: RigOwner) -> AsyncStream<RigLoss> {
        AsyncStream { continuation in
            let task = Task { [told = owner.told] in
                var next = 0
                while let (status, after) = try? await told.first(
                    from: next, within: .seconds(1_000_000), waitingFor: "a loss")
                {
                    next = after
                    if case .lost(let loss) = status { continuation.yield(loss) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
