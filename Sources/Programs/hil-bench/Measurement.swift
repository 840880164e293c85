import Foundation

/// One figure of the benchmark, with its limit.
struct Measurement {
    /// The most or the least that a figure may be.
    enum Limit {
        case atMost(Double)
        case atLeast(Double)
        /// No limit: the figure is there to compare others with.
        case none
    }

    /// What is measured, as the README's table names it.
    let name: String
    let limit: Limit
    let unit: String
    /// Every sample, in the order in which they were taken.
    let samples: [Double]
    /// The milliseconds of a ``PlainLoop`` before and after the samples were taken: how quick the machine was.
    var loop: Double?

    init(_ name: String, _ limit: Limit, _ unit: String, _ samples: [Double]) {
        self.name = name
        self.limit = limit
        self.unit = unit
        self.samples = samples
    }

    var isMet: Bool {
        switch limit {
        case .atMost(let limit): median(samples) <= limit
        case .atLeast(let limit): median(samples) >= limit
        case .none: true
        }
    }

    private var verdict: String {
        if case .none = limit { return "told  " }
        return isMet ? "met   " : "missed"
    }

    /// A line for people: name, median, limit, and the range where there is one.
    var line: String {
        let range =
            samples.count > 1
            ? String(format: "  (%.2f to %.2f, %d times)", samples.min() ?? 0, samples.max() ?? 0, samples.count) : ""
        let figure = String(format: "%8.2f %@", median(samples), unit)
            .padding(toLength: 14, withPad: " ", startingAt: 0)
        let title = name.padding(toLength: max(62, name.count), withPad: " ", startingAt: 0)
        let held =
            switch limit {
            case .atMost(let limit): String(format: "at most %g", limit)
            case .atLeast(let limit): String(format: "at least %g", limit)
            case .none: ""
            }
        let beside = loop.map { String(format: "  loop %.0f ms", $0) } ?? ""
        return "\(verdict) \(title) \(figure) \(held)\(range)\(beside)"
    }
}

/// The machine on which the figures were measured.
struct BenchmarkMachine {
    let processor: String
    let cores: Int
    /// The size of the memory, in GiB.
    let memory: Int

    static var here: BenchmarkMachine {
        let cpu = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model =
            cpu.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last ?? "unknown"
        let info = ProcessInfo.processInfo
        return BenchmarkMachine(
            processor: model.trimmingCharacters(in: .whitespaces), cores: info.activeProcessorCount,
            memory: Int(info.physicalMemory >> 30))
    }

    var description: String { "\(processor), \(cores) cores, \(memory) GiB" }
}
