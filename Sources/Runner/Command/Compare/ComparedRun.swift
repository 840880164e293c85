import HILExecution
import HILHistory
import HILRecord

/// The part of a run that is compared with another run.
struct ComparedRun {
    /// The name of its folder.
    var name: String
    /// Nanoseconds since 1970.
    var began: UInt64
    var bench: RunMachine
    var outcomes: [CaseOutcome]
    /// The durations of the steps that ended well, in seconds; nil if only the history has them.
    var samples: [StepTimes.Key: [Double]]?

    /// A run whose record is at hand.
    init(_ record: RunRecord) {
        name = String(record.info?.folder.split(separator: "/").last ?? "")
        began = record.began
        bench = record.bench
        outcomes = CaseOutcome.all(of: record)
        samples = ComparedRun.samples(of: record)
    }

    /// Several runs as one, such as the shards of a night: a case that several have is taken from the first.
    init(_ records: [RunRecord]) {
        self.init(records.first ?? RunRecord())
        for record in records.dropFirst() {
            outcomes += CaseOutcome.all(of: record)
            began = min(began, record.began)
            // Times of different benches cannot be merged.
            guard record.bench == bench else { continue }
            samples?.merge(ComparedRun.samples(of: record)) { $0 + $1 }
        }
    }

    /// A run that only the history still has.
    init(_ past: PastRun) {
        name = past.name
        began = past.began
        bench = past.bench
        outcomes = past.results.map {
            CaseOutcome($0.scenario, $0.verdict, actual: $0.actual, cause: $0.cause, audit: $0.audit)
        }
    }

    private static func samples(of record: RunRecord) -> [StepTimes.Key: [Double]] {
        var samples: [StepTimes.Key: [Double]] = [:]
        for entry in record.entries {
            let scenario = entry.info.caseAndRound.identifier
            for step in entry.attempts.flatMap(\.steps) where step.outcome == .done {
                if let seconds = step.seconds { samples[.init(scenario, step.name), default: []].append(seconds) }
            }
        }
        return samples
    }
}
