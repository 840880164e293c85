import Execution
import Foundation
import HIL
import POSIX

/// Times whole runs of `hil run`, as a user starts them.
struct RunBenchmark {
    /// The program `hil`.
    let program: String
    /// A folder for the results.
    let folder: String

    /// Scenarios of setting up, pairing, Wi-Fi, notifications and a fault; always the same ones, so that rows compare.
    static let ten = [
        "airLosesLinkOfConnectedDie", "dieIsDiscoveredAndAuthorized", "dieIsPairedAndRolls", "dieNetworkIsJoined",
        "dieRefusesPairing", "newDieIsOnboarded", "noAccessoryInRange", "notificationIsDeliveredEncrypted",
        "personCancels", "wrongPassphraseLeavesOldNetwork",
    ]

    /// What a run told of which every scenario passed, or was skipped.
    struct Outcome {
        /// From start to exit, seconds.
        var wall: Double
        /// Seconds of the bodies, by scenario.
        var bodies: [String: Double] = [:]
        /// Seconds of the steps that were done, by name, in their order.
        var steps: [String: [Double]] = [:]
        var count = 0

        /// How much of the time was not spent in the bodies: the runner's own part, on one rig.
        var share: Double { 1 - bodies.values.reduce(0, +) / wall }
    }

    /// A run whose figures mean nothing: a scenario that fails early is quick.
    struct NotPassed: Error, CustomStringConvertible {
        let scenarios: [String]
        var description: String {
            scenarios.isEmpty ? "no scenario ran; see `make hil`" : "did not pass: \(scenarios); see `make hil`"
        }
    }

    /// Runs the scenarios that these patterns and options of `hil run` choose.
    ///
    /// - Throws: ``NotPassed`` unless all that can run here pass.
    func run(_ choice: [String]) async throws -> Outcome {
        let (read, write) = try Descriptor.pipe()
        let began = ContinuousClock.now
        let child = try ChildProcess.spawn(
            [program, "run", "--format", "json", "--out", "\(folder)/\(UUID().uuidString)"] + choice,
            streams: [.null, .descriptor(write), .inherit], atParentDeath: .terminate)
        write.close()
        var text: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { text += bytes }
        _ = await child.wait()
        var outcome = Outcome(wall: (ContinuousClock.now - began) / .seconds(1))
        var others: [String] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONDecoder().decode(RunLine.self, from: Data(line)) else { continue }
            if case .stepEnded(let name, let seconds, .done) = event.worker {
                outcome.steps[name, default: []].append(seconds)
            }
            guard case .scenarioEnded(let result) = event.runner else { continue }
            if result.judgement.verdict == .skipped { continue }
            outcome.count += 1
            let scenario = event.scenario ?? ""
            if result.judgement.verdict != .passed { others.append(scenario) }
            outcome.bodies[scenario] = result.bodySeconds
        }
        guard others.isEmpty, outcome.count > 0 else { throw NotPassed(scenarios: others) }
        return outcome
    }
}
