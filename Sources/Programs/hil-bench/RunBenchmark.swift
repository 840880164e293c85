import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILRecord

/// Measures whole runs of `hil run`, started as a user does.
struct RunBenchmark {
    /// The options that choose the rigs.
    let rig: [String]
    /// The program `hil`.
    let program: String
    /// A folder for the results.
    let folder: String
    /// Variables in addition to those of this process.
    var environment: [String: String] = [:]

    /// Ten scenarios of set-up, pairing, Wi-Fi, notifications and a fault. They stay the same, so that rows of the
    /// history can be compared.
    static let ten = [
        "airLosesLinkOfConnectedDie", "dieIsDiscoveredAndAuthorized", "dieIsPairedAndRolls", "dieNetworkIsJoined",
        "dieRefusesPairing", "newDieIsOnboarded", "noAccessoryInRange", "notificationIsDeliveredEncrypted",
        "personCancels", "wrongPassphraseLeavesOldNetwork",
    ]

    /// The result of a run.
    struct Outcome {
        /// The time from start to exit, in seconds.
        var wall: Double
        /// The durations of the bodies in seconds, by scenario.
        var bodies: [String: Double] = [:]
        /// The durations of the completed steps in seconds, by name, in order.
        var steps: [String: [Double]] = [:]
        /// How many cases ran.
        var count = 0
        /// Those that did not pass: the case, its verdict, where it ran, and its first failure.
        var others: [String] = []
        /// The time from the beginning of the first scenario to the end of the last one, in seconds.
        var span = 0.0
        /// How long the resets of both boards took, in seconds, in order.
        var resets: [Double] = []
        /// The processor time of all scenarios.
        var processor = ProcessorUse()
        /// The processor time of the runner's own process, in seconds.
        var runner = 0.0

        /// The cases per minute of the time from start to exit.
        var perMinute: Double { Double(count) / wall * 60 }

        /// The time of all steps together, in seconds.
        var inSteps: Double { steps.values.reduce(0) { $0 + $1.reduce(0, +) } }

        /// The processor time of everything except the boards, relative to that of the boards.
        var overhead: Double { (runner + processor.rig + processor.worker) / processor.boards }

        /// The share of the time outside the bodies, 0 to 1: what the runner itself needs on one rig.
        var share: Double { 1 - bodies.values.reduce(0, +) / wall }
    }

    /// The run cannot be measured, because a scenario did not pass. A scenario that fails early would look fast.
    struct NotPassed: Error, CustomStringConvertible {
        let scenarios: [String]
        var description: String {
            scenarios.isEmpty ? "no scenario ran; see `make hil`" : "did not pass: \(scenarios); see `make hil`"
        }
    }

    /// Runs `hil run` with these patterns and options, and returns its times.
    ///
    /// - Throws: ``NotPassed`` unless every scenario that can run here passes.
    func run(_ choice: [String]) async throws -> Outcome {
        let outcome = try await runAny(choice)
        guard outcome.others.isEmpty, outcome.count > 0 else { throw NotPassed(scenarios: outcome.others) }
        return outcome
    }

    /// Runs `hil run` with these patterns and options, and returns its times and what did not pass.
    func runAny(_ choice: [String]) async throws -> Outcome {
        let (read, write) = try Descriptor.pipe()
        let began = ContinuousClock.now
        let child = try ChildProcess.spawn(
            [program, "run"] + rig + ["--format", "json", "--out", "\(folder)/\(UUID().uuidString)"] + choice,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }.map {
                "\($0.key)=\($0.value)"
            },
            streams: [.null, .descriptor(write), .inherit], atParentDeath: .terminate)
        write.close()
        var text: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { text += bytes }
        _ = await child.wait()
        var outcome = Outcome(wall: (ContinuousClock.now - began) / .seconds(1))
        var times: [UInt64] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONDecoder().decode(RunLine.self, from: Data(line)) else { continue }
            if event.scenario != nil { times.append(event.time) }
            if case .remark(let text) = event.worker, let reset = Self.reset(in: text) { outcome.resets.append(reset) }
            if case .stepEnded(let name, let seconds, .done, _) = event.worker {
                outcome.steps[name, default: []].append(seconds)
            }
            if case .runEnded(let end) = event.runner { outcome.runner = end.processorSeconds ?? .nan }
            guard case .scenarioEnded(let result) = event.runner else { continue }
            if result.judgement.verdict == .skipped { continue }
            outcome.count += 1
            outcome.processor = outcome.processor.adding(result.processor ?? ProcessorUse(boards: .nan))
            let scenario = event.scenario ?? ""
            if result.judgement.verdict != .passed {
                let place = result.whereItRan.map { " \($0)" } ?? ""
                let cause = result.judgement.failures.first.map { ": \($0.message)" } ?? ""
                outcome.others.append("\(scenario) \(result.judgement.verdict.rawValue)\(place)\(cause)")
            }
            outcome.bodies[scenario] = result.bodySeconds
        }
        outcome.span = Double((times.max() ?? 0) - (times.min() ?? 0)) / 1e9
        return outcome
    }

    /// How long a reset of a board took, in seconds, if a remark of a run on a bench reports it.
    private static func reset(in remark: String) -> Double? {
        guard let match = remark.firstMatch(of: /was reset in ([0-9.]+) (ms|s);/), let number = Double(match.1) else {
            return nil
        }
        return match.2 == "s" ? number : number / 1000
    }
}
