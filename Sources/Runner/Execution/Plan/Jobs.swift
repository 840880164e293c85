import Foundation
import RigModel

/// How many rigs a machine can run side by side.
package enum Jobs {
    /// The memory that is left for everything else on the machine, in MiB.
    static let reserve = 1024

    /// As many rigs as cores and memory allow, and at least one.
    ///
    /// The two boards of a rig seldom compute at the same time, and both wait while the runner restores and writes.
    /// Two emulated rigs on two cores finish 1.6 times as many scenarios as one (`make bench`).
    package static func fitting(_ footprint: RigFootprint) -> Int {
        fitting(footprint, cores: cores, memory: available)
    }

    /// As many trials of an exploration as cores and memory allow.
    package static func fittingTrials(_ footprint: RigFootprint) -> Int {
        var ofTrials = footprint
        ofTrials.rigsPerCore = footprint.trialsPerCore
        return fitting(ofTrials)
    }

    private static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    private static var available: Int? {
        available((try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? "")
    }

    /// Whether this machine has memory for one more rig now.
    package static func hasRoom(for footprint: RigFootprint) -> Bool { hasRoom(for: footprint, memory: available) }

    /// The same for a given memory in MiB; nil if unknown.
    static func hasRoom(for footprint: RigFootprint, memory: Int?) -> Bool {
        memory.map { $0 >= reserve + footprint.memory } ?? false
    }

    /// Why this machine's memory is too small for so many rigs, with the figures; nil if it is enough.
    package static func problem(_ jobs: Int, _ footprint: RigFootprint) -> String? {
        problem(jobs, footprint, memory: available)
    }

    /// The same for a given memory in MiB. One rig is always allowed.
    static func problem(_ jobs: Int, _ footprint: RigFootprint, memory: Int?) -> String? {
        let needed = reserve + jobs * footprint.memory
        guard let memory, jobs > 1, needed > memory else { return nil }
        return
            "\(jobs) rigs side by side need \(needed) MiB of memory (\(footprint.memory) each, \(reserve)"
            + " for the rest), and \(memory) MiB are available: "
            + "--jobs \(fitting(footprint, cores: .max, memory: memory)) at most"
    }

    /// A warning if there are more rigs than the cores keep up with; nil if there are not.
    package static func warning(_ jobs: Int, _ footprint: RigFootprint) -> String? {
        warning(jobs, footprint, cores: cores)
    }

    static func warning(_ jobs: Int, _ footprint: RigFootprint, cores: Int) -> String? {
        let most = busy(footprint, cores: cores)
        guard jobs > most else { return nil }
        return
            "\(jobs) rigs side by side on \(cores) core\(cores == 1 ? "" : "s"): boards that wait too long for a processor"
            + " end scenarios as errors of the rig; --jobs \(most) keeps this machine's cores busy"
    }

    /// - Parameter memory: The available memory in MiB; nil if unknown.
    static func fitting(_ footprint: RigFootprint, cores: Int, memory: Int?) -> Int {
        let byMemory = memory.map { ($0 - reserve) / footprint.memory } ?? 1
        return max(1, min(busy(footprint, cores: cores), byMemory))
    }

    /// How many rigs keep the cores busy.
    private static func busy(_ footprint: RigFootprint, cores: Int) -> Int {
        cores == .max ? .max : Int((Double(cores) * footprint.rigsPerCore).rounded(.up))
    }

    /// The available memory in the text of `/proc/meminfo`, in MiB.
    static func available(_ text: String) -> Int? {
        guard let match = text.firstMatch(of: /MemAvailable: +(\d+) kB/), let kilobytes = Int(match.1) else {
            return nil
        }
        return kilobytes / 1024
    }
}
