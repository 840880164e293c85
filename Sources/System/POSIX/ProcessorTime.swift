#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How long the threads of a process ran, and how long they were ready to run and had to wait for a processor, since each
/// was started.
///
/// The first two numbers of the kernel's `/proc/PID/task/TID/schedstat` (Documentation/scheduler/sched-stats.rst).
package struct ProcessorTime: Sendable, Equatable {
    package struct Thread: Sendable, Equatable {
        package var ran: Duration
        package var waited: Duration

        package init(ran: Duration, waited: Duration) { (self.ran, self.waited) = (ran, waited) }

        /// From the file's three numbers, nanoseconds and a count; nil for anything else.
        init?(_ content: String) {
            let numbers = content.split(whereSeparator: \.isWhitespace).map { Int64($0) }
            guard numbers.count == 3, let ran = numbers[0], let waited = numbers[1], ran >= 0, waited >= 0 else {
                return nil
            }
            self.init(ran: .nanoseconds(ran), waited: .nanoseconds(waited))
        }

        /// The part of the time in which it was ready to run that it waited, 0 to 1.
        package var waitShare: Double { ran + waited > .zero ? waited / (ran + waited) : 0 }
    }

    private var threads: [String: Thread]

    /// Nil where the process is gone, or the kernel does not tell.
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

    /// - Parameter threads: By number.
    package init(_ threads: [String: Thread]) { self.threads = threads }

    /// What the thread that was ready to run for longest since then has run and waited; nil where none was there before.
    package func busiest(since before: ProcessorTime) -> Thread? {
        threads.compactMap { name, now in
            // A thread's number may come again.
            guard let then = before.threads[name], now.ran >= then.ran, now.waited >= then.waited else { return nil }
            return Thread(ran: now.ran - then.ran, waited: now.waited - then.waited)
        }.max { $0.ran + $0.waited < $1.ran + $1.waited }
    }
}
