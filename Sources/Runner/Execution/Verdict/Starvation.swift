import BoardProtocol
import HIL
import POSIX
import Timing

/// Tells whether a rig got enough of the machine for what went wrong on it to be the product's.
///
/// A board that waits for a processor does all it does late: it misses budgets, and the other end's patience. Of what then
/// goes wrong nobody knows whether it would have gone right in time. What goes right stays right.
struct Starvation {
    /// The part of the time that a board may wait. Beside a compiler that keeps both cores busy, boards waited 0.2 to 0.3 of
    /// it and took up to twice as long; two rigs beside three compilers waited 0.3 to 0.5, and missed budgets.
    static let limit = 0.3

    private let before: [BoardRole: ProcessorWait]
    /// The kernel's waits are in real time, whatever clock limits the scenario.
    private let start = ContinuousClock.now

    init(_ rig: any RunningRig) { before = rig.processorWaits }

    /// What is to be said of anything that went wrong meanwhile; nil where the boards had the time that they needed, or
    /// nobody knows.
    func finding(_ rig: any RunningRig) -> Failure? {
        let time = ContinuousClock.now - start
        let waits = rig.processorWaits.compactMap { role, wait in
            before[role].map { (role: role, wait: wait.longest(since: $0)) }
        }
        guard let worst = waits.max(by: { $0.wait < $1.wait }), worst.wait > time * Starvation.limit else { return nil }
        return Failure(
            .rig,
            """
            the machine was too busy to judge by: the \(worst.role.rawValue) board waited \(worst.wait.short) of \(time.short) \
            for a processor; run fewer rigs (--jobs 1), or less beside them
            """)
    }
}
