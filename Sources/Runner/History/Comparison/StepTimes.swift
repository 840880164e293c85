import HILRecord

/// The durations of steps in two sets of runs: which are slower now, and which are faster.
package struct StepTimes: Sendable, Hashable {
    /// A step of a case.
    package struct Key: Sendable, Hashable {
        /// The identifier of the case, without a round.
        package var scenario: String
        package var step: String

        package init(_ scenario: String, _ step: String) {
            self.scenario = scenario
            self.step = step
        }
    }

    /// The least change that matters. A step must change by both.
    package struct LeastChange: Sendable, Hashable {
        /// The share of the time before: 0.2 is 20 %.
        package var share: Double
        /// Seconds.
        package var seconds: Double

        /// 20 % and 100 ms.
        package static let standard = LeastChange(share: 0.2, seconds: 0.1)

        package init(share: Double, seconds: Double) {
            self.share = share
            self.seconds = seconds
        }
    }

    /// A step whose time has changed.
    package struct Change: Sendable, Hashable {
        package var key: Key
        /// The medians, in seconds.
        package var before, after: Double
        /// The numbers of samples.
        package var samples: [Int]
        /// The chance that there is no difference, see ``MannWhitney/p``.
        package var p: Double
    }

    /// A change counts if the probability of no change is below this.
    package static let alpha = 0.05

    /// The largest changes first.
    package private(set) var slower: [Change] = []
    package private(set) var faster: [Change] = []
    /// How many steps have enough samples on both sides to compare them.
    package private(set) var compared = 0
    /// How many steps are on both sides, but have too few samples on one of them.
    package private(set) var tooFew = 0
    /// Why no times are compared; nil if they are.
    package private(set) var whyNot: String?

    /// Times are not compared, for this reason.
    package init(whyNot: String) { self.whyNot = whyNot }

    /// - Parameters: The samples of both sides, in seconds, and the least change that counts.
    package init(_ before: [Key: [Double]], _ after: [Key: [Double]], least: LeastChange = .standard) {
        for (key, now) in after {
            guard let then = before[key] else { continue }
            guard min(now.count, then.count) >= MannWhitney.fewest, let old = then.median, let new = now.median else {
                tooFew += 1
                continue
            }
            compared += 1
            // The exact test takes a million steps: only a change that matters is worth it.
            let difference = abs(new - old)
            guard difference >= least.seconds, difference >= least.share * old, let test = MannWhitney(now, then),
                test.p < StepTimes.alpha
            else { continue }
            let change = Change(key: key, before: old, after: new, samples: [then.count, now.count], p: test.p)
            if change.after > change.before { slower.append(change) } else { faster.append(change) }
        }
        slower.sort(by: StepTimes.isLarger)
        faster.sort(by: StepTimes.isLarger)
        if compared == 0, tooFew > 0 { whyNot = StepTimes.needsMore }
    }

    /// The message about steps with too few samples on one side.
    package static let needsMore = "needs at least \(MannWhitney.fewest) runs on each side"

    private static func isLarger(_ first: Change, _ second: Change) -> Bool {
        let changes = [first, second].map { abs($0.after - $0.before) }
        // Of equal changes the names decide, so that the order is always the same.
        if changes[0] != changes[1] { return changes[0] > changes[1] }
        return (first.key.scenario, first.key.step) < (second.key.scenario, second.key.step)
    }
}
