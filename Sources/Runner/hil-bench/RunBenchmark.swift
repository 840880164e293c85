import Execution
import Foundation
import POSIX

/// Times whole runs of `hil run`, as a user starts them.
struct RunBenchmark {
    /// The program `hil`.
    let program: String
    /// A folder for the results.
    let folder: String

    /// What a run told.
    struct Outcome {
        /// From start to exit, seconds.
        var wall: Double
        /// Seconds of the bodies that ended, by scenario.
        var bodies: [String: Double]
        var passed: Int
        var count: Int
    }

    /// Runs the scenarios that match, or all.
    func run(_ patterns: [String] = []) async throws -> Outcome {
        let (read, write) = try Descriptor.pipe()
        let began = ContinuousClock.now
        let child = try ChildProcess.spawn(
            [program, "run", "--format", "json", "--out", "\(folder)/\(UUID().uuidString)"] + patterns,
            streams: [.null, .descriptor(write), .inherit])
        write.close()
        var text: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { text += bytes }
        _ = await child.wait()
        var outcome = Outcome(
            wall: (ContinuousClock.now - began) / .seconds(1), bodies: [:], passed: 0, count: 0)
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONDecoder().decode(RunLine.self, from: Data(line)),
                case .scenarioEnded(let result) = event.runner
            else { continue }
            outcome.count += 1
            if result.judgement.verdict == .passed { outcome.passed += 1 }
            if let scenario = event.scenario { outcome.bodies[scenario] = result.bodySeconds }
        }
        return outcome
    }
}
