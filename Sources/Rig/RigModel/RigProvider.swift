import BoardProtocol
import POSIX

/// Makes rigs of one kind; one after the other or side by side, each fresh.
package protocol RigProvider: Sendable {
    /// What its rigs have. A scenario that needs more is skipped.
    var description: RigDescription { get }

    /// Starts a pristine rig, and waits until its agents answer.
    ///
    /// - Parameter evidence: The folder that gets its logs, in `host/` and `accessory/`; absolute.
    /// - Throws: Why there is none, and what to do about it. Nothing is left behind then.
    func start(evidence: String) async throws -> any RunningRig
}

/// A rig that runs. Whoever started it stops it.
package protocol RunningRig: Sendable {
    /// How a worker reaches it.
    var endpoint: RigEndpoint { get }

    /// What about its start is worth a line in the log: a snapshot that could not be used.
    var notes: [String] { get }

    /// Returns when a part of it is gone although ``stop()`` was not called: what, and how.
    ///
    /// - Throws: When the task is cancelled.
    func lost() async throws -> String

    /// How long each board's processor has run on one of the machine's, and waited for one, so far; empty where nobody knows.
    var processorTimes: [BoardRole: ProcessorTime] { get }

    /// Talks to a board's agent, whose worker has gone.
    ///
    /// - Throws: When the agent does not answer within `limit`.
    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient

    /// Writes both boards as they are into a new folder, all of it or nothing, and lets them run on.
    ///
    /// - Throws: Why they are not there, and what to do about it; ``RigLacks`` where the rig has no ``Capability/snapshot``.
    func keepBoards(in folder: String) async throws

    /// Ends everything that belongs to the rig; its logs are complete then.
    func stop() async
}

/// What a rig of two boards and nothing more does.
extension RunningRig {
    package var notes: [String] { [] }

    package var processorTimes: [BoardRole: ProcessorTime] { [:] }

    package func keepBoards(in folder: String) async throws {
        if let lack = endpoint.description.lack(of: [.snapshot]) { throw lack }
        throw RigFailure("keeping both boards", "the \(endpoint.description.kind) rig says that it can, and does not")
    }
}
