import Foundation
import HIL
import HILAudit
import HILPOSIX
import HILRecord
import HILTiming
import RigModel
import Synchronization

/// Runs scenarios, each with its own rig and worker, one after the other or side by side, and reports every event.
package struct Run: Sendable {
    /// Called with the lines of a run, in order. If it throws, the run ends.
    package typealias Sink = @Sendable (RunLine) throws -> Void

    /// Lets a person look at a rig on which a scenario failed. Returns when they have finished.
    package typealias Pause = @Sendable (PausedRig) async -> Void

    /// Says something to a person with a real phone, or asks them; the string is the attempt's folder. Nil is no answer.
    package typealias Person = @Sendable (HandTurn, String) async -> HandReply?

    private let agenda: Agenda
    private let rigs: any RigProvider
    private let workers: any WorkerLauncher
    private let folder: RunFolder
    private let interruption: Interruption
    private let clock: any Clock<Duration>
    private let limits: Supervision.Limits
    private let options: RunOptions
    private let today: String
    private let machine: MachineWitness
    private let pause: Pause?
    private let keepsKeys: Bool
    private let package: String
    private let uuidNames: [String: String]
    private let attack: AttackOrder
    private let person: Person?
    private let sink: SinkGuard
    private let allowance: SavingAllowance
    private let versions = KnownVersions()
    private let ahead = CasesAhead()
    private let stoppedBy = Memo<Bool, String>()
    private let usedBudget = Memo<Bool, Double>()
    private let unproven = UnconfirmedCases()
    private let folderBudget: FolderBudget

    /// - Parameters:
    ///   - agenda: The scenarios in their order; a run takes them out of it.
    ///   - clock: Measures the budgets.
    ///   - keepsKeys: Whether the Wi-Fi keys that decrypt a capture are saved beside it.
    ///   - package: The folder of the package of the scenarios.
    ///   - uuidNames: The team's names for its Bluetooth UUIDs.
    ///   - folderLimit: The most disk space for the run's folder, in bytes; nil is no limit.
    ///   - machine: What is observed of this machine.
    ///   - today: The current day in UTC, for quarantines, as `2026-12-31`.
    ///   - pause: Called with each rig on which a scenario failed, before the rig is stopped.
    ///   - attack: What the attacks of an audit send.
    ///   - person: Where a person with a real phone is asked.
    ///   - sink: Called with each line.
    package init(
        _ agenda: Agenda, rigs: any RigProvider, workers: any WorkerLauncher, folder: RunFolder,
        interruption: Interruption = Interruption(), clock: any Clock<Duration> = ContinuousClock(),
        limits: Supervision.Limits = Supervision.Limits(), options: RunOptions = RunOptions(),
        keepsKeys: Bool = true, package: String = ".", uuidNames: [String: String] = [:], folderLimit: UInt64? = nil,
        machine: MachineWitness = .punctual, today: String = UTCDay.today, pause: Pause? = nil,
        attack: AttackOrder = AttackOrder(), person: Person? = nil, sink: @escaping Sink
    ) {
        self.person = person
        self.agenda = agenda
        self.rigs = rigs
        self.workers = workers
        self.folder = folder
        self.interruption = interruption
        self.clock = clock
        self.limits = limits
        self.options = options
        self.keepsKeys = keepsKeys
        self.package = package
        self.uuidNames = uuidNames
        self.machine = machine
        self.today = today
        self.pause = pause
        self.attack = attack
        self.sink = SinkGuard(sink)
        allowance = SavingAllowance(options.keptBoards)
        folderBudget = FolderBudget(folderLimit)
    }

    /// Runs all scenarios, until a signal comes or the run's budget is used up. From the time of ``RunOptions/lastStart`` on
    /// none begins.
    ///
    /// - Parameters:
    ///   - invocation: How `hil` was called, for the commands that replay.
    ///   - commit: The commit of the package of the scenarios; nil if it is not known.
    ///   - audit: What an audit checks; nil if the run is none.
    /// - Throws: The error of the sink. Then no part of the run is left running.
    package func perform(
        version: String, invocation: Invocation = Invocation(), commit: String? = nil, audit: AuditInfo? = nil
    ) async throws {
        let began = ContinuousClock.now
        var info = RunInfo(
            version: version, rig: rigs.label, choice: rigs.choice,
            machine: ProcessInfo.processInfo.hostName, folder: folder.path,
            scenarios: entries(agenda.beginning, invocation), options: options, program: invocation.program)
        info.accessory = rigs.accessorySystem?.description
        (info.commit, info.audit) = (commit, audit)
        tell(nil, .runBegan(info))
        let timer = Task { [clock, interruption] in
            guard let budget = options.budget else { return }
            try await clock.sleep(for: .seconds(budget))
            interruption.overrun()
        }
        defer { timer.cancel() }
        let isOver = clock.isPast(options.lastStart)
        let problem = await withTaskGroup(of: (any Error)?.self) { group in
            for rig in 1...max(1, options.jobs) { group.addTask { await work(on: rig, invocation, until: isOver) } }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        while let turn = ahead.take() { await discard(turn) }
        if problem == nil, usedBudget[true] == nil { await runUnproven() } else { unproven.take().forEach(end) }
        await rigs.close()
        if let problem { throw problem }
        let seconds = (ContinuousClock.now - began).seconds
        let end = RunEnd(
            signal: interruption.signal, missedBudget: interruption.cause == .budget ? options.budget : nil,
            usedBudget: usedBudget[true], stoppedBy: stoppedBy[true], seconds: seconds,
            processorSeconds: rusage.ofThisProcess.processorTime.seconds)
        tell(nil, .runEnded(end))
        try sink.check()
    }

    private func entries(_ scenarios: [PlannedScenario], _ invocation: Invocation) -> [RunInfo.Entry] {
        scenarios.map { planned in
            var entry = RunInfo.Entry(planned, invocation)
            entry.accessory = system(for: planned)?.description
            return entry
        }
    }

    /// The system that a scenario's accessory board gets; nil if it is not known.
    private func system(for planned: PlannedScenario) -> BoardSystem? {
        guard rigs.description.has(.boardSystem) else { return rigs.accessorySystem }
        return rigs.accessorySystem.map { planned.accessoryNeeds.system(or: $0) }
    }

    /// Runs one scenario after the other until none is left, or none may begin any more.
    ///
    /// - Returns: The error that ended this rig's work; the other rigs finish their scenarios.
    private func work(
        on rig: Int, _ invocation: Invocation, until isOver: @escaping @Sendable () -> Bool
    ) async -> (any Error)? {
        @Sendable func next() -> ScheduledCase? {
            agenda.next { round in tell(nil, .roundBegan(entries(round, invocation))) }.map {
                ScheduledCase(planned: $0)
            }
        }
        var problem: (any Error)?
        while problem == nil, interruption.cause == nil, !sink.isBroken {
            if isOver() {
                usedBudget[true] = options.lastStart
                break
            }
            guard let turn = ahead.take() ?? next() else { break }
            do {
                let isStarted = Atomic(false)
                try await run(turn, on: rig, until: isOver) { room in
                    guard isStraight, !isOver(), room >= rigs.nextRig, interruption.cause == nil,
                        room > .whileLastRuns || Jobs.hasRoom(for: rigs.footprint),
                        !isStarted.exchange(true, ordering: .relaxed), var turn = next()
                    else { return }
                    turn.rig = rigAhead(of: turn.planned)
                    ahead.put(turn)
                }
            } catch {
                // Only before the rig was taken: a scenario whose rig is made ready ahead has no second attempt.
                await turn.rig?.discard()
                agenda.close()
                problem = error
            }
        }
        return problem
    }

    /// Whether each scenario runs once, with no retries and no pause.
    private var isStraight: Bool { options.retries == 0 && !options.untilFail && pause == nil }

    /// Begins to make ready rig and worker of the next scenario; nil if that is left to the scenario's turn.
    private func rigAhead(of planned: PlannedScenario) -> RigAhead? {
        guard planned.lack(on: rigs.description) == nil, let path = try? folder.scenario(planned.slug) else {
            return nil
        }
        // Errors of a worker are reported in the scenario's turn.
        let worker = try? workers.launch(planned.caseIdentifier, log: "\(path)/\(Attempt.workerLog)")
        return RigAhead(worker: worker) { [package] in
            try await rigs.start(for: planned.accessoryNeeds(in: package), evidence: path)
        }
    }

    /// Removes everything of a scenario that will not run.
    private func discard(_ turn: ScheduledCase) async {
        guard let rig = turn.rig else { return }
        await rig.discard()
        folder.removeScenario(turn.planned.slug)
    }

    /// - Parameters:
    ///   - isOver: Whether nothing begins any more.
    ///   - onRoom: See ``Attempt/onRoom``.
    private func run(
        _ turn: ScheduledCase, on rig: Int, until isOver: @Sendable () -> Bool,
        onRoom: @escaping @Sendable (NextRig) -> Void
    ) async throws {
        let planned = turn.planned
        if let lack = planned.lack(on: rigs.description) {
            return tell(planned, .scenarioEnded(ScenarioResult(Judgement(skipped: Lack(lack)), seconds: 0)))
        }
        tell(planned, .scenarioBegan, rig: rig)
        let path = try folder.scenario(planned.slug)
        var attempts: [AttemptResult] = []
        var movedFrom: String?
        while let attempt = try await attempt(
            attempts.count + 1, at: turn, avoiding: movedFrom, in: path, onRoom: onRoom)
        {
            attempts.append(attempt)
            if interruption.cause != nil || sink.isBroken { break }
            if attempts.count == 1, let name = await errorBench(of: attempt) {
                movedFrom = name
            } else {
                let isDone = attempt.judgement.verdict == .passed || attempt.judgement.verdict == .skipped
                if isDone || attempts.count > options.retries + (movedFrom == nil ? 0 : 1) { break }
            }
            tell(planned, .attemptEnded(attempt))
        }
        let done = UnconfirmedCase(planned: planned, folder: path, attempts: attempts, movedFrom: movedFrom)
        guard let last = attempts.last, done.result.judgement.unproven != nil, interruption.cause == nil,
            !sink.isBroken, !isOver()
        else { return end(done) }
        tell(planned, .attemptEnded(last))
        unproven.add(done)
        if options.untilFail { close(at: planned) }
    }

    /// Reports the result of a scenario.
    private func end(_ turn: UnconfirmedCase) {
        let planned = turn.planned
        // Results from before an interruption are kept.
        if turn.attempts.isEmpty { return tell(planned, .scenarioInterrupted) }
        let verdict = turn.result.judgement.verdict
        var turn = turn
        turn.attempts = folderBudget.take(
            turn.attempts, in: turn.folder, isGood: verdict == .passed || verdict == .skipped)
        var result = turn.result
        result.judgement = result.judgement.quarantined(planned.scenario.traits.quarantine, today: today)
        if let problem = Evidence.write(result, of: planned, to: turn.folder) { result.missing.append(problem) }
        tell(planned, .scenarioEnded(result))
        if options.untilFail, result.judgement.verdict.isBad || result.judgement.verdict == .flaky {
            close(at: planned)
        }
    }

    /// Ends a run that repeats until a scenario does not pass.
    private func close(at planned: PlannedScenario) {
        agenda.close()
        stoppedBy[true] = stoppedBy[true] ?? planned.identifier
    }

    /// How long the first scenario that runs again waits for a quiet machine. If it does not become quiet, the next
    /// ones wait for a tenth of it.
    private static let quietLimit = Duration.seconds(20)

    /// Runs every scenario once more whose failures prove nothing because something was late, one after the other, at
    /// the end of the run.
    private func runUnproven() async {
        var limit = Run.quietLimit
        for turn in unproven.take() {
            var turn = turn
            let isQuiet = try? await machine.waitForQuiet(within: limit, on: clock)
            if isQuiet != true { limit = Run.quietLimit / 10 }
            // Even without quiet: a scenario that passes has passed, and only a failure may prove nothing again.
            if interruption.cause == nil, !sink.isBroken,
                let attempt = try? await attempt(
                    turn.attempts.count + 1, at: ScheduledCase(planned: turn.planned), avoiding: turn.movedFrom,
                    in: turn.folder, onRoom: { _ in })
            {
                turn.attempts.append(attempt)
            }
            end(turn)
        }
    }

    /// The bench on which an attempt met an error, if the scenario can go to another one; else nil.
    private func errorBench(of attempt: AttemptResult) async -> String? {
        guard attempt.judgement.verdict == .error, let name = attempt.rig, await rigs.hasOther(than: name) else {
            return nil
        }
        return name
    }

    /// Runs one attempt and collects its evidence. Returns nil if it was interrupted.
    private func attempt(
        _ number: Int, at turn: ScheduledCase, avoiding avoided: String?, in parent: String,
        onRoom: @escaping @Sendable (NextRig) -> Void
    ) async throws -> AttemptResult? {
        let planned = turn.planned
        let began = ContinuousClock.now
        tell(planned, .attemptBegan(number: number))
        let name = number == 1 ? "" : "attempt-\(number)"
        let path = number == 1 ? parent : try folder.scenario("\(planned.slug)/\(name)")
        let story = Story()
        let saver = BoardSaver(in: path, allowance)
        let system = planned.accessoryNeeds.hasBoard ? system(for: planned) ?? .debian13 : nil
        let attempt = Attempt(
            planned: planned, rigs: rigs, workers: workers, folder: path, interruption: interruption, clock: clock,
            limits: limits, versions: versions, system: system, package: package, uuidNames: uuidNames,
            keepsKeys: keepsKeys,
            machine: machine, pause: pause,
            saver: allowance.isNothing ? nil : saver, avoided: avoided, rigAhead: number == 1 ? turn.rig : nil,
            onRoom: onRoom, attack: attack, person: person
        ) { [sink] event in
            let line = RunLine(scenario: planned.identifier, worker: event)
            story.add(line)
            sink.take(line)
        }
        let logs = CappedLogs(folder: path)
        let watching = Task { await logs.watch() }
        var outcome = await attempt.run()
        watching.cancel()
        await watching.value
        if let judgement = outcome?.judgement, judgement.verdict == .failed {
            outcome?.judgement = await minimised(judgement, of: planned, in: path)
        }
        let cut = logs.settle()
        let evidence = Evidence.collect(in: path, of: planned, story: story.lines, judgement: outcome?.judgement)
        guard let outcome else { return nil }
        if let frames = AttackFrames.find(in: path, of: story.lines) {
            let event = ScenarioEvent.audit(.frames(ofNotes: frames))
            sink.take(
                RunLine(
                    scenario: planned.identifier, worker: StampedEvent(time: wallClockNanoseconds(), event: event)))
        }
        var judgement = outcome.judgement
        if judgement.verdict == .passed { judgement.reason = AuditNote.acceptance(in: story.lines) }
        let warnings = Warning.all(in: story.lines) + cut
        let emptyScenario = Warning.expectsNothing(planned, outcome.judgement, in: story.lines)
        let prefix = name.isEmpty ? "" : name + "/"
        let unsaved = await saver.problem.map { ["both boards as they were: \($0)"] } ?? []
        let boards = BoardVersions(story.lines)
        var result = AttemptResult(
            judgement, seconds: (ContinuousClock.now - began).seconds, bodySeconds: outcome.bodySeconds,
            lateness: outcome.lateness, processor: outcome.processor, folder: name,
            evidence: evidence.files.map { prefix + $0 },
            missing: evidence.missing + unsaved,
            boards: await saver.kept.map { prefix + $0 }, warnings: warnings + [emptyScenario].compactMap { $0 },
            firmware: options.firmware ?? boards.firmware, versions: boards.versions.isEmpty ? nil : boards.versions)
        result.rig = outcome.rig
        return result
    }

    /// The judgement with the shortest list of packets that breaches a control, if it is about packets.
    private func minimised(_ judgement: Judgement, of planned: PlannedScenario, in path: String) async -> Judgement {
        guard FileManager.default.fileExists(atPath: "\(path)/\(PacketMinimiser.sent)") else { return judgement }
        let minimiser = PacketMinimiser(folder: path) { order, place in
            let attempt = Attempt(
                planned: planned, rigs: rigs, workers: workers, folder: place, interruption: interruption,
                clock: clock, limits: limits, versions: versions,
                system: planned.accessoryNeeds.hasBoard ? system(for: planned) ?? .debian13 : nil, package: package,
                uuidNames: uuidNames, keepsKeys: false, machine: machine, pause: nil, saver: nil, avoided: nil,
                rigAhead: nil, onRoom: { _ in }, attack: order, tell: { _ in })
            return await attempt.run().map { $0.judgement.verdict == .failed }
        }
        let shortest = await minimiser.run()
        return interruption.cause == nil ? judgement.naming(shortest) : judgement
    }

    private func tell(_ planned: PlannedScenario?, _ event: RunnerEvent, rig: Int? = nil) {
        sink.take(RunLine(time: wallClockNanoseconds(), scenario: planned?.identifier, runner: event, rig: rig))
    }
}

/// Passes lines to a sink until it throws, and remembers that error.
private final class SinkGuard: Sendable {
    private let sink: Run.Sink
    private let problem = Mutex<(any Error)?>(nil)

    init(_ sink: @escaping Run.Sink) { self.sink = sink }

    var isBroken: Bool { problem.withLock { $0 != nil } }

    func take(_ line: RunLine) {
        problem.withLock { problem in
            guard problem == nil else { return }
            do { try sink(line) } catch { problem = error }
        }
    }

    func check() throws { if let error = problem.withLock({ $0 }) { throw error } }
}
