import HILRecord

/// What all witnesses of lateness had counted at several moments, up to the last.
struct LatenessCourse: Sendable {
    /// How many samples are kept. Beyond it every second one is dropped, so that the rest reaches as far back.
    private static let limit = 128

    private var samples: [LatenessSample] = []

    init(_ samples: [LatenessSample] = []) {
        for sample in samples { add(sample) }
    }

    /// Adds the newest sample.
    mutating func add(_ sample: LatenessSample) {
        samples.append(sample)
        guard samples.count > LatenessCourse.limit else { return }
        samples = samples.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// Whether the end of a wait in vain proves by itself that nothing would have come: it lasts long enough, and far longer
    /// than everything was late in it. What was late before is made up for in it.
    ///
    /// - Parameters:
    ///   - wait: How long was waited, in seconds.
    ///   - end: When the wait ended, in nanoseconds of `CLOCK_BOOTTIME`. What was sampled later does not count.
    ///   - needed: How long the end of the wait must be, in seconds.
    func isPunctual(atEndOf wait: Double, until end: UInt64, for needed: Double) -> Bool {
        let before = samples.filter { $0.time <= end }
        guard let last = before.last else { return false }
        return before.dropLast().contains { sample in
            let lateness = last.lateness(since: sample)
            guard lateness.seconds <= wait, lateness.seconds >= needed else { return false }
            return !lateness.isBad || lateness.seconds >= Failure.farLonger * lateness.total
        }
    }
}
