#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How long the threads of a process were ready to run and had to wait for a processor, since each was started.
///
/// The second number of the kernel's `/proc/PID/task/TID/schedstat` (Documentation/scheduler/sched-stats.rst).
public struct ProcessorWait: Sendable, Equatable {
    /// By thread, nanoseconds.
    private var waits: [String: UInt64]

    /// Nil where the process is gone, or the kernel does not tell.
    public init?(of process: Int32) {
        let folder = "/proc/\(process)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        var waits: [String: UInt64] = [:]
        for thread in threads {
            let content = FileManager.default.contents(atPath: "\(folder)/\(thread)/schedstat") ?? Data()
            waits[thread] = ProcessorWait.wait(in: String(decoding: content, as: UTF8.self))
        }
        guard waits.values.contains(where: { $0 > 0 }) else { return nil }
        self.init(waits)
    }

    /// - Parameter waits: By thread, nanoseconds.
    public init(_ waits: [String: UInt64]) { self.waits = waits }

    /// The second of the file's three numbers; nil for anything else.
    static func wait(in content: String) -> UInt64? {
        let numbers = content.split(whereSeparator: \.isWhitespace)
        return numbers.count == 3 ? UInt64(numbers[1]) : nil
    }

    /// What the thread that waited longest has waited since then.
    public func longest(since before: ProcessorWait) -> Duration {
        let longest = waits.map { thread, wait in wait - min(wait, before.waits[thread] ?? 0) }.max() ?? 0
        return .nanoseconds(Int64(clamping: longest))
    }
}
