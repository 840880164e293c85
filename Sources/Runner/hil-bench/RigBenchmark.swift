import Foundation
import HIL
import POSIX
import Timing
import VirtualRig

/// Times how long it takes from nothing to two boards with powered radios and answering agents.
struct RigBenchmark {
    let parts: RigParts
    /// A folder for the logs.
    let folder: String

    /// What one start gave.
    struct Sample {
        /// Seconds.
        let ready: Double
        /// The larger resident memory of the two boards' QEMUs, MiB.
        let resident: Double
    }

    /// Starts rigs one after the other.
    ///
    /// - Parameter parts: What to start from; `parts.cold` boots.
    func samples(_ parts: RigParts, count: Int) async throws -> [Sample] {
        var samples: [Sample] = []
        for _ in 0..<count { samples.append(try await sample(parts)) }
        return samples
    }

    private func sample(_ parts: RigParts) async throws -> Sample {
        let evidence = "\(folder)/\(UUID().uuidString)"
        let began = ContinuousClock.now
        let rig = try await VirtualRig.start(parts, evidence: evidence)
        do {
            var options = LabOptions()
            options.capture = "\(evidence)/capture.pcapng"
            // What is asked once a run is no part of a start.
            options.versions = [:]
            let lab = try await Lab.open(
                { try await VirtualConnector().connect(to: rig.endpoint) }, options: options,
                recorder: ScenarioRecorder { _ in })
            let ready = (ContinuousClock.now - began).seconds
            let resident = [rig.processes.host, rig.processes.accessory].map(Self.resident).max() ?? 0
            withExtendedLifetime(lab) {}
            await rig.stop()
            return Sample(ready: ready, resident: resident)
        } catch {
            await rig.stop()
            throw error
        }
    }

    /// A process's resident memory, MiB, as the kernel counts it.
    private static func resident(_ pid: Int32) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kibibytes ?? .nan) / 1024
    }
}
