import Foundation
import HIL
import HILPOSIX
import HILTiming
import VirtualRig

/// Measures the start of a rig: from nothing to two boards with powered radios and answering agents.
struct RigBenchmark {
    /// A folder for the logs.
    let folder: String

    /// The figures of one start.
    struct Sample {
        /// The time until the rig is ready, in seconds.
        let ready: Double
        /// The resident memory of the larger of the two boards' processes, in MiB.
        let resident: Double
        /// The memory of all processes of the rig, in MiB. Memory that several share counts in part for each (`Pss`).
        let memory: Double
    }

    /// Starts `count` rigs, one after the other, and measures each.
    ///
    /// - Parameter parts: The parts of the rig: with a snapshot, QEMU's boards are restored; with `parts.cold` they
    ///   boot. Native boards boot.
    func samples(_ parts: RigParts, count: Int) async throws -> [Sample] {
        var samples: [Sample] = []
        for _ in 0..<count { samples.append(try await sample(parts)) }
        return samples
    }

    /// Starts rigs of two kinds in turn, so that a slow hour slows both.
    func samples(_ first: RigParts, _ second: RigParts, count: Int) async throws -> (first: [Sample], second: [Sample])
    {
        var samples: (first: [Sample], second: [Sample]) = ([], [])
        for _ in 0..<count {
            samples.first.append(try await sample(first))
            samples.second.append(try await sample(second))
        }
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
                { try await VirtualConnector(rig.description).connect(to: rig.endpoint) }, options: options,
                recorder: ScenarioRecorder { _ in })
            let ready = (ContinuousClock.now - began).seconds
            let resident = [rig.processes.host, rig.processes.accessory].map(Self.resident).max() ?? 0
            let memory = Double(rig.tree.memory) / 1_048_576
            withExtendedLifetime(lab) {}
            await rig.stop()
            return Sample(ready: ready, resident: resident, memory: memory)
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
