import Foundation
import HIL
import HILExploration
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

/// Explores scenarios, one after the other, and reports it as a run: a case for each scenario, and one for each finding.
package struct ExplorationRun: Sendable {
    private let scenarios: [PlannedScenario]
    private let rigs: any RigProvider
    private let workers: any WorkerLauncher
    private let folder: RunFolder
    private let interruption: Interruption
    private let options: ExplorationOptions
    private let package: String
    private let uuidNames: [String: String]
    private let machine: MachineWitness
    private let stores: @Sendable (PlannedScenario) throws -> ExplorationStore?
    private let sink: @Sendable (RunLine) -> Void

    /// - Parameters:
    ///   - stores: The results of earlier explorations of a scenario.
    ///   - sink: Called with each line of the run.
    package init(
        _ scenarios: [PlannedScenario], rigs: any RigProvider, workers: any WorkerLauncher, folder: RunFolder,
        interruption: Interruption, options: ExplorationOptions, package: String = ".",
        uuidNames: [String: String] = [:], machine: MachineWitness = .punctual,
        stores: @escaping @Sendable (PlannedScenario) throws -> ExplorationStore? = { _ in nil },
        sink: @escaping @Sendable (RunLine) -> Void
    ) {
        self.scenarios = scenarios
        self.rigs = rigs
        self.workers = workers
        self.folder = folder
        self.interruption = interruption
        self.options = options
        self.package = package
        self.uuidNames = uuidNames
        self.machine = machine
        self.stores = stores
        self.sink = sink
    }

    /// Explores all scenarios, until a signal comes. A budget is shared evenly among them.
    ///
    /// - Returns: The findings of each scenario, for scenarios that keep them.
    @discardableResult
    package func perform(
        version: String, invocation: Invocation = Invocation(), commit: String? = nil
    ) async throws -> [ExploredScenario] {
        let began = ContinuousClock.now
        var runOptions = RunOptions()
        (runOptions.jobs, runOptions.seed, runOptions.budget) = (options.jobs, options.seed, options.budget)
        var info = RunInfo(
            version: version, rig: rigs.label, choice: rigs.choice, machine: ProcessInfo.processInfo.hostName,
            folder: folder.path, scenarios: scenarios.map { entry(of: $0, invocation) }, options: runOptions,
            program: invocation.program)
        info.accessory = rigs.accessorySystem?.description
        info.commit = commit
        tell(nil, .runBegan(info))
        var explored: [ExploredScenario] = []
        for planned in scenarios where interruption.cause == nil {
            explored.append(try await explore(planned, invocation))
        }
        await rigs.close()
        let seconds = (ContinuousClock.now - began).seconds
        tell(
            nil,
            .runEnded(
                RunEnd(
                    signal: interruption.signal, seconds: seconds,
                    processorSeconds: rusage.ofThisProcess.processorTime.seconds)))
        return explored
    }

    private func entry(of planned: PlannedScenario, _ invocation: Invocation) -> RunInfo.Entry {
        var entry = RunInfo.Entry(planned, invocation)
        entry.title = "Explored: \(planned.title)"
        entry.replay = invocation.exploring(planned.caseIdentifier)
        return entry
    }

    private func explore(_ planned: PlannedScenario, _ invocation: Invocation) async throws -> ExploredScenario {
        let identifier = planned.identifier
        tell(identifier, .scenarioBegan, rig: 1)
        tell(identifier, .attemptBegan(number: 1))
        let began = ContinuousClock.now
        let path = try folder.scenario(planned.slug)
        let options = options.shared(among: scenarios.count)
        let runner = TrialRunner(
            planned: planned, rigs: rigs, workers: workers, interruption: interruption, clock: ContinuousClock(),
            limits: Supervision.Limits(), package: package, uuidNames: uuidNames, machine: machine)
        let explorer = Explorer(
            runner: runner, options: options, folder: path, store: try stores(planned),
            onBegin: { tell(identifier, .explorationBegan($0)) }, onResult: { tell(identifier, .trialEnded($0)) })
        let outcome = await explorer.run()
        // First its own story, with which the pages of the findings compare theirs.
        let judgement = judgement(outcome)
        if let control = outcome.control { tellStory(of: control, as: identifier) }
        let evidence = evidence(of: outcome.control, planned, judgement)
        for confirmed in outcome.findings { tell(confirmed, of: planned, in: path, invocation) }
        try? FileManager.default.removeItem(atPath: "\(path)/trials")
        guard interruption.cause == nil else {
            tell(identifier, .scenarioInterrupted)
            return ExploredScenario(planned: planned, journey: outcome.journey, findings: [])
        }
        var result = AttemptResult(judgement, seconds: (ContinuousClock.now - began).seconds)
        result.evidence = evidence
        tell(identifier, .scenarioEnded(ScenarioResult(attempts: [result], movedFrom: nil)))
        return ExploredScenario(
            planned: planned, journey: outcome.journey, findings: outcome.findings.map(\.finding),
            misfit: outcome.misfit)
    }

    private func judgement(_ outcome: Explorer.Outcome) -> Judgement {
        if let lack = outcome.lack { return Judgement(skipped: lack) }
        if let misfit = outcome.misfit { return Judgement(skipped: Lack(misfit)) }
        if let problem = outcome.problem { return Judgement([problem]) }
        if let first = outcome.unproven.first, !outcome.hasProof {
            let count = outcome.unproven.count
            let none = count == 1 ? "its only trial proves nothing" : "none of its \(count) trials proves anything"
            let why = "\(first.cell): \(first.detail ?? first.outcome.words)"
            return Judgement([
                Failure(.rig, "\(none): \(why); explore again with fewer rigs (--jobs 1), or less beside them")
            ])
        }
        var judgement = Judgement([])
        func some(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(many)"
        }
        let unproven = some(outcome.unproven.count, "trial proves nothing", "trials prove nothing")
        let end = "left when the budget was used up"
        let left = some(outcome.left, "trial was \(end)", "trials were \(end)")
        let earlier = "of an earlier exploration"
        let resumed = some(outcome.resumed, "result \(earlier) counts", "results \(earlier) count")
        let unrepeatable = outcome.journey?.unrepeatable.map {
            "it cannot be told whether next attempts recover, because the body does not pass a second time even without a "
                + "fault (\($0)): declare `.explores(recovery:)`"
        }
        let found =
            switch outcome.findings.count {
            case 0: String?.none
            case 1: "it passes without a fault; what a fault does to it is a case of its own"
            case let count: "it passes without a fault; what faults do to it is in \(count) cases of their own"
            }
        let remarks = [found, unproven, left, resumed, unrepeatable].compactMap { $0 }
        judgement.reason = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        return judgement
    }

    // MARK: Findings

    /// Reports a finding as a case of its own.
    private func tell(
        _ confirmed: Explorer.ConfirmedFinding, of planned: PlannedScenario, in path: String, _ invocation: Invocation
    ) {
        let finding = confirmed.finding
        let name = "\(planned.caseIdentifier)~\(finding.slug)"
        var entry = RunInfo.Entry(planned, invocation)
        entry.identifier = name
        // It counts as passed.
        let isLeftOut = !options.fails(on: finding.outcome)
        entry.title = (isLeftOut ? "Found, and left out by --fail-on: " : "") + finding.sentence
        entry.folder = "\(planned.slug)~\(finding.slug)"
        entry.replay = invocation.exploring(planned.caseIdentifier, finding.shortest)
        tell(nil, .roundBegan([entry]))
        tell(name, .scenarioBegan, rig: 1)
        tell(name, .attemptBegan(number: 1))
        let judgement = judgement(finding, planned)
        var result = AttemptResult(judgement, seconds: finding.shortest.seconds)
        if var trial = confirmed.trial {
            let target = folder.file(entry.folder)
            if rename(trial.folder, target) == 0 { trial = trial.moved(to: target) }
            tellStory(of: trial, as: name)
            result.evidence = evidence(of: trial, planned, judgement)
            result.lateness = trial.lateness
        }
        tell(name, .scenarioEnded(ScenarioResult(attempts: [result], movedFrom: nil)))
    }

    private func judgement(_ finding: ExplorationFinding, _ planned: PlannedScenario) -> Judgement {
        let certainty =
            finding.confirmed.map { $0.times == $0.of ? "" : " It came \($0.times) of \($0.of) times." } ?? ""
        let others = finding.trials.dropFirst().prefix(20).map { "\n  also: \($0.cell)" }.joined()
        let text = "\(finding.outcome.words): \(finding.sentence)\(certainty)\(others)"
        guard options.fails(on: finding.outcome) else {
            var judgement = Judgement([])
            judgement.reason = text
            return judgement
        }
        return Judgement([Failure(.product, text, at: planned.scenario.location, basis: .certain)])
    }

    private func evidence(
        of trial: TrialRunner.Trial?, _ planned: PlannedScenario, _ judgement: Judgement
    ) -> [String] {
        guard let trial else { return [] }
        return Evidence.collect(in: trial.folder, of: planned, story: trial.story.lines, judgement: judgement).files
    }

    private func tellStory(of trial: TrialRunner.Trial, as identifier: String) {
        for var line in trial.story.lines {
            line.scenario = identifier
            // It is in the result of the case.
            if case .trial? = line.worker { continue }
            sink(line)
        }
    }

    private func tell(_ scenario: String?, _ event: RunnerEvent, rig: Int? = nil) {
        sink(RunLine(time: wallClockNanoseconds(), scenario: scenario, runner: event, rig: rig))
    }
}

/// A scenario that was explored.
package struct ExploredScenario: Sendable {
    package let planned: PlannedScenario
    /// Nil if it could not be explored.
    package let journey: Journey?
    package let findings: [ExplorationFinding]
    /// Why the chosen faults or moments do not fit its journey; nil if they do.
    package let misfit: String?

    package init(
        planned: PlannedScenario, journey: Journey?, findings: [ExplorationFinding], misfit: String? = nil
    ) {
        (self.planned, self.journey, self.findings, self.misfit) = (planned, journey, findings, misfit)
    }
}

extension TrialRunner.Trial {
    /// The same, with its files in another folder.
    fileprivate func moved(to folder: String) -> Self {
        TrialRunner.Trial(
            order: order, note: note, judgement: judgement, seconds: seconds, folder: folder, story: story,
            lateness: lateness)
    }
}
