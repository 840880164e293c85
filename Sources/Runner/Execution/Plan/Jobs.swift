import Foundation

/// How many rigs a machine carries side by side.
package enum Jobs {
    /// What a rig takes of memory, in MiB: two boards of at most 300, air, worker, and some of the page cache.
    static let memoryOfRig = 800
    /// What the rest of the machine keeps, in MiB.
    static let reserve = 1024

    /// One for every core, as far as memory carries them, and at least one.
    ///
    /// The two boards of a rig seldom compute at once, and both wait for the runner while it restores and writes: two rigs
    /// on two cores do 1.6 times what one does (`make bench`).
    package static var fitting: Int { fitting(cores: cores, memory: available) }

    private static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    private static var available: Int? {
        available((try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? "")
    }

    /// Why this machine's memory cannot carry so many, with the figures; nil when it can.
    package static func problem(_ jobs: Int) -> String? { problem(jobs, memory: available) }

    /// One rig is always tried.
    static func problem(_ jobs: Int, memory: Int?) -> String? {
        guard let memory, jobs > 1, reserve + jobs * memoryOfRig > memory else { return nil }
        return
            "\(jobs) rigs side by side need \(reserve + jobs * memoryOfRig) MiB of memory (\(memoryOfRig) each, \(reserve)"
            + " for the rest), and \(memory) MiB are available: --jobs \(fitting(cores: .max, memory: memory)) at most"
    }

    /// What to expect of more rigs than cores; nil for no more.
    package static func warning(_ jobs: Int) -> String? { warning(jobs, cores: cores) }

    static func warning(_ jobs: Int, cores: Int) -> String? {
        guard jobs > cores else { return nil }
        return
            "\(jobs) rigs side by side on \(cores) core\(cores == 1 ? "" : "s"): boards that wait too long for a processor"
            + " end scenarios as errors of the rig; --jobs \(cores) is what this machine computes at once"
    }

    /// - Parameter memory: What may be used, in MiB; nil when it is not known.
    static func fitting(cores: Int, memory: Int?) -> Int {
        let byMemory = memory.map { ($0 - reserve) / memoryOfRig } ?? 1
        return max(1, min(cores, byMemory))
    }

    /// What `/proc/meminfo` says is available, in MiB.
    static func available(_ text: String) -> Int? {
        guard let match = text.firstMatch(of: /MemAvailable: +(\d+) kB/), let kilobytes = Int(match.1) else {
            return nil
        }
        return kilobytes / 1024
    }
}
