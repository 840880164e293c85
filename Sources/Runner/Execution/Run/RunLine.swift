import Foundation
import HIL
import RigModel

/// One line of `events.jsonl`: a moment, who told it, and what.
///
/// Lines are JSON objects. `time` is in nanoseconds since 1970, UTC. What the runner tells stands under `runner`, what a
/// scenario's worker tells under `worker`; `scenario` is the identifier, where the line is about one.
package struct RunLine: Sendable, Codable {
    package var time: UInt64
    package var scenario: String?
    package var runner: RunnerEvent?
    /// The number of the rig, from 1, where a scenario begins.
    package var rig: Int?
    package var worker: ScenarioEvent?

    /// What the runner tells.
    package init(time: UInt64, scenario: String? = nil, runner: RunnerEvent, rig: Int? = nil) {
        self.rig = rig
        self.time = time
        self.scenario = scenario
        self.runner = runner
    }

    /// What a worker tells.
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

/// What the runner tells of a run.
package enum RunnerEvent: Sendable, Codable {
    /// First of all.
    case runBegan(RunInfo)
    /// Everything runs once more: the scenarios that are added.
    case roundBegan([RunInfo.Entry])
    /// A rig is being started for the scenario.
    case scenarioBegan
    /// An attempt did not pass, and another one follows.
    case attemptEnded(AttemptResult)
    /// Last of a scenario.
    case scenarioEnded(ScenarioResult)
    /// The run was interrupted, and with it the scenario.
    case scenarioInterrupted
    /// Last of all.
    case runEnded(RunEnd)
}

/// What an event in JSON calls the values of its cases that have no label.
extension RunnerEvent {
    enum RunBeganCodingKeys: String, CodingKey { case _0 = "info" }
    enum RoundBeganCodingKeys: String, CodingKey { case _0 = "scenarios" }
    enum ResultKey: String, CodingKey { case _0 = "result" }
    enum RunEndedCodingKeys: String, CodingKey { case _0 = "end" }

    typealias AttemptEndedCodingKeys = ResultKey
    typealias ScenarioEndedCodingKeys = ResultKey
}

/// What a run is.
package struct RunInfo: Sendable, Codable {
    /// A scenario that is to run.
    package struct Entry: Sendable, Codable {
        package var identifier: String
        package var title: String
        /// Of its source, without `.swift`: `Scenarios/Pairing/NewLampIsOnboarded`.
        package var file: String
        package var tags: [String]
        /// The rules that it covers.
        package var rules: [String]
        /// What its rig has to be able to do.
        package var needs: [Capability]
        /// It is known to be bad.
        package var quarantine: Quarantine?
        /// Its folder in the run's folder.
        package var folder: String
        /// The command that runs it again.
        package var replay: String

        /// - Parameter invocation: How `hil` was called.
        package init(_ planned: PlannedScenario, _ invocation: Invocation = Invocation()) {
            identifier = planned.identifier
            title = planned.title
            file = planned.named.sourceFile.replacing(".swift", with: "")
            tags = planned.scenario.traits.tags.map(\.description)
            rules = planned.scenario.traits.rules
            needs = planned.scenario.traits.needs
            quarantine = planned.scenario.traits.quarantine
            folder = planned.slug
            replay = invocation.again(planned.caseIdentifier)
        }
    }

    /// The version of the harness.
    package var version: String
    /// The kind of rig: `virtual`.
    package var rig: String
    /// The name of the machine.
    package var machine: String
    /// The run's folder, absolute.
    package var folder: String
    /// In the order in which they run.
    package var scenarios: [Entry]
    /// How it goes about them.
    package var options: RunOptions

    /// The command `hil`, as it was called.
    package var program: String

    package init(
        version: String, rig: String, machine: String, folder: String, scenarios: [Entry],
        options: RunOptions = RunOptions(), program: String = "hil"
    ) {
        self.program = program
        self.version = version
        self.rig = rig
        self.machine = machine
        self.folder = folder
        self.scenarios = scenarios
        self.options = options
    }
}

/// How a run ended.
package struct RunEnd: Sendable, Codable, Hashable {
    /// The number of the signal that interrupted it.
    package var signal: Int32?
    /// The budget of the run, where it was used up before the last scenario was done; seconds.
    package var missedBudget: Double?
    /// The scenario at which a run ended that was to end at the first that does not pass.
    package var stoppedBy: String?
    /// From its beginning, seconds.
    package var seconds: Double

    package init(
        signal: Int32? = nil, missedBudget: Double? = nil, stoppedBy: String? = nil, seconds: Double
    ) {
        self.signal = signal
        self.missedBudget = missedBudget
        self.stoppedBy = stoppedBy
        self.seconds = seconds
    }
}
