import Foundation
import HIL
import HILPOSIX
import HILPhone
import HILRecord
import HILRules
import HILTiming
import RadioModel
import RigModel

/// The code of a worker process: it runs one scenario on a rig that was started for it.
///
/// It writes events as JSON lines to descriptor 3 and its ticks to descriptor 4 (``HILPOSIX/TickRecord``), and reads
/// commands from descriptor 0: `job` with a ``WorkerJob`` in JSON is the first, when the rig is ready; `standing` asks
/// for the current step, `resume` continues a worker that has paused, `backtrace` makes it write the backtrace of its
/// busy thread to standard error and end, `play` with a ``PlayCommand`` in JSON is an action of a played scenario's
/// person, and `answer` with a ``HandReply`` in JSON is what a person with a real phone says. The worker ends when descriptor 0 ends.
package enum Worker {
    private static let eventsDescriptor: Int32 = 3
    private static let ticksDescriptor: Int32 = 4
    private static let resumptions = EventLog<Bool>()
    private static let jobs = EventLog<[UInt8]>()
    private static let replies = EventLog<HandReply>()
    private static let commands = AsyncStream<PlayCommand>.makeStream(bufferingPolicy: .bufferingOldest(100))

    /// Runs a scenario and ends the process.
    ///
    /// - Parameters:
    ///   - arguments: The scenario's identifier, a folder for the files of its apps, and the version of events that the
    ///     runner reads, as ``WorkerProcesses`` gives them.
    ///   - scenarios: All scenarios.
    ///   - accessories: All accessories that the team declares by a name.
    ///   - rules: The rules that scenarios may cover.
    ///   - connectors: One for each kind of rig that it may get.
    @MainActor
    package static func run(
        _ arguments: [String], of scenarios: [NamedScenario], accessories: [NamedAccessory] = [],
        rules: RuleBook = RuleBook(), connectors: [any RigConnector]
    ) async -> Never {
        let events = Descriptor(adopting: eventsDescriptor)
        let ticker = Ticker(writing: Descriptor(adopting: ticksDescriptor))
        for descriptor in [eventsDescriptor, ticksDescriptor] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let recorder = ScenarioRecorder { message in
            guard let line = try? message.line() else { return }
            // Without the runner there is nothing left to do.
            do { try events.write(line + [UInt8(ascii: "\n")]) } catch { _exit(1) }
        }
        // Writing to a board or an air that is gone must be an error of the rig, and not a crash of the app.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGPROF) { _ in kill(getpid(), SIGKILL) }
        ThrowSites.watch()
        // A runner of another version may mean something else by it.
        let home = arguments.count > 2 && arguments.last == "\(WorkerMessage.version)" ? arguments[1] : nil
        watchLifeline(recorder, home)
        do {
            if let home { try AppHome.use(home) }
            let planned = try scenario(arguments, accessories, Plan(scenarios, rules: rules))
            AppCrash.ending.withLock { $0 = .backtrace(unless: planned.scenario.traits.expectedCrash) }
            let stacks = HostStacksAhead(of: planned.scenario)
            let job = try await job()
            UUIDNames.learn(job.options.uuidNames)
            if let rigs = job.rig.hand {
                let hand = Scenario.Hand(
                    simulated: { try await connect(to: rigs.simulated, connectors) },
                    real: { try await connect(to: rigs.real, connectors) },
                    desk: RunnersDesk(recorder: recorder, replies: replies), options: job.options, stacks: stacks)
                try await planned.scenario.run(
                    planned.oneCase, by: hand, description: job.rig.description, recorder)
                ticker.stop()
                fflush(nil)
                _exit(0)
            }
            let lab = try await Lab.open(
                { try await connect(to: job.rig, connectors) }, with: stacks,
                keepsProgram: !planned.scenario.traits.startingPrograms.isEmpty, options: job.options,
                recorder: recorder)
            if let order = job.options.trial {
                await planned.scenario.explore(planned.oneCase, in: lab, order)
            } else if job.options.isPlayed {
                await planned.scenario.play(planned.oneCase, in: lab, commands: commands.stream)
            } else {
                await planned.scenario.run(planned.oneCase, in: lab)
            }
            if job.options.pausesOnFailure, !recorder.failures.isEmpty {
                recorder.record(.paused)
                _ = try await resumptions.first(within: .seconds(1_000_000), waitingFor: "somebody to look")
            }
            lab.phone.app?.release()
            await lab.close()
        } catch {
            recorder.record(.failure(Failure(.rig, Failure(error).message)))
        }
        ticker.stop()
        // Not `exit`: other threads still run, and would use globals that are already destroyed.
        fflush(nil)
        _exit(0)
    }

    @MainActor
    private static func scenario(
        _ arguments: [String], _ accessories: [NamedAccessory], _ plan: @autoclosure () throws -> Plan
    ) throws -> PlannedScenario {
        let action = "starting a worker"
        // The last, as in earlier versions.
        let version = arguments.count > 1 ? arguments[arguments.count - 1] : "without a number"
        guard version == "\(WorkerMessage.version)" else {
            let versions =
                "version \(WorkerMessage.version) of a scenario's events, and its runner reads version \(version)"
            throw RigFailure(action, "it writes \(versions)", remedy: "rebuild both with `make build`")
        }
        guard let planned = try Plan.planned(arguments[0], of: accessories) ?? plan().planned(arguments[0]) else {
            throw RigFailure(action, "it knows no scenario \(arguments[0])", remedy: "rebuild it with `make build`")
        }
        return planned
    }

    /// The job, when the runner has a rig. Without one the runner ends this process.
    private static func job() async throws -> WorkerJob {
        let json = try await jobs.first(within: .seconds(1_000_000), waitingFor: "a rig").event
        return try JSONDecoder().decode(WorkerJob.self, from: Data(json))
    }

    private static func connect(
        to rig: RigEndpoint, _ connectors: [any RigConnector]
    ) async throws -> RigConnection {
        let kind = rig.description.kind
        guard let connector = connectors.first(where: { $0.kind == kind }) else {
            throw RigFailure("connecting to the \(kind) rig", "this program does not know this kind of rig")
        }
        return try await connector.connect(to: rig)
    }

    /// Reads commands on a separate thread, because the main actor may hang.
    ///
    /// - Parameter home: The folder to remove if the runner is gone.
    private static func watchLifeline(_ recorder: ScenarioRecorder, _ home: String?) {
        startThread(named: "lifeline") {
            let lifeline = Descriptor(adopting: 0)
            var lines = LineSplitter()
            while let bytes = try? lifeline.read(), !bytes.isEmpty {
                for line in lines.push(bytes) {
                    switch String(decoding: line, as: UTF8.self) {
                    case "standing": recorder.record(.standing(text: recorder.standing))
                    case "resume": resumptions.append(true)
                    case let text where text.hasPrefix("job "): jobs.append(Array(text.utf8.dropFirst("job ".count)))
                    case "backtrace":
                        // Swift's runtime handles SIGTRAP by a backtrace of the thread, and SIGPROF stays pending
                        // until that is
                        // written. libdispatch's threads block other signals.
                        signalBusyThread(SIGTRAP, SIGPROF)
                    case let text where text.hasPrefix("play "):
                        let json = Data(text.dropFirst("play ".count).utf8)
                        guard let command = try? JSONDecoder().decode(PlayCommand.self, from: json) else { break }
                        commands.continuation.yield(command)
                    case let text where text.hasPrefix("answer "):
                        let json = Data(text.dropFirst("answer ".count).utf8)
                        guard let reply = try? JSONDecoder().decode(HandReply.self, from: json) else { break }
                        replies.append(reply)
                    default: break
                    }
                }
            }
            if let home { try? FileManager.default.removeItem(atPath: home) }
            _exit(1)
        }
    }
}
