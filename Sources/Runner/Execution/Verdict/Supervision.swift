import HIL
import HILPOSIX
import HILRecord
import HILTiming

/// Supervises one worker: events come in, actions go out, and at the end there is a judgement.
///
/// Pure: it knows no process and no clock.
package struct Supervision: Sendable {
    /// An event that the supervision reacts to.
    package enum Input: Sendable {
        case worker(ScenarioEvent)
        /// The worker wrote a line that cannot be read, with the reason.
        case unreadable(String)
        case workerEnded(ExitStatus)
        /// How busy the worker was, and how late everything was, reported when its budget is used up.
        case load(WorkerLoad?, Lateness?)
        /// A board or the air has failed, for this reason.
        case rigLost(String)
        /// The timer that was armed last has expired.
        case timeUp(Timer)
        /// The person has finished looking at the failure.
        case resumed
        /// The run is being interrupted.
        case interrupted
    }

    /// The purpose of a wait. Arming a timer disarms the one before.
    package enum Timer: Sendable, Hashable {
        /// The boards to get ready.
        case preparation
        /// The body to end.
        case budget
        /// The worker to report its current step.
        case standing
        /// The worker to write its backtrace and end.
        case backtrace
        /// The worker to notice that the rig is gone.
        case rigLossGrace
        /// The worker to end after the body.
        case shutdown
    }

    /// An action that the caller does.
    package enum Action: Sendable, Hashable {
        case arm(Timer, Duration)
        /// Ask the worker for its current step.
        case ask
        /// Make the worker write its backtrace into its log, and end.
        case backtrace
        /// Kill the worker.
        case kill
    }

    /// The time limits that do not depend on the scenario.
    package struct Limits: Sendable {
        /// For agents to answer, and radios to be plugged in and powered.
        package var preparation = Duration.seconds(60)
        /// For the worker to report its current step.
        package var standing = Duration.seconds(1)
        /// For a worker that missed its budget to write its backtrace, on a busy machine.
        package var backtrace = Duration.seconds(60)
        /// For the worker to notice that the rig is gone, before it is killed.
        package var rigLossGrace = Duration.seconds(3)
        /// From the body's end to the worker's.
        package var shutdown = Duration.seconds(10)

        package init() {}
    }

    private enum Phase { case preparing, running, overrun, closing, done }

    private let traits: ScenarioTraits
    /// nil for a body that a person plays, who takes their time.
    private let budget: Duration?
    private let location: SourceLocation
    private let limits: Limits
    private var phase = Phase.preparing
    private var failures: [Failure] = []
    private var standing: String?
    /// The capability that the scenario asked for and its rig does not have.
    private(set) var lack: Lack?
    private var load: WorkerLoad?
    private var lateness: Lateness?
    private var isKilled = false
    private var hasMissedBudget = false
    private var armed: Timer?
    private(set) var status: ExitStatus?
    /// Whether the worker paused for a person to look.
    package private(set) var hasPaused = false
    /// Whether the body missed its budget.
    var hasOverrun: Bool { hasMissedBudget }
    /// Whether the run was interrupted before there was a verdict.
    package private(set) var isInterrupted = false
    /// The duration of the body in seconds; nil until it has ended.
    package private(set) var bodySeconds: Double?

    /// - Parameters:
    ///   - budget: How long the body may take; nil for the scenario's own budget.
    ///   - isByHand: Whether a person has the phone in their hand. Then the body has no limit.
    package init(
        _ scenario: Scenario, limits: Limits = Limits(), budget: Duration? = nil, isByHand: Bool = false
    ) {
        traits = scenario.traits
        self.budget = isByHand ? nil : budget ?? traits.budget
        location = scenario.location
        self.limits = limits
    }

    /// Whether the worker has ended.
    package var isOver: Bool { status != nil }

    /// The actions at the start.
    package mutating func begin() -> [Action] { [arm(.preparation, limits.preparation)] }

    /// Handles an event, and returns the actions to do.
    package mutating func take(_ input: Input) -> [Action] {
        switch input {
        case .worker(let event): return take(event)
        case .unreadable(let why):
            failures.append(Failure(.rig, "the worker wrote a line that cannot be read: \(why)"))
            // Before the scenario has begun, the line may say why it cannot begin.
            return phase == .preparing ? kill() : []
        case .load(let load, let lateness):
            (self.load, self.lateness) = (load, lateness)
            return []
        case .workerEnded(let status):
            self.status = status
            armed = nil
            return []
        case .rigLost(let why):
            // First, because it explains the failures that follow from it.
            failures.insert(Failure(.rig, why), at: 0)
            return isKilled ? [] : [arm(.rigLossGrace, limits.rigLossGrace)]
        case .timeUp(let timer): return timer == armed ? timeUp(timer) : []
        case .resumed: return isKilled ? [] : [arm(.shutdown, limits.shutdown)]
        case .interrupted:
            isInterrupted = phase != .done
            return kill()
        }
    }

    private mutating func take(_ event: ScenarioEvent) -> [Action] {
        switch event {
        case .failure(let failure):
            // Failures of the product after its rig lacked something are a consequence of that.
            if failure.kind == .rig || lack == nil { failures.append(failure) }
        case .lacks(let what): lack = lack ?? what
        case .bodyBegan:
            phase = .running
            guard armed == .preparation else { return [] }
            if let budget { return [arm(.budget, budget)] }
            armed = nil
        case .standing(let text):
            standing = text
            if armed == .standing { return endWithBacktrace() }
        case .bodyEnded(let seconds):
            bodySeconds = seconds
            guard phase == .running else { return [] }
            phase = .closing
            return [arm(.shutdown, limits.shutdown)]
        case .paused:
            hasPaused = true
            armed = nil
        case .done: phase = .done
        default: break
        }
        return []
    }

    private mutating func timeUp(_ timer: Timer) -> [Action] {
        switch timer {
        case .preparation:
            failures.append(Failure(.rig, "the boards were not ready within \(limits.preparation.short)"))
            return kill()
        case .budget:
            phase = .overrun
            return [.ask, arm(.standing, limits.standing)]
        case .standing: return endWithBacktrace()
        case .backtrace, .rigLossGrace: return kill()
        case .shutdown:
            failures.append(Failure(.rig, "the worker did not end within \(limits.shutdown.short) of its scenario"))
            return kill()
        }
    }

    private mutating func arm(_ timer: Timer, _ limit: Duration) -> Action {
        armed = timer
        return .arm(timer, limit)
    }

    private mutating func endWithBacktrace() -> [Action] {
        hasMissedBudget = true
        return [.backtrace, arm(.backtrace, limits.backtrace)]
    }

    private mutating func kill() -> [Action] {
        armed = nil
        if isKilled { return [] }
        isKilled = true
        return [.kill]
    }

    /// The judgement, once the worker has ended.
    ///
    /// - Parameter log: The worker's standard error.
    package func judgement(log: String) -> Judgement { Judgement(allFailures(log: log), lack: lack) }

    /// All failures in order of time, once the worker has ended.
    ///
    /// - Parameter log: The worker's standard error.
    func allFailures(log: String) -> [Failure] {
        var failures = failures
        if phase == .overrun {
            // Nothing is known about the product after its rig lacked something.
            if lack == nil { failures.append(overrun) }
        } else if !isKilled, phase != .done, let status {
            appendCrash(Crash(status, log: log), status, to: &failures)
        }
        return failures
    }

    /// The failure that the body missed its budget. If the body was busy itself, no lateness excuses it.
    private var overrun: Failure {
        let place = standing.map { "it was \($0)" } ?? "it did not answer"
        let budget = budget ?? traits.budget
        var text = "missed its budget of \(budget.short); \(place)"
        var failure = Failure(.product, text, at: location)
        if let load, load.isBusyByItself {
            text += "; one of its threads ran for \(load.time.ran.short) without a break"
            failure = Failure(.product, text, at: location, basis: .certain)
        }
        failure.waited = budget.seconds
        failure.lateness = lateness
        return failure
    }

    /// Adds the failure of a worker that ended too early.
    private func appendCrash(_ crash: Crash, _ status: ExitStatus, to failures: inout [Failure]) {
        if let expected = traits.expectedCrash, crash.rule != nil, crash.reason.contains(expected) { return }
        if phase == .preparing {
            // An earlier failure is the reason; without one, the harness itself is at fault.
            if failures.isEmpty { failures.append(Failure(.rig, "the worker ended before it began: \(crash.reason)")) }
        } else if status == .signalled(9) {
            let why = "the worker was killed from outside; was memory short?"
            failures.append(Failure(.rig, why, basis: .certain))
        } else if lack == nil {
            failures.append(Failure(.product, "crashed: \(crash.reason)", at: location, basis: .certain))
        }
    }
}
