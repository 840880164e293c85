import HIL
import HILPOSIX
import RigModel

/// Starts workers.
package protocol WorkerLauncher: Sendable {
    /// Starts a worker for a scenario. While there is no rig yet, it makes itself ready, and starts the scenario's host
    /// stacks.
    ///
    /// - Parameters:
    ///   - scenario: The identifier.
    ///   - log: The file for its standard output and standard error.
    func launch(_ scenario: String, log: String) throws -> any RunningWorker
}

/// A running worker.
package protocol RunningWorker: Sendable {
    /// The worker's events. The stream ends with the worker.
    var events: AsyncStream<WorkerLine> { get }

    /// Gives the worker a rig, on which it begins the scenario.
    ///
    /// - Parameters:
    ///   - rig: The address of the rig.
    ///   - options: The options with which the worker opens the lab.
    func begin(on rig: RigEndpoint, options: LabOptions)

    /// Waits until the worker has ended.
    func wait() async -> ExitStatus

    /// Asks for the current step. The worker answers with an event, if it can.
    func ask()

    /// Continues a worker that has paused.
    func resume()

    /// Lets the person of a played scenario do something.
    func play(_ command: PlayCommand)

    /// Passes on what a person with a real phone says.
    func answer(_ reply: HandReply)

    /// Kills the worker.
    func kill()

    /// How long its threads have run and waited for a processor so far; nil if unknown.
    var processorTime: ProcessorTime? { get }

    /// When it last ran; nil if it is not measured.
    var ticks: TickRecord? { get }

    /// Its processor time; nil while it runs.
    var used: Duration? { get }

    /// Makes the worker write the backtrace of its busy thread into its log, and then end.
    func endWithBacktrace()
}

extension RunningWorker {
    package var ticks: TickRecord? { nil }

    package var used: Duration? { nil }

    package func play(_ command: PlayCommand) {}

    package func answer(_ reply: HandReply) {}
}

/// A line that a worker wrote.
package enum WorkerLine: Sendable {
    case event(WorkerMessage)
    /// A line that is not an event: the reason, and how the line begins.
    case unreadable(String)
}
