import Foundation
import HIL

/// One line of `events.jsonl`: a moment, who told it, and what.
///
/// Lines are JSON objects. `time` is in nanoseconds since 1970, UTC. What the runner tells stands under `runner`, what a
/// scenario's worker tells under `worker`; `scenario` is the identifier, where the line is about one.
public struct RunLine: Sendable, Codable {
    public var time: UInt64
    public var scenario: String?
    public var runner: RunnerEvent?
    public var worker: ScenarioEvent?

    /// What the runner tells.
    public init(time: UInt64, scenario: String? = nil, runner: RunnerEvent) {
        self.time = time
        self.scenario = scenario
        self.runner = runner
    }

    /// What a worker tells.
    public init(scenario: String, worker: StampedEvent) {
        time = worker.time
        self.scenario = scenario
        self.worker = worker.event
    }

    /// The JSON object, without a newline.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(self)) } catch {
            return Array(#"{"time":\#(time),"unreadable":true}"#.utf8)
        }
    }
}

/// What the runner tells of a run.
public enum RunnerEvent: Sendable, Codable {
    /// First of all.
    case runBegan(RunInfo)
    /// A rig is being started for the scenario.
    case scenarioBegan
    /// Last of a scenario.
    case scenarioEnded(ScenarioResult)
    /// The run was interrupted, and with it the scenario.
    case scenarioInterrupted
    /// Last of all.
    case runEnded(RunEnd)
}

/// What a run is.
public struct RunInfo: Sendable, Codable {
    /// A scenario that is to run.
    public struct Entry: Sendable, Codable {
        public var identifier: String
        public var title: String
        /// Of its source, without `.swift`: `Pairing/NewDieIsOnboarded`.
        public var file: String
        public var tags: [String]
        /// The rules that it covers.
        public var rules: [String]
        /// Its folder in the run's folder.
        public var folder: String

        public init(_ planned: PlannedScenario) {
            identifier = planned.identifier
            title = planned.title
            file = planned.named.file.replacing(".swift", with: "")
            tags = planned.scenario.traits.tags.map(\.description)
            rules = planned.scenario.traits.rules
            folder = planned.slug
        }
    }

    /// The version of the harness.
    public var version: String
    /// The kind of rig: `virtual`.
    public var rig: String
    /// The name of the machine.
    public var machine: String
    /// The run's folder, absolute.
    public var folder: String
    /// In the order in which they run.
    public var scenarios: [Entry]

    public init(version: String, rig: String, machine: String, folder: String, scenarios: [Entry]) {
        self.version = version
        self.rig = rig
        self.machine = machine
        self.folder = folder
        self.scenarios = scenarios
    }
}

/// What became of a scenario.
public struct ScenarioResult: Sendable, Codable {
    public var judgement: Judgement
    /// From the rig's start to its end, seconds.
    public var seconds: Double
    /// What the body took, if it ended.
    public var bodySeconds: Double?
    /// Files of its folder worth opening, the best first; names relative to that folder.
    public var evidence: [String]
    /// What is missing of the evidence, and why.
    public var missing: [String]

    public init(
        _ judgement: Judgement, seconds: Double, bodySeconds: Double? = nil, evidence: [String] = [],
        missing: [String] = []
    ) {
        self.judgement = judgement
        self.seconds = seconds
        self.bodySeconds = bodySeconds
        self.evidence = evidence
        self.missing = missing
    }
}

/// How a run ended.
public struct RunEnd: Sendable, Codable, Hashable {
    /// The number of the signal that interrupted it.
    public var signal: Int32?
    /// From its beginning, seconds.
    public var seconds: Double

    public init(signal: Int32? = nil, seconds: Double) {
        self.signal = signal
        self.seconds = seconds
    }
}
