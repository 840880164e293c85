import Foundation

/// One line of `events.jsonl`: an event with its time and source.
///
/// Lines are JSON objects. `time` is in nanoseconds since 1970, UTC. An event of the runner is in `runner`, an event
/// of a scenario's worker in `worker`. `scenario` is the identifier, if the line is about one. The line with which a run
/// begins has the number of the format in `format`.
package struct RunLine: Sendable, Codable {
    /// The format of the lines that this version writes.
    ///
    /// | format | what it added |
    /// |---|---|
    /// | 1 | no number is written |
    /// | 2 | the number; `attemptBegan`; numbers of steps; `drawn`, the files of a screen; `finding` in a failure; `line` of a scenario |
    /// | 3 | `waited`: single waits, each at its end |
    /// | 4 | `waited` and `lateness` of a failure, `lateness` of an attempt in place of `waited`; `unproven` in a judgement; `stood`, `crashing` |
    /// | 5 | words in place of the values that the phone, the air and a played scenario have themselves |
    /// | 6 | `explorationBegan`, `trialEnded`; `trial` of a worker |
    /// | 7 | `audit` of a run, `control` of a scenario; `audit` of a worker |
    package static let format = 7

    /// The format of the whole file, in the line with which a run begins; nil elsewhere, and in format 1.
    package var format: Int?
    package var time: UInt64
    package var scenario: String?
    package var runner: RunnerEvent?
    /// The number of the rig, from 1, in the line where a scenario begins.
    package var rig: Int?
    package var worker: ScenarioEvent?

    /// A line with an event of the runner.
    package init(time: UInt64, scenario: String? = nil, runner: RunnerEvent, rig: Int? = nil) {
        self.rig = rig
        self.time = time
        self.scenario = scenario
        self.runner = runner
        if case .runBegan = runner { format = RunLine.format }
    }

    /// A line with an event of a worker.
    package init(scenario: String, worker: StampedEvent) {
        time = worker.time
        self.scenario = scenario
        self.worker = worker.event
    }

    /// The JSON object, without a newline.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(self)) } catch {
            return Array(#"{"time":\#(time),"unreadable":true}"#.utf8)
        }
    }
}

/// An event of the runner.
package enum RunnerEvent: Sendable, Codable {
    /// The first event of a run.
    case runBegan(RunInfo)
    /// Everything runs once more; the value is the added scenarios.
    case roundBegan([RunInfo.Entry])
    /// A rig is being started for the scenario.
    case scenarioBegan
    /// An attempt at the scenario begins, the first or a retry. Its number counts from 1.
    case attemptBegan(number: Int)
    /// An attempt did not pass, and another one follows.
    case attemptEnded(AttemptResult)
    /// The exploration of the scenario has found the moments of its journey, and begins with the trials.
    case explorationBegan(ExplorationInfo)
    /// A trial of the scenario's exploration has ended.
    case trialEnded(TrialResult)
    /// The last event of a scenario.
    case scenarioEnded(ScenarioResult)
    /// The scenario was interrupted together with the run.
    case scenarioInterrupted
    /// The last event of a run.
    case runEnded(RunEnd)
}

/// The names in JSON of values that have no label.
extension RunnerEvent {
    enum RunBeganCodingKeys: String, CodingKey { case _0 = "info" }
    enum RoundBeganCodingKeys: String, CodingKey { case _0 = "scenarios" }
    enum ResultKey: String, CodingKey { case _0 = "result" }
    enum RunEndedCodingKeys: String, CodingKey { case _0 = "end" }

    enum ExplorationBeganCodingKeys: String, CodingKey { case _0 = "exploration" }

    typealias AttemptEndedCodingKeys = ResultKey
    typealias TrialEndedCodingKeys = ResultKey
    typealias ScenarioEndedCodingKeys = ResultKey
}
