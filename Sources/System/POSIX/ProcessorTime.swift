#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// For each thread of a process: how long it ran, and how long it was ready but waited for a processor.
///
/// Both are counted from the thread's start. They are the first two numbers of the kernel's
/// `/proc/PID/task/TID/schedstat` (Documentation/scheduler/sched-stats.rst).
package struct ProcessorTime: Sendable, Equatable {
    package struct Thread: Sendable, Equatable {
        package var ran: Duration
        package var waited: Duration

        package init(ran: Duration, waited: Duration) { (self.ran, self.waited) = (ran, waited) }

        /// Parses the file: two times in nanoseconds and a count. Nil for any other content.
        init?(_ content: String) {
            let numbers = content.split(whereSeparator: \.isWhitespace).map { Int64($0) }
            guard numbers.count == 3, let ran = numbers[0], let waited = numbers[1], ran >= 0, waited >= 0 else {
                return nil
            }
            self.init(ran: .nanoseconds(ran), waited: .nanoseconds(waited))
        }

        /// The waiting time as a part of running and waiting time together, 0 to 1.
        package var waitShare: Double { ran + waited > .zero ? waited / (ran + waited) : 0 }
    }

    private var threads: [String: Thread]

    /// Nil if the process is gone or the kernel does not count these times.
    package init?(of process: Int32) {
        let folder = "/proc/\(process)/task"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        var threads: [String: Thread] = [:]
        for name in names {
            let content = FileManager.default.contents(atPath: "\(folder)/\(name)/schedstat") ?? Data()
            threads[name] = Thread(String(decoding: content, as: UTF8.self))
        }
        guard threads.values.contains(where: { $0.waited > .zero }) else { return nil }
        self.init(threads)
    }

    /// - Parameter threads: The threads by their numbers.
    package init(_ threads: [String: Thread]) { self.threads = threads }

    /// How long all threads together ran.
    package var ran: Duration { threads.values.reduce(.zero) { $0 + $1.ran } }

    /// The times since `before` of the thread that was ready longest. Nil if no thread existed then and now.
    package func busiest(since before: ProcessorTime) -> Thread? {
        threads.compactMap { name, now in
            // The kernel may reuse a thread's number.
            guard let then = before.threads[name], now.ran >= then.ran, now.waited >= then.waited else { return nil }
            return Thread(ran: now.ran - then.ran, waited: now.waited - then.waited)
        }.max { $0.ran + $0.waited < $1.ran + $1.waited }
    }
}
