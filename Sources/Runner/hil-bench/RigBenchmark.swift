import Foundation
import HIL
import POSIX
import Timing
import VirtualRig

/// Measures the start of a rig: from nothing to two boards with powered radios and answering agents.
struct RigBenchmark {
    let parts: RigParts
    /// A folder for the logs.
    let folder: String

    /// The figures of one start.
    struct Sample {
        /// The time until the rig is ready, in seconds.
        let ready: Double
        /// The resident memory of the larger of the two QEMU processes, in MiB.
        let resident: Double
    }

    /// Starts `count` rigs, one after the other, and measures each.
    ///
    /// - Parameter parts: The parts of the rig: with a snapshot, boards are restored; with `parts.cold` they boot.
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
            // A run asks for versions only once, so this is not part of a start.
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

    /// The resident memory of a process in MiB, as the kernel counts it (`VmRSS`).
    private static func resident(_ pid: Int32) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kibibytes ?? .nan) / 1024
    }
}
