import Foundation
import HIL
import RigModel

/// One line of `events.jsonl`: an event with its time and source.
///
/// Lines are JSON objects. `time` is in nanoseconds since 1970, UTC. An event of the runner is in `runner`, an event
/// of a scenario's worker in `worker`. `scenario` is the identifier, if the line is about one.
package struct RunLine: Sendable, Codable {
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
    /// Everything runs once more; with the scenarios that are added.
    case roundBegan([RunInfo.Entry])
    /// A rig is being started for the scenario.
    case scenarioBegan
    /// An attempt did not pass, and another one follows.
    case attemptEnded(AttemptResult)
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

    typealias AttemptEndedCodingKeys = ResultKey
    typealias ScenarioEndedCodingKeys = ResultKey
}

/// The description of a run.
package struct RunInfo: Sendable, Codable {
    /// A scenario that is to run.
    package struct Entry: Sendable, Codable {
        package var identifier: String
        package var title: String
        /// Its source file without `.swift`: `Scenarios/Pairing/NewLampIsOnboarded`.
        package var file: String
        package var tags: [String]
        /// The rules that it covers.
        package var rules: [String]
        /// The capabilities that its rig must have.
        package var needs: [Capability]
        /// The names of the programs that it runs on the accessory board; nil if it declares none.
        package var programs: [String]?
        /// The system of its accessory board: `debian12`; nil if it is not known.
        package var accessory: String?
        /// The quarantine of a scenario that is known to fail; nil if it has none.
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
            needs = planned.scenario.traits.needs + (planned.oneCase.system == nil ? [] : [.boardSystem])
            let programs = planned.scenario.traits.programs.map(\.name)
            self.programs = programs.isEmpty ? nil : programs
            quarantine = planned.scenario.traits.quarantine
            folder = planned.slug
            replay = invocation.again(planned.caseIdentifier)
        }
    }

    /// The version of the harness.
    package var version: String
    /// The kind of rig: `virtual`.
    package var rig: String
    /// Why rigs of this kind were chosen, in a line; nil if there was no choice.
    package var choice: String?
    /// The accessory board's system where a scenario asks for no other: `debian12`; nil if it is not known.
    package var accessory: String?
    /// The name of the machine.
    package var machine: String
    /// The run's folder, absolute.
    package var folder: String
    /// The scenarios in the order in which they run.
    package var scenarios: [Entry]
    /// The options of the run.
    package var options: RunOptions

    /// The command `hil`, as it was called.
    package var program: String

    package init(
        version: String, rig: String, choice: String = "", machine: String, folder: String, scenarios: [Entry],
        options: RunOptions = RunOptions(), program: String = "hil"
    ) {
        self.program = program
        self.version = version
        self.rig = rig
        self.choice = choice.isEmpty ? nil : choice
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
    /// The budget of the run in seconds, if it was used up before the last scenario ended.
    package var missedBudget: Double?
    /// The scenario that ended a run that stops at the first scenario that does not pass.
    package var stoppedBy: String?
    /// The duration of the run, in seconds.
    package var seconds: Double
    /// The processor time of the runner's own process, in seconds; nil if unknown.
    package var processorSeconds: Double?

    package init(
        signal: Int32? = nil, missedBudget: Double? = nil, stoppedBy: String? = nil, seconds: Double,
        processorSeconds: Double? = nil
    ) {
        self.signal = signal
        self.missedBudget = missedBudget
        self.stoppedBy = stoppedBy
        self.seconds = seconds
        self.processorSeconds = processorSeconds
    }
}
