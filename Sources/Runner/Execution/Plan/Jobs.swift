import Foundation

/// How many rigs a machine carries side by side.
public enum Jobs {
    /// What a rig takes of memory, in MiB: two boards of at most 300, air, worker, and some of the page cache.
    static let memoryOfRig = 800
    /// What the rest of the machine keeps, in MiB.
    static let reserve = 1024

    /// One for every core, as far as memory carries them, and at least one.
    ///
    /// The two boards of a rig seldom compute at once, and both wait for the runner while it restores and writes: two rigs
    /// on two cores do 1.6 times what one does (`make bench`).
    public static var fitting: Int {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        return fitting(cores: ProcessInfo.processInfo.activeProcessorCount, memory: available(text))
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
