import HILHistory

/// A scenario of `hil history --format json`: one object in a line.
struct HistoryJSON: Encodable {
    /// One result, the newest first.
    struct Result: Encodable {
        /// The name of the run's folder.
        let run: String
        /// Nanoseconds since 1970.
        let began: Int64
        let verdict: String
        /// The verdict without the quarantine.
        let actual: String?
        let isFlaky: Bool
        /// Seconds, including the rig's start and end.
        let seconds: Double
        /// Seconds of the scenario's body.
        let body: Double?
        let attempts, round: Int
        let machine, rig, version: String
        let accessory, firmware, cause: String?
        /// What came of an audit's check.
        let audit: String?
    }

    struct Step: Encodable {
        let name: String
        /// Seconds.
        let budget: Double
        let median: Double?
        /// Seconds, the newest first.
        let seconds: [Double]
    }

    struct Change: Encodable {
        let step: String
        /// The first run after the change.
        let run: String
        /// Medians in seconds.
        let before, after: Double
        let p: Double
    }

    let scenario, title: String
    /// How many results say something about the product.
    let counted: Int
    /// How many of them are flaky, and their share, 0 to 1.
    let flaky: Int
    let flakyRate: Double?
    /// The median of the body's seconds where it passed.
    let median: Double?
    let results: [Result]
    /// Only for a single scenario.
    let steps: [Step]?
    /// Where the times of steps changed for good; only for a single scenario.
    let changes: [Change]?

    init(_ past: ScenarioPast, _ steps: [PastStep]?, _ changes: [StepChange]? = nil) {
        (scenario, title) = (past.scenario, past.title)
        (counted, flaky, flakyRate) = (past.counted, past.flaky, past.flakyRate)
        median = past.medianSeconds
        results = past.results.enumerated().map { place, result in
            Result(
                run: result.run, began: result.began, verdict: result.verdict.rawValue, actual: result.actual?.rawValue,
                isFlaky: past.isFlaky(at: place), seconds: result.seconds, body: result.bodySeconds,
                attempts: result.attempts, round: result.round, machine: result.machine, rig: result.rig,
                version: result.version, accessory: result.accessory,
                firmware: result.firmware, cause: result.cause, audit: result.audit?.rawValue)
        }
        self.changes = changes?.map {
            Change(step: $0.step, run: $0.run, before: $0.point.before, after: $0.point.after, p: $0.point.p)
        }
        self.steps = steps?.map {
            Step(name: $0.name, budget: $0.budget, median: $0.seconds.median, seconds: $0.seconds)
        }
    }
}
