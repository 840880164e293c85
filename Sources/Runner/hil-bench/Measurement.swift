import Foundation

/// One figure of the benchmark, and what it is held to.
struct Measurement {
    /// What is measured, as the README's table names it.
    let name: String
    let unit: String
    /// The figure must not be more than this.
    let limit: Double
    /// Every sample, in the order in which they were taken.
    let samples: [Double]

    var median: Double {
        let sorted = samples.sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    var isMet: Bool { median <= limit }

    /// A line for people: name, median, limit, and the range where there is one.
    var line: String {
        let range =
            samples.count > 1
            ? String(format: "  (%.2f to %.2f, %d times)", samples.min() ?? 0, samples.max() ?? 0, samples.count) : ""
        let figure = String(format: "%8.2f %@", median, unit).padding(toLength: 14, withPad: " ", startingAt: 0)
        let title = name.padding(toLength: 62, withPad: " ", startingAt: 0)
        return "\(isMet ? "met   " : "missed") \(title) \(figure) of \(String(format: "%g", limit))\(range)"
    }
}

/// The machine that the figures are from.
struct Machine {
    let processor: String
    let cores: Int
    /// GiB.
    let memory: Int

    static var here: Machine {
        let cpu = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model =
            cpu.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last ?? "unknown"
        let info = ProcessInfo.processInfo
        return Machine(
            processor: model.trimmingCharacters(in: .whitespaces), cores: info.activeProcessorCount,
            memory: Int(info.physicalMemory >> 30))
    }

    var description: String { "\(processor), \(cores) cores, \(memory) GiB" }
}
