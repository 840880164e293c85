import HIL
import POSIX
import RigModel

/// Starts workers.
package protocol WorkerLauncher: Sendable {
    /// Starts one for a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The identifier.
    ///   - rig: How it reaches its rig.
    ///   - options: What it opens the lab with.
    ///   - log: The file that takes what it writes to standard output and standard error.
    func launch(
        _ scenario: String, on rig: RigEndpoint, options: LabOptions, log: String
    ) throws -> any RunningWorker
}

/// A worker that runs.
package protocol RunningWorker: Sendable {
    /// What it tells; ends when the worker has.
    var events: AsyncStream<WorkerLine> { get }

    /// Waits for its end.
    func wait() async -> ExitStatus

    /// Asks where it stands; it answers with an event, if it can.
    func ask()

    /// Lets it go on after it has paused.
    func resume()

    /// Ends it, whatever it does.
    func kill()

    /// How long its threads have run and waited for a processor so far; nil where nobody knows.
    var processorTime: ProcessorTime? { get }

    /// Has it write the backtrace of its busy thread into its log, and then end itself.
    func endWithBacktrace()
}

/// A line that a worker wrote.
package enum WorkerLine: Sendable {
    case event(StampedEvent)
    /// Something that is no event: why, and how it begins.
    case unreadable(String)
}
