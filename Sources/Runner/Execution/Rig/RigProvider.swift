import BoardProtocol
import HIL
import POSIX

/// Makes rigs; one after the other, each fresh.
public protocol RigProvider: Sendable {
    /// The kind of rig, for reports: `virtual`.
    var kind: String { get }

    /// What its rigs can do; a scenario that needs more is skipped.
    var capabilities: Set<Capability> { get }

    /// Starts a pristine rig, and waits until its agents answer and its air listens. No radio is plugged in yet.
    ///
    /// - Parameter evidence: The folder that gets its logs, in `host/` and `accessory/`; absolute.
    /// - Throws: Why there is none, and what to do about it. Nothing is left behind then.
    func start(evidence: String) async throws -> any RunningRig
}

/// A rig that runs. Whoever started it stops it.
public protocol RunningRig: Sendable {
    /// Where a worker finds it.
    var endpoints: RigEndpoints { get }

    /// What about its start is worth a line in the log: a snapshot that could not be used.
    var notes: [String] { get }

    /// Returns when a board or the air is gone although ``stop()`` was not called: what, and how.
    ///
    /// - Throws: When the task is cancelled.
    func lost() async throws -> String

    /// How long each board's processor has run on one of the machine's, and waited for one, so far; empty where nobody knows.
    var processorTimes: [BoardRole: ProcessorTime] { get }

    /// Writes both boards as they are into a new folder, all of it or nothing, and lets them run on.
    ///
    /// - Throws: Why they are not there, and what to do about it.
    func keepBoards(in folder: String) async throws

    /// Ends everything that belongs to the rig; its logs are complete then.
    func stop() async
}
