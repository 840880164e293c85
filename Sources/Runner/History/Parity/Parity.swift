import HILRecord

/// Where two runs of the same scenarios on different rigs differ: in their verdicts, in the events and their order, and
/// in time.
///
/// Pure: two records and the timelines of their cases go in, the differences come out.
package struct Parity: Sendable {
    /// A time of a case, or of a step of it, in both runs.
    package struct Times: Sendable, Hashable, Codable {
        /// nil for the body of the scenario.
        package var step: String?
        /// Seconds.
        package var first, second: Double

        /// How many times as long the second run takes; nil if the first took none.
        package var factor: Double? { first > 0 ? second / first : nil }
    }

    /// What both runs say about a case.
    package struct Case: Sendable, Hashable, Codable {
        /// The identifier, with its round.
        package var scenario: String
        package var title: String
        package var first, second: Verdict
        /// Why it did not pass.
        package var firstCause, secondCause: String?
        /// nil if a timeline is missing.
        package var order: EventSequence?
        /// Why the order is not compared.
        package var whyNoOrder: String?
        /// The times that differ by more than the least change, the largest difference first.
        package var times: [Times]

        package var hasSameVerdict: Bool { first == second }
        package var isSame: Bool { hasSameVerdict && order?.isSame != false && times.isEmpty }
    }

    /// The least change of a time that is reported. A time must change by both.
    package struct LeastChange: Sendable, Hashable {
        /// The share of the time in the first run: 0.5 is 50 %.
        package var share: Double
        /// Seconds.
        package var seconds: Double

        /// 50 % and 500 ms: different rigs take different times, and one pair of runs is a small sample.
        package static let standard = LeastChange(share: 0.5, seconds: 0.5)

        package init(share: Double, seconds: Double) { (self.share, self.seconds) = (share, seconds) }
    }

    /// The cases that have a result in both runs, in the order of the first.
    package private(set) var cases: [Case] = []
    /// The cases with a result in only one of the runs.
    package private(set) var onlyFirst: [String] = []
    package private(set) var onlySecond: [String] = []
    /// The median of how many times as long steps take in the second run; nil if no step is in both.
    package private(set) var medianFactor: Double?
    /// How many steps that is the median of.
    package private(set) var steps = 0

    /// Reads the events of the attempt that decided a case of a run: of the record, the case and its folder.
    package typealias Timeline = (_ entry: RunRecord.Entry) -> Result<[TimelineEvent], RecordedTimeline.Unreadable>

    /// - Parameters:
    ///   - first: The run that is compared with, usually on the virtual rig.
    ///   - least: The least change of a time that is reported.
    ///   - timelines: Read the events of a case of each run.
    package init(
        _ first: RunRecord, _ second: RunRecord, least: LeastChange = .standard, timelines: (Timeline, Timeline)
    ) {
        var factors: [Double] = []
        for entry in first.entries where entry.result != nil {
            guard let other = second[entry.info.identifier], other.result != nil else {
                onlyFirst.append(entry.info.identifier)
                continue
            }
            let times = Parity.times(entry, other)
            factors += times.filter { $0.step != nil }.compactMap(\.factor)
            cases.append(Parity.compare(entry, other, times.filter { $0.isTold(least) }, timelines))
        }
        onlySecond = second.entries.filter { $0.result != nil && first[$0.info.identifier]?.result == nil }.map(
            \.info.identifier)
        (medianFactor, steps) = (factors.median, factors.count)
    }

    /// The cases with different verdicts.
    package var unlikeVerdicts: [Case] { cases.filter { !$0.hasSameVerdict } }

    /// Whether both runs have the same cases, with the same verdicts, the same order and about the same times.
    package var isSame: Bool { onlyFirst.isEmpty && onlySecond.isEmpty && cases.allSatisfy(\.isSame) }

    private static func compare(
        _ one: RunRecord.Entry, _ two: RunRecord.Entry, _ times: [Times], _ timelines: (Timeline, Timeline)
    ) -> Case {
        var found = Case(
            scenario: one.info.identifier, title: one.info.title, first: one.verdict, second: two.verdict,
            firstCause: one.result?.judgement.cause?.message ?? one.result?.judgement.reason,
            secondCause: two.result?.judgement.cause?.message ?? two.result?.judgement.reason, times: times)
        // What was skipped has no timeline.
        if one.verdict == .skipped || two.verdict == .skipped { return found }
        switch (timelines.0(one), timelines.1(two)) {
        case (.success(let first), .success(let second)): found.order = EventSequence(first, second)
        case (.failure(let why), _), (_, .failure(let why)): found.whyNoOrder = why.description
        }
        return found
    }

    /// The times of the body and of the steps that ended in both runs, of the attempts that decided.
    private static func times(_ one: RunRecord.Entry, _ two: RunRecord.Entry) -> [Times] {
        var all: [Times] = []
        if let first = one.result?.bodySeconds, let second = two.result?.bodySeconds {
            all.append(Times(step: nil, first: first, second: second))
        }
        // The n-th step of a name is that of the other run.
        var others: [String: [Double]] = [:]
        for step in two.decisive.steps {
            if step.outcome == .done, let seconds = step.seconds { others[step.name, default: []].append(seconds) }
        }
        for step in one.decisive.steps where step.outcome == .done {
            guard let first = step.seconds, let second = others[step.name]?.first else { continue }
            others[step.name]?.removeFirst()
            all.append(Times(step: step.name, first: first, second: second))
        }
        return all.sorted { abs($0.second - $0.first) > abs($1.second - $1.first) }
    }
}

extension Parity.Times {
    fileprivate func isTold(_ least: Parity.LeastChange) -> Bool {
        let difference = abs(second - first)
        return difference >= least.seconds && difference >= least.share * first
    }
}

extension RunRecord.Entry {
    /// The verdict without a quarantine.
    fileprivate var verdict: Verdict {
        result.map { $0.judgement.actual ?? $0.judgement.verdict } ?? .skipped
    }
}
