import Foundation

/// How many rigs a machine can run side by side.
package enum Jobs {
    /// The memory of a rig in MiB: two boards of at most 300 each, air, worker, and a part of the page cache.
    static let memoryOfRig = 800
    /// The memory that is left for the rest of the machine, in MiB.
    static let reserve = 1024

    /// One rig per core if memory allows, and at least one.
    ///
    /// The two boards of a rig seldom compute at the same time, and both wait while the runner restores and writes.
    /// Two rigs on two cores finish 1.6 times as many scenarios as one (`make bench`).
    package static var fitting: Int { fitting(cores: cores, memory: available) }

    private static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    private static var available: Int? {
        available((try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? "")
    }

    /// Why this machine's memory is too small for so many rigs, with the figures; nil if it is enough.
    package static func problem(_ jobs: Int) -> String? { problem(jobs, memory: available) }

    /// The same for a given memory in MiB. One rig is always allowed.
    static func problem(_ jobs: Int, memory: Int?) -> String? {
        guard let memory, jobs > 1, reserve + jobs * memoryOfRig > memory else { return nil }
        return
            "\(jobs) rigs side by side need \(reserve + jobs * memoryOfRig) MiB of memory (\(memoryOfRig) each, \(reserve)"
            + " for the rest), and \(memory) MiB are available: --jobs \(fitting(cores: .max, memory: memory)) at most"
    }

    /// A warning if there are more rigs than cores; nil if there are not.
    package static func warning(_ jobs: Int) -> String? { warning(jobs, cores: cores) }

    static func warning(_ jobs: Int, cores: Int) -> String? {
        guard jobs > cores else { return nil }
        return
            "\(jobs) rigs side by side on \(cores) core\(cores == 1 ? "" : "s"): boards that wait too long for a processor"
            + " end scenarios as errors of the rig; --jobs \(cores) is what this machine computes at once"
    }

    /// - Parameter memory: The available memory in MiB; nil if unknown.
    static func fitting(cores: Int, memory: Int?) -> Int {
        let byMemory = memory.map { ($0 - reserve) / memoryOfRig } ?? 1
        return max(1, min(cores, byMemory))
    }

    /// The available memory in the text of `/proc/meminfo`, in MiB.
    static func available(_ text: String) -> Int? {
        guard let match = text.firstMatch(of: /MemAvailable: +(\d+) kB/), let kilobytes = Int(match.1) else {
            return nil
        }
        return kilobytes / 1024
    }
}
