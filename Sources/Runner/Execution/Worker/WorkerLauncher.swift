import HIL
import POSIX

/// Starts workers.
public protocol WorkerLauncher: Sendable {
    /// Starts one for a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The identifier.
    ///   - log: The file that takes what it writes to standard output and standard error.
    func launch(_ scenario: String, on rig: RigEndpoints, log: String) throws -> any RunningWorker
}

/// A worker that runs.
public protocol RunningWorker: Sendable {
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
    func dissect()
}

/// A line that a worker wrote.
public enum WorkerLine: Sendable {
    case event(StampedEvent)
    /// Something that is no event: why, and how it begins.
    case unreadable(String)
}
