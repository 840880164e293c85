import BoardProtocol
import HIL
import POSIX
import Timing

/// Tells whether a rig got enough of the machine for what went wrong on it to be the product's.
///
/// A board that waits for a processor does all it does late: it misses budgets, and the other end's patience. Of what then
/// goes wrong nobody knows whether it would have gone right in time. What goes right stays right.
struct Starvation {
    /// The part of the time in which a board is ready to run that it may wait: it then takes two and a half times as long.
    ///
    /// Alone on a quiet machine a board waits 0.1 of it, with another rig on the same two cores 0.3 to 0.4; two rigs beside
    /// two busy programs wait 0.5 to 0.6, beside four 0.6 to 0.7, where timeouts of the daemons begin to run out.
    static let limit = 0.6

    /// Of the board that waited most.
    let role: BoardRole
    let time: ProcessorTime.Thread

    /// What is to be said of anything that went wrong meanwhile; nil where the boards had the time that they needed.
    var finding: Failure? {
        guard time.waitShare > Starvation.limit else { return nil }
        return Failure(
            .rig,
            """
            the machine was too busy to judge by: the \(role.rawValue) board ran for \(time.ran.short) and waited \
            \(time.waited.short) for a processor; run fewer rigs (--jobs 1), or less beside them
            """)
    }
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
