import HILPOSIX
import HILTiming

/// What this process observes of the machine that it runs on.
package struct MachineWitness: Sendable {
    /// The time, in nanoseconds of `CLOCK_BOOTTIME`.
    package var now: @Sendable () -> UInt64
    /// When this process last ran; nil if it is not measured.
    package var ticks: @Sendable () -> TickRecord?
    package var times: @Sendable () -> MachineTimes
    /// How long a machine must have been quiet.
    package var quietTime = Duration.seconds(1)

    package init(
        now: @escaping @Sendable () -> UInt64, ticks: @escaping @Sendable () -> TickRecord? = { nil },
        times: @escaping @Sendable () -> MachineTimes = { MachineTimes() }
    ) {
        (self.now, self.ticks, self.times) = (now, ticks, times)
    }

    /// A machine that is never late, for tests.
    package static let punctual: MachineWitness = {
        var machine = MachineWitness(now: { 0 })
        machine.quietTime = .zero
        return machine
    }()

    /// This machine, with a ticker of this process.
    package static func own() throws(SystemError) -> MachineWitness {
        let file = try Descriptor.memory(named: "hil-ticks")
        let ticker = Ticker(writing: file)
        return MachineWitness(
            now: bootTimeNanoseconds,
            ticks: {
                withExtendedLifetime(ticker) { TickRecord(from: file) }
            }, times: { MachineTimes.now })
    }

    /// The part of the machine's processor time that is unused while it is quiet.
    private static let idleShare = 0.25

    /// Waits until the machine has been quiet for ``quietTime``: a processor was free, and nothing stood still.
    ///
    /// - Returns: Whether it became quiet within `limit`.
    /// - Throws: `CancellationError`.
    package func waitForQuiet(within limit: Duration, on clock: any Clock<Duration>) async throws -> Bool {
        guard quietTime > .zero else { return true }
        var left = limit
        while left > .zero {
            let before = (now(), times(), ticks())
            try await clock.sleep(for: quietTime)
            left -= quietTime
            let after = (now(), times(), ticks())
            let time = Double(after.0 - min(after.0, before.0)) / 1e9
            let stood = (after.2?.stood(at: after.0) ?? 0) > (before.2?.stood(at: before.0) ?? 0)
            let processors = Double(max(1, after.1.stolen.count))
            let idle = (after.1.idle - before.1.idle).seconds
            let throttled = (after.1.throttled - before.1.throttled).seconds
            if !stood, throttled < time * 0.1, idle >= time * processors * MachineWitness.idleShare { return true }
        }
        return false
    }
}
