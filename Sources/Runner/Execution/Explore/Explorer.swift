import Foundation
import HIL
import HILExploration
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

/// Explores one scenario: finds the moments of its journey, tries the faults, and confirms what it finds.
struct Explorer: Sendable {
    /// What it found.
    struct Outcome: Sendable {
        var journey: Journey?
        var findings: [ConfirmedFinding] = []
        /// The passing run without a fault whose evidence is kept, or the one that did not pass.
        var control: TrialRunner.Trial?
        /// Why it could not be explored; nil if it was.
        var problem: Failure?
        /// What the rig lacks that the scenario needs.
        var lack: Lack?
        /// Why the chosen faults or moments do not fit this journey; nil if they do.
        var misfit: String?
        /// How many planned trials the budget did not allow.
        var left = 0
        /// The trials that prove nothing, also not when they were made again.
        var unproven: [TrialResult] = []
        /// Whether any trial proves something.
        var hasProof = false
        /// How many results came from an earlier exploration.
        var resumed = 0
    }

    /// A finding with the trial that stands for it.
    struct ConfirmedFinding: Sendable {
        let finding: ExplorationFinding
        /// Nil if it comes from an earlier exploration, and did not come again.
        let trial: TrialRunner.Trial?
    }

    let runner: TrialRunner
    let options: ExplorationOptions
    /// The folder of the scenario's evidence.
    let folder: String
    let store: ExplorationStore?
    /// Called when the moments are known.
    let onBegin: @Sendable (ExplorationInfo) -> Void
    /// Called with each result.
    let onResult: @Sendable (TrialResult) -> Void

    /// How often a journey without a fault must pass before its moments count.
    private static let controls = 3
    /// How often a finding is tried before it is told, the first time included.
    private static let confirmations = 3
    /// How long a trial that proved nothing waits for a quiet machine.
    private static let quietLimit = Duration.seconds(5)
    /// How many trials in a row may end with an error again before the rest is left as it is.
    private static let mostErrors = 6

    var interruption: Interruption { runner.interruption }

    func run() async -> Outcome {
        var outcome = Outcome()
        if let lack = runner.planned.lack(on: runner.rigs.description) {
            outcome.lack = Lack(lack)
            return outcome
        }
        if runner.planned.scenario.traits.expectedCrash != nil {
            outcome.lack = Lack(
                "the system is to end its app, and the process of the scenario with it: nothing is left to look at")
            return outcome
        }
        guard let notes = await findMoments(&outcome) else { return outcome }
        let journey = Journey(notes)
        if journey.moments.isEmpty, options.moments.isEmpty {
            outcome.lack = Lack(
                "its journey has no moments: no packet, screen or step passes in it, and the app is told nothing")
            return outcome
        }
        let plan = ExplorationPlan(journey, faults: options.faults, at: options.moments, seed: options.seed)
        if let misfit = plan.problem(faults: options.faults, at: options.moments, journey) {
            outcome.misfit = misfit
            return outcome
        }
        outcome.journey = journey
        let info = plan.info(journey, seed: options.seed)
        onBegin(info)
        if options.onlyMoments { return outcome }
        let trials = Trials(journey: journey, seconds: options.budget)
        let earlier = options.resumes ? store?.results ?? [] : []
        var orders = plan.cells.map { TrialOrder($0) }
        for result in earlier where result.second == nil && plan.cells.contains(result.cell) {
            guard !result.outcome.isUnproven else { continue }
            orders.removeAll { $0.cell == result.cell }
            outcome.resumed += 1
            trials.add(result, nil)
            onResult(result)
        }
        outcome.left = await spend(on: orders, trials, info)
        await makeUnprovenAgain(trials)
        if options.pairs {
            let pairs = plan.pairs(of: trials.results)
            let made = trials.results.count - outcome.resumed
            let most = options.trials.map { max(0, $0 - made) } ?? pairs.count
            await make(Array(pairs.prefix(most)), trials)
            outcome.left += trials.takeWaiting().count + max(0, pairs.count - most)
            await makeUnprovenAgain(trials)
        }
        outcome.unproven = trials.results.filter(\.outcome.isUnproven)
        outcome.hasProof = outcome.unproven.count < trials.results.count
        outcome.findings = await confirm(trials, info)
        return outcome
    }

    // MARK: The journey without a fault

    private func findMoments(_ outcome: inout Outcome) async -> [TrialNote]? {
        var notes: [TrialNote] = []
        var failures = 0
        while notes.count < Explorer.controls {
            // One that passes has the scenario's folder, where its evidence stays. The others run side by side.
            let isFirst = notes.isEmpty
            let count = isFirst ? 1 : max(1, min(options.jobs, Explorer.controls - notes.count))
            let places = (1...count).map { isFirst ? folder : "\(folder)/control-\($0)" }
            defer { if !isFirst { for place in places { try? FileManager.default.removeItem(atPath: place) } } }
            for trial in await controls(in: places) {
                guard let trial else { return nil }
                if isFirst { outcome.control = trial }
                outcome.problem = problem(of: trial)
                guard let problem = outcome.problem else {
                    if let note = trial.note { notes.append(note) }
                    continue
                }
                failures += 1
                if trial.judgement.verdict == .skipped {
                    (outcome.problem, outcome.lack) = (nil, Lack(trial.judgement.reason ?? "it was skipped"))
                    return nil
                }
                // A machine that is late, and nothing else, excuses one run.
                if failures > 1 || problem.kind == .product && trial.lateness?.isBad != true { return nil }
            }
        }
        outcome.problem = nil
        return notes
    }

    /// Runs the journey without a fault, once in each folder.
    ///
    /// - Returns: Nil for a run that was interrupted, or whose folder cannot be made.
    private func controls(in places: [String]) async -> [TrialRunner.Trial?] {
        await withTaskGroup(of: (Int, TrialRunner.Trial?).self) { group in
            for (number, place) in places.enumerated() {
                group.addTask {
                    try? FileManager.default.removeItem(atPath: place)
                    guard (try? makeTrialFolder(place)) != nil else { return (number, nil) }
                    return (number, await runner.run(TrialOrder(), in: place))
                }
            }
            return await group.reduce(into: [TrialRunner.Trial?](repeating: nil, count: places.count)) {
                $0[$1.0] = $1.1
            }
        }
    }

    /// Why a journey without a fault did not pass; nil if it did.
    private func problem(of trial: TrialRunner.Trial) -> Failure? {
        let attempt = trial.note?.attempts.first
        if trial.judgement.verdict == .passed, attempt?.ending == .passed { return nil }
        let why = trial.judgement.cause?.message ?? attempt?.failure ?? "it did not end"
        return Failure(trial.judgement.cause?.kind ?? .product, "it does not pass without a fault: \(why)")
    }

    // MARK: Trials

    func make(_ orders: [TrialOrder], _ trials: Trials) async {
        trials.plan(orders)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, options.jobs) {
                group.addTask {
                    while interruption.cause == nil, let order = trials.next() { await make(order, trials) }
                }
            }
            let gate = Gate()
            for _ in 0..<options.spareJobs {
                group.addTask {
                    while interruption.cause == nil, trials.hasNext {
                        if let order = await nextToSpare(of: trials, gate) { await make(order, trials) }
                    }
                }
            }
        }
    }

    /// The next trial beside those that run anyway: many of these only wait. One begins at a time, so that the machine is
    /// quiet with all that have begun.
    ///
    /// - Returns: Nil if the machine has nothing to spare, or no trial is left.
    private func nextToSpare(of trials: Trials, _ gate: Gate) async -> TrialOrder? {
        await gate.enter()
        defer { gate.leave() }
        let quietTime = runner.machine.quietTime
        guard trials.hasNext, (try? await runner.machine.waitForQuiet(within: quietTime, on: runner.clock)) == true,
            Jobs.hasRoom(for: runner.rigs.footprint)
        else { return nil }
        return trials.next()
    }

    /// Makes the trials that prove nothing once more, one after the other, when the machine is quiet or after a while.
    /// It gives up when the machine stays too busy.
    func makeUnprovenAgain(_ trials: Trials) async {
        trials.planUnproven()
        var errors = 0
        while errors < Explorer.mostErrors, interruption.cause == nil, let order = trials.next() {
            _ = try? await runner.machine.waitForQuiet(within: Explorer.quietLimit, on: runner.clock)
            errors = await make(order, trials) == .error ? errors + 1 : 0
        }
        _ = trials.takeWaiting()
    }

    /// - Returns: What came of it; nil if it was interrupted.
    @discardableResult
    private func make(_ order: TrialOrder, _ trials: Trials) async -> TrialOutcome? {
        let place = "\(folder)/trials/\(trials.number())"
        guard (try? makeTrialFolder(place)) != nil,
            let trial = await runner.run(trials.journey.order(order), in: place),
            var result = trials.judge.result(trial)
        else {
            try? FileManager.default.removeItem(atPath: place)
            return nil
        }
        if result.outcome.isFinding { result.folder = place }
        for folder in trials.add(result, trial) { try? FileManager.default.removeItem(atPath: folder) }
        if !result.outcome.isFinding { try? FileManager.default.removeItem(atPath: place) }
        result.folder = nil
        store?.add(result)
        onResult(result)
        return result.outcome
    }

    // MARK: Findings

    /// Tries the shortest trial of each finding again. One that never comes again is left out.
    private func confirm(_ trials: Trials, _ info: ExplorationInfo) async -> [ConfirmedFinding] {
        var confirmed: [ConfirmedFinding] = []
        for var finding in ExplorationFinding.all(in: trials.results, of: info) {
            var trial = trials.trial(of: finding.shortest)
            var (times, count) = (trial == nil ? 0 : 1, trial == nil ? 0 : 1)
            let order = trials.journey.order(TrialOrder(finding.shortest.cell, second: finding.shortest.second))
            var late = 0
            while count < Explorer.confirmations, late < Explorer.confirmations, interruption.cause == nil {
                let place = "\(folder)/trials/\(trials.number())"
                guard (try? makeTrialFolder(place)) != nil, let again = await runner.run(order, in: place) else {
                    break
                }
                let result = trials.judge.result(again)
                // A machine that is late neither confirms nor refutes.
                if result?.outcome == .error { late += 1 } else { count += 1 }
                let isSame = result?.outcome == finding.outcome
                if isSame { times += 1 }
                if isSame, trial == nil {
                    trial = again
                } else {
                    try? FileManager.default.removeItem(atPath: place)
                }
            }
            guard times > 0 else { continue }
            finding.confirmed = .init(times, of: count)
            confirmed.append(ConfirmedFinding(finding: finding, trial: trial))
        }
        return confirmed
    }

    private func makeTrialFolder(_ path: String) throws(SystemError) {
        for name in ["", "/host", "/accessory"] { try makeFolder(path + name) }
    }
}

extension ExplorationPlan {
    /// What the record keeps of the plan.
    func info(_ journey: Journey, seed: UInt64) -> ExplorationInfo {
        var reasons: [(reason: String, cells: [Cell])] = []
        for left in leftOut {
            if let place = reasons.firstIndex(where: { $0.reason == left.reason }) {
                reasons[place].cells.append(left.cell)
            } else {
                reasons.append((left.reason, [left.cell]))
            }
        }
        return ExplorationInfo(
            moments: journey.moments, unstable: journey.unstable, faults: faults, planned: cells.count,
            leftOut: reasons.map { ExplorationInfo.LeftOut(reason: $0.reason, cells: $0.cells) }, seed: seed,
            seconds: journey.seconds)
    }
}

extension TrialJudge {
    /// How long an accessory or an app has at least, in seconds, after which a wait in vain can prove that nothing comes.
    private static let shortestProof = 5.0

    /// What came of a trial. A finding on a machine that was late proves nothing, unless it was waited in vain for twice the
    /// time of the journey when the machine was not late any more.
    func result(_ trial: TrialRunner.Trial) -> TrialResult? {
        guard var result = result(of: trial.order, trial.note, trial.judgement, seconds: trial.seconds) else {
            return nil
        }
        guard result.outcome.isFinding, let lateness = trial.lateness else { return result }
        var failure = failure(of: result, trial.note, result.detail ?? "")
        failure.lateness = lateness
        guard !failure.isProven else { return result }
        let needed = max(2 * journey.seconds, TrialJudge.shortestProof)
        if let wait = waitInVain(of: result, trial.note), let end = wait.ended,
            trial.course?.isPunctual(atEndOf: wait.seconds, until: end, for: needed) == true
        {
            return result
        }
        (result.outcome, result.detail) = (.error, "the machine was late: \(lateness.text ?? "")")
        return result
    }
}
