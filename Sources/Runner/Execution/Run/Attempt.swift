import Foundation
import HIL
import HILAudit
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

/// One scenario on one fresh rig, from the rig's start to its end.
struct Attempt: Sendable {
    let planned: PlannedScenario
    let rigs: any RigProvider
    let workers: any WorkerLauncher
    /// The scenario's folder.
    let folder: String
    let interruption: Interruption
    let clock: any Clock<Duration>
    let limits: Supervision.Limits
    /// The versions that rigs of the run have reported.
    let versions: KnownVersions
    /// The system of the accessory board; nil without one.
    let system: BoardSystem?
    /// The folder of the package of the scenarios.
    let package: String
    /// The team's names for its Bluetooth UUIDs.
    let uuidNames: [String: String]
    /// Whether the Wi-Fi keys that decrypt the capture are saved beside it.
    let keepsKeys: Bool
    /// What the runner observes of its machine.
    let machine: MachineWitness
    /// Pauses after a failure, so that a person can look at the rig; nil for no pause.
    let pause: Run.Pause?
    /// Saves both boards if the attempt fails; nil saves none.
    let saver: BoardSaver?
    /// The rig on which the scenario met an error before; nil for any.
    let avoided: String?
    /// The rig, if it is being made ready already; nil if the attempt starts one.
    let rigAhead: RigAhead?
    /// Called when the next scenario's rig may be started, which is not always that early; perhaps twice.
    let onRoom: @Sendable (NextRig) -> Void
    /// The trial that the worker makes of the scenario; nil for a run.
    var trial: OrderedTrial?
    /// What the attacks of an audit send.
    var attack = AttackOrder()
    /// Where a person with a real phone is asked; nil if nobody is.
    var person: Run.Person?
    /// Called with each event of the worker.
    let tell: @Sendable (StampedEvent) -> Void

    /// How often it is looked how late everything is in a trial.
    private static let latenessInterval = Duration.seconds(1)

    /// A trial of an exploration, which may take longer than its scenario.
    struct OrderedTrial: Sendable {
        let order: TrialOrder
        let budget: Duration

        init(_ order: TrialOrder, within budget: Duration) { (self.order, self.budget) = (order, budget) }
    }

    /// The file for what a worker prints, in the attempt's folder.
    static let workerLog = "worker.log"

    struct Outcome {
        var judgement: Judgement
        var bodySeconds: Double?
        /// See ``AttemptResult/lateness``.
        var lateness: Lateness?
        /// When everything was how late; nil if it is not a trial.
        var course: LatenessCourse?
        var processor: ProcessorUse?
        /// The rig's name; nil if rigs are all alike, or if none was available.
        var rig: String?
    }

    /// Runs the attempt. Returns nil if it was interrupted.
    func run() async -> Outcome? {
        let worker: any RunningWorker
        let log = "\(folder)/\(Attempt.workerLog)"
        // Before its rig, so that it is ready when the boards are.
        do { worker = try rigAhead?.worker ?? workers.launch(planned.caseIdentifier, log: log) } catch {
            await rigAhead?.discard()
            return Outcome(judgement: Judgement([Failure(.rig, "the worker cannot be started: \(error)")]))
        }
        let watch = LatenessWatch(worker, on: machine)
        let rig: any RunningRig
        do { rig = try await startRig() } catch {
            worker.kill()
            _ = await worker.wait()
            if interruption.cause != nil { return nil }
            var failure = Failure(.rig, Failure(error).message)
            failure.lateness = watch.lateness
            return Outcome(judgement: Judgement([failure]), rig: (error as? UnreadyRig)?.name)
        }
        for note in rig.notes { tell(StampedEvent(time: wallClockNanoseconds(), event: .remark(text: note))) }
        watch.begin(on: rig)
        worker.begin(on: rig.endpoint, options: labOptions(on: rig))
        let crash = Task {
            guard planned.scenario.traits.expectedCrash == nil, let reason = await CrashWatch(log: log).reason()
            else { return }
            tell(StampedEvent(time: wallClockNanoseconds(), event: .crashing(text: reason)))
        }
        defer { crash.cancel() }
        let supervision = await supervise(worker, rig, watch)
        let (lateness, course) = (watch.lateness, trial.map { _ in watch.course })
        // A worker that crashed or was killed could not pause itself, but its boards still run.
        if !supervision.isInterrupted {
            let cause = supervision.judgement(log: end(of: log)).cause
            if cause != nil || !KernelErrors.findings(inFolder: folder).isEmpty { await saver?.keep(rig) }
            if let cause, !supervision.hasPaused { await pause?(PausedRig(planned, cause, rig.endpoint, folder)) }
        }
        if supervision.hasOverrun, !supervision.isInterrupted { await BoardStates.write(of: rig, to: folder) }
        let use = rig.use
        if !supervision.isInterrupted { onRoom(.whileLastStops) }
        await rig.stop()
        if supervision.isInterrupted {
            await rig.release(isError: false)
            return nil
        }
        // The boards are off: their logs are complete.
        let kernel = (KernelErrors.findings(inFolder: folder) + rig.findings.map { Failure(.rig, $0) })
            .map { $0.late(lateness) }
        let failures = supervision.allFailures(log: end(of: log)).map { $0.late(lateness) }
        // Kernel errors come first, because they explain the other failures of the rig.
        let judgement = Judgement(kernel + failures, lack: supervision.lack)
        for finding in judgement.failures.filter({ !failures.contains($0) }) {
            tell(StampedEvent(time: wallClockNanoseconds(), event: .failure(finding)))
        }
        await rig.release(isError: judgement.verdict == .error)
        return Outcome(
            judgement: judgement, bodySeconds: supervision.bodySeconds, lateness: lateness,
            course: course,
            processor: use.map {
                ProcessorUse(
                    boards: $0.boards.seconds, rig: $0.rest.seconds, worker: worker.used?.seconds ?? 0)
            }, rig: rig.name)
    }

    /// The options with which the worker opens its lab.
    private func labOptions(on rig: any RunningRig) -> LabOptions {
        var options = LabOptions()
        options.capture = "\(folder)/\(Evidence.capture)"
        options.keys = keepsKeys ? "\(folder)/\(WiFiKeyFile.name)" : nil
        options.screens = "\(folder)/\(Evidence.screens)"
        options.logs = "\(folder)/accessory"
        options.package = package
        options.uuidNames = uuidNames
        options.versions = versions[system, rig.name]
        if rigs.description.has(.boardSystem) { options.packages = planned.accessoryNeeds.packages }
        options.pausesOnFailure = pause != nil || saver != nil
        options.trial = trial?.order
        options.attack = attack
        options.suspectsFile = "\(folder)/\(PacketMinimiser.sent)"
        return options
    }

    /// Starts the rig. Throws if a signal comes first.
    private func startRig() async throws -> any RunningRig {
        try await withThrowingTaskGroup(of: (any RunningRig)?.self) { group in
            group.addTask {
                if let rigAhead { return try await rigAhead.rig }
                return try await rigs.start(
                    for: planned.accessoryNeeds(in: package), evidence: folder, avoiding: avoided)
            }
            group.addTask {
                try await interruption.wait()
                return nil
            }
            defer { group.cancelAll() }
            guard let rig = try await group.next() ?? nil else {
                group.cancelAll()
                // The rig may have started at the same moment.
                if let late = try? await group.next() ?? nil {
                    await late.stop()
                    await late.release(isError: false)
                }
                throw CancellationError()
            }
            return rig
        }
    }

    private func supervise(
        _ worker: any RunningWorker, _ rig: any RunningRig, _ lateness: LatenessWatch
    ) async -> Supervision {
        // A person takes their time; the body on the simulated phone has its own limit.
        var supervision = Supervision(
            planned.scenario, limits: limits, budget: trial?.budget, isByHand: rig.endpoint.hand != nil)
        let (inputs, continuation) = AsyncStream<Supervision.Input>.makeStream()
        let watchers = watch(worker, rig, lateness, into: continuation)
        var timer: Task<Void, Never>?
        var watch: WorkerWatch?
        func perform(_ actions: [Supervision.Action]) async {
            for action in actions {
                switch action {
                case .ask:
                    worker.ask()
                    _ = supervision.take(.load(watch?.load(of: worker), lateness.lateness))
                case .backtrace, .kill:
                    // Before the boards notice that the worker is gone.
                    if !supervision.isInterrupted { await saver?.keep(rig) }
                    action == .kill ? worker.kill() : worker.endWithBacktrace()
                case .arm(let what, let limit):
                    timer?.cancel()
                    timer = Task { [clock] in
                        guard (try? await clock.sleep(for: limit)) != nil else { return }
                        continuation.yield(.timeUp(what))
                    }
                }
            }
        }
        await perform(supervision.begin())
        for await input in inputs {
            if case .worker(.bodyBegan) = input {
                watch = WorkerWatch(worker)
                onRoom(.whileLastRuns)
            }
            await perform(supervision.take(input))
            if supervision.isOver { break }
        }
        timer?.cancel()
        for watcher in watchers { watcher.cancel() }
        return supervision
    }

    private func watch(
        _ worker: any RunningWorker, _ rig: any RunningRig, _ lateness: LatenessWatch,
        into inputs: AsyncStream<Supervision.Input>.Continuation
    ) -> [Task<Void, Never>] {
        let turns = AsyncStream<HandTurn>.makeStream()
        return [
            Task { await ask(turns.stream, for: worker) },
            Task {
                var failures: [Failure] = []
                for await line in worker.events {
                    switch line {
                    case .event(let message):
                        var event = message.stamped
                        if case .stood(let board, let seconds) = event.event { lateness.take(seconds, of: board) }
                        // At once, because later lateness does not excuse it.
                        if case .failure(let failure) = event.event {
                            event.event = .failure(failure.late(lateness.lateness))
                        }
                        if case .boardsReady(let told) = event.event {
                            versions[system, rig.name] = (versions[system, rig.name] ?? [:]).merging(told) { $1 }
                        }
                        tell(event)
                        inputs.yield(.worker(event.event))
                        if case .hand(let turn)? = message.played { turns.continuation.yield(turn) }
                        if case .failure(let failure) = event.event { failures.append(failure) }
                        guard case .paused = event.event else { continue }
                        await saver?.keep(rig)
                        if let cause = Judgement(failures).cause {
                            await pause?(PausedRig(planned, cause, rig.endpoint, folder))
                        }
                        worker.resume()
                        inputs.yield(.resumed)
                    case .unreadable(let text): inputs.yield(.unreadable(text))
                    }
                }
                turns.continuation.finish()
                inputs.yield(.workerEnded(await worker.wait()))
            },
            Task {
                while trial != nil, (try? await clock.sleep(for: Attempt.latenessInterval)) != nil { lateness.mark() }
            },
            Task { if let why = try? await rig.lost() { inputs.yield(.rigLost(why)) } },
            Task { if (try? await interruption.wait()) != nil { inputs.yield(.interrupted) } },
        ]
    }

    /// Passes what is said or asked to the person with the phone, one after the other, and the answers back.
    private func ask(_ turns: AsyncStream<HandTurn>, for worker: any RunningWorker) async {
        for await turn in turns {
            guard let reply = await person?(turn, folder) else { continue }
            worker.answer(reply)
        }
    }

    /// The last 256 KiB of a file, which is enough for the reason of a crash and its backtrace.
    private func end(of path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        let size = (try? file.seekToEnd()) ?? 0
        try? file.seek(toOffset: size > 262_144 ? size - 262_144 : 0)
        return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }
}

extension Failure {
    /// The failure with how late everything was when it came, if that is not known yet.
    fileprivate func late(_ lateness: Lateness) -> Failure {
        var failure = self
        failure.lateness = failure.lateness ?? lateness
        return failure
    }
}
