import HIL

/// Makes rigs; one after the other, each fresh.
public protocol RigProvider: Sendable {
    /// The kind of rig, for reports: `virtual`.
    var kind: String { get }

    /// Starts a pristine rig. Its agents need not answer yet.
    ///
    /// - Parameter capture: Where the air is going to be told to capture: an absolute path.
    /// - Throws: Why there is none, and what to do about it. Nothing is left behind then.
    func start(capture: String) async throws -> any RunningRig
}

/// A rig that runs. Whoever started it stops it.
public protocol RunningRig: Sendable {
    /// Where a worker finds it.
    var endpoints: RigEndpoints { get }

    /// Returns when a board or the air is gone before ``stop(savingLogsTo:)`` was called: what, and how.
    ///
    /// - Throws: When the task is cancelled.
    func lost() async throws -> String

    /// Ends everything that belongs to the rig.
    ///
    /// - Parameter folder: Where each board's `journal.jsonl` and `kernel.log` are put, in `host/` and `accessory/`.
    /// - Returns: What could not be saved, and why.
    func stop(savingLogsTo folder: String) async -> [String]
}
