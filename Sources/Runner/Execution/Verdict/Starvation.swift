import BoardProtocol
import HIL
import HILPOSIX
import HILTiming
import RigModel

/// Decides whether a rig had enough processor time for a failure on it to count against the product.
///
/// A board that waits for a processor does everything late: it misses budgets and the other end's time limits. Nobody
/// knows whether a scenario that fails then would have passed on an idle machine. A scenario that passes still counts.
struct Starvation {
    /// What tells that a board waited.
    enum Measure {
        /// The times of its processor on this machine's processors.
        case processor(ProcessorTime.Thread)
        /// How long it owed the answer to a heartbeat, and the time in which it was asked.
        case answers(late: Duration, asked: Duration)
    }

    /// The share of its runnable time that a board may wait. At this limit it takes two and a half times as long.
    ///
    /// Alone on a machine with two cores, a board waits 0.1. With a second rig, 0.3 to 0.4 is usual; the most in 517
    /// scenarios was 0.63, and none of them failed. With four more busy programs, time-outs of the daemons begin to
    /// expire.
    static let limit = 0.6

    /// The share of the time that a board may owe the answer to a heartbeat.
    ///
    /// Half a second lies between an answer and the next heartbeat, so that at this limit it answers after 360 ms.
    /// It tells of boards that stand still, not of boards that are three times slower: those still answer in time.
    static let answerLimit = 0.3

    /// How long a board must have been runnable before the share counts. In a few hundred milliseconds, most may be a
    /// single wait, which does not make a step miss its budget.
    static let leastSample = Duration.seconds(2)

    /// The board that waited most.
    let role: BoardRole
    let measure: Measure

    /// The share of the time, 0 to 1, that it waited.
    var share: Double {
        switch measure {
        case .processor(let time): time.waitShare
        case .answers(let late, let asked): asked > .zero ? min(1, late / asked) : 0
        }
    }

    /// The message for failures that depend on time; nil if the boards had enough time, or too little is known.
    var finding: String? {
        switch measure {
        case .processor(let time):
            guard time.ran + time.waited >= Starvation.leastSample, share > Starvation.limit else { return nil }
            return """
                the machine was too busy for a verdict: the \(role.rawValue) board ran for \(time.ran.short) and waited \
                \(time.waited.short) for a processor; run fewer rigs (--jobs 1), or less beside them
                """
        case .answers(let late, let asked):
            guard asked >= Starvation.leastSample, share > Starvation.answerLimit else { return nil }
            return """
                the bench was too slow for a verdict: for \(late.short) of \(asked.short) the \(role.rawValue) board \
                left heartbeats unanswered; see what else runs on it (`top`), and how it is connected
                """
        }
    }
}

/// Decides whether a worker that missed its budget was busy itself. Then a busy machine is no excuse.
package struct WorkerLoad: Sendable {
    /// The times of its thread that was runnable for longest.
    package let time: ProcessorTime.Thread
    /// The time since its scenario began.
    package let elapsed: Duration

    package init(time: ProcessorTime.Thread, elapsed: Duration) {
        self.time = time
        self.elapsed = elapsed
    }

    /// Whether a thread was always runnable, and had its share of a processor.
    var isBusyByItself: Bool { time.ran + time.waited >= elapsed * 0.9 && time.ran >= elapsed * 0.25 }
}

/// Measures how long a rig's boards run and wait, from its creation on.
struct StarvationWatch {
    private let processors: [BoardRole: ProcessorTime]
    private let answers: [BoardRole: AnswerTimes]
    private let began = ContinuousClock.now

    init(_ rig: any RunningRig) { (processors, answers) = (rig.processorTimes, rig.answerTimes) }

    /// The board that waited most, and how long; nil if unknown.
    func starvation(of rig: any RunningRig) -> Starvation? {
        let now = ContinuousClock.now
        let waits = rig.processorTimes.compactMap { role, times in
            processors[role].flatMap { times.demand(since: $0) }.map {
                (wait: $0.waited, Starvation(role: role, measure: .processor($0)))
            }
        }
        let debts = rig.answerTimes.compactMap { role, times in
            answers[role].map { before in
                let late = max(.zero, times.late(at: now) - before.late(at: began))
                let measure = Starvation.Measure.answers(late: late, asked: began.duration(to: now))
                return (wait: late, Starvation(role: role, measure: measure))
            }
        }
        return (waits + debts).max { $0.wait < $1.wait }?.1
    }
}

/// Measures how busy a worker is, from its creation on.
struct WorkerWatch {
    private let before: ProcessorTime?
    private let began = ContinuousClock.now

    init(_ worker: any RunningWorker) { before = worker.processorTime }

    /// The load so far; nil if unknown.
    func load(of worker: any RunningWorker) -> WorkerLoad? {
        guard let before, let time = worker.processorTime?.busiest(since: before) else { return nil }
        return WorkerLoad(time: time, elapsed: ContinuousClock.now - began)
    }
}
