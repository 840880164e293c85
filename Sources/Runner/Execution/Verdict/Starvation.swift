import BoardProtocol
import HIL
import POSIX
import RigModel
import Timing

/// Tells whether a rig got enough of the machine for what went wrong on it to be the product's.
///
/// A board that waits for a processor does everything late: it misses budgets and the other end's time limits. Nobody knows
/// whether what then goes wrong would have gone right in time. What goes right stays right.
struct Starvation {
    /// The part of the time in which a board is ready to run that it may wait: it then takes two and a half times as long.
    ///
    /// Alone on a machine of two cores a board waits 0.1 of it. With another rig beside it 0.3 to 0.4 is usual, 0.63 was the
    /// most of 517 scenarios, and none of them went wrong. With four busy programs besides, timeouts of the daemons begin to
    /// run out.
    static let limit = 0.6

    /// How long a board must have been ready to run before the part of it that it waited means anything: of a few hundred
    /// milliseconds most may be a single wait, and no budget of a step is missed by that.
    static let leastSample = Duration.seconds(2)

    /// Of the board that waited most.
    let role: BoardRole
    let time: ProcessorTime.Thread

    /// What is to be said of anything that rests on time and went wrong meanwhile; nil where the boards had the time that
    /// they needed, or too little is known.
    var finding: String? {
        guard time.ran + time.waited >= Starvation.leastSample, time.waitShare > Starvation.limit else { return nil }
        return """
            the machine was too busy to judge by: the \(role.rawValue) board ran for \(time.ran.short) and waited \
            \(time.waited.short) for a processor; run fewer rigs (--jobs 1), or less beside them
            """
    }
}

/// Tells whether a worker that missed its budget was busy by itself: then no busy machine excuses it.
package struct WorkerLoad: Sendable {
    /// Of its thread that was ready to run for longest.
    package let time: ProcessorTime.Thread
    /// Since its scenario began.
    package let elapsed: Duration

    package init(time: ProcessorTime.Thread, elapsed: Duration) {
        self.time = time
        self.elapsed = elapsed
    }

    /// It never gave way, and got its share of a processor.
    var isBusyByItself: Bool { time.ran + time.waited >= elapsed * 0.9 && time.ran >= elapsed * 0.25 }
}

/// Measures how long a rig's boards run and wait from here on.
struct StarvationWatch {
    private let before: [BoardRole: ProcessorTime]

    init(_ rig: any RunningRig) { before = rig.processorTimes }

    /// Nil where nobody knows.
    func starvation(of rig: any RunningRig) -> Starvation? {
        let times = rig.processorTimes.compactMap { role, now in
            before[role].flatMap { now.busiest(since: $0) }.map { Starvation(role: role, time: $0) }
        }
        return times.max { $0.time.waited < $1.time.waited }
    }
}

/// Measures how busy a worker is from here on.
struct WorkerWatch {
    private let before: ProcessorTime?
    private let began = ContinuousClock.now

    init(_ worker: any RunningWorker) { before = worker.processorTime }

    /// Nil where nobody knows.
    func load(of worker: any RunningWorker) -> WorkerLoad? {
        guard let before, let time = worker.processorTime?.busiest(since: before) else { return nil }
        return WorkerLoad(time: time, elapsed: ContinuousClock.now - began)
    }
}
