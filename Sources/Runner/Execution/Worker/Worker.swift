import Foundation
import Framing
import HIL
import POSIX
import RigModel
import Rules
import Timing

/// The inside of a worker process: one scenario on a rig that was made for it.
///
/// It tells events as JSON lines on descriptor 3. Descriptor 0 is its lifeline: when it ends, so does the worker; a line
/// `standing` on it asks where the worker stands, a line `resume` lets a worker that has paused go on, and a line `backtrace`
/// has it write the backtrace of the thread that is busy to standard error and end.
package enum Worker {
    private static let eventsDescriptor: Int32 = 3
    private static let resumptions = EventLog<Bool>()

    /// Runs a scenario and ends the process.
    ///
    /// - Parameters:
    ///   - arguments: The scenario's identifier, the job, and the version of events that the runner reads, as
    ///     ``WorkerProcesses`` gives them.
    ///   - scenarios: All there are.
    ///   - rules: What scenarios may say they cover.
    ///   - connectors: One for each kind of rig that it may be given.
    @MainActor
    package static func run(
        _ arguments: [String], of scenarios: [NamedScenario], rules: RuleBook = RuleBook(),
        connectors: [any RigConnector]
    ) async -> Never {
        let events = Descriptor(adopting: eventsDescriptor)
        _ = fcntl(eventsDescriptor, F_SETFD, FD_CLOEXEC)
        let recorder = ScenarioRecorder { event in
            guard let line = try? event.line() else { return }
            // Without a listener there is nothing left to do.
            do { try events.write(line + [UInt8(ascii: "\n")]) } catch { _exit(1) }
        }
        // A board or an air that goes away is noticed where it is written to: the rig's fault, and no crash of the app.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGPROF) { _ in kill(getpid(), SIGKILL) }
        watchLifeline(recorder)
        do {
            let (job, planned) = try job(arguments, Plan(scenarios, rules: rules))
            let lab = try await Lab.open(
                { try await connect(to: job.rig, connectors) }, options: job.options, recorder: recorder)
            await planned.scenario.run(planned.oneCase, in: lab)
            if job.options.pausesOnFailure, !recorder.failures.isEmpty {
                recorder.record(.paused)
                _ = try await resumptions.first(within: .seconds(1_000_000), waitingFor: "somebody to look")
            }
            lab.phone.app?.letGo()
            await lab.close()
        } catch {
            recorder.record(.failure(Failure(.rig, Failure(error).message)))
        }
        // Not `exit`: other threads run on, and would see globals go.
        fflush(nil)
        _exit(0)
    }

    private static func job(
        _ arguments: [String], _ plan: @autoclosure () throws -> Plan
    ) throws -> (WorkerJob, PlannedScenario) {
        let action = "starting a worker"
        let version = arguments.count > 2 ? arguments[2] : "without a number"
        guard version == "\(StampedEvent.version)" else {
            let versions =
                "version \(StampedEvent.version) of a scenario's events, and its runner reads version \(version)"
            throw RigFailure(action, "it tells \(versions)", remedy: "build both anew, by `make build`")
        }
        let job = try JSONDecoder().decode(WorkerJob.self, from: Data(arguments[1].utf8))
        guard let planned = try plan().all.first(where: { $0.identifier == arguments[0] }) else {
            throw RigFailure(action, "it knows no scenario \(arguments[0])", remedy: "build it anew, by `make build`")
        }
        return (job, planned)
    }

    private static func connect(
        to rig: RigEndpoint, _ connectors: [any RigConnector]
    ) async throws -> RigConnection {
        let kind = rig.description.kind
        guard let connector = connectors.first(where: { $0.kind == kind }) else {
            throw RigFailure("connecting to the \(kind) rig", "this program knows no such kind of rig")
        }
        return try await connector.connect(to: rig)
    }

    /// A thread, because the main actor may be what hangs.
    private static func watchLifeline(_ recorder: ScenarioRecorder) {
        startThread(named: "lifeline") {
            let lifeline = Descriptor(adopting: 0)
            var lines = LineSplitter()
            while let bytes = try? lifeline.read(), !bytes.isEmpty {
                for line in lines.push(bytes) {
                    switch String(decoding: line, as: UTF8.self) {
                    case "standing": recorder.record(.standing(text: recorder.standing))
                    case "resume": resumptions.append(true)
                    case "backtrace":
                        // Swift's runtime answers the first with a backtrace of the thread, and holds back the second
                        // until that is written. libdispatch's threads block other signals.
                        signalBusyThread(SIGTRAP, SIGPROF)
                    default: break
                    }
                }
            }
            _exit(1)
        }
    }
}
