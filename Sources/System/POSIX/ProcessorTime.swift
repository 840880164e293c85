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

        /// The waiting time as a fraction of running and waiting time together, 0 to 1.
        package var waitShare: Double { ran + waited > .zero ? waited / (ran + waited) : 0 }
    }

    private var threads: [String: Thread]
    /// Whether the threads share one core and rarely run at the same time: one wakes another and then sleeps.
    private var takesTurns = false

    /// Nil if the process is gone or the kernel does not count these times.
    package init?(of process: Int32) {
        self.init(ProcessorTime.threads(of: process))
        if !isCounted { return nil }
    }

    /// The times of processes that take turns on one core. Nil if the kernel does not count these times.
    package init?(takingTurns processes: [Int32]) {
        let threads = processes.flatMap { process in
            ProcessorTime.threads(of: process).map { ("\(process) \($0)", $1) }
        }
        self.init(Dictionary(uniqueKeysWithValues: threads), takesTurns: true)
        if !isCounted { return nil }
    }

    /// - Parameter threads: The threads by their numbers.
    package init(_ threads: [String: Thread], takesTurns: Bool = false) {
        self.threads = threads
        self.takesTurns = takesTurns
    }

    private var isCounted: Bool { threads.values.contains { $0.waited > .zero } }

    private static func threads(of process: Int32) -> [String: Thread] {
        let folder = "/proc/\(process)/task"
        return KernelFile.numbers(in: folder).reduce(into: [:]) { threads, number in
            threads["\(number)"] = Thread(KernelFile.text("\(folder)/\(number)/schedstat"))
        }
    }

    /// How long all threads together ran.
    package var ran: Duration { threads.values.reduce(.zero) { $0 + $1.ran } }

    /// The times since `before` of the thread that was ready longest. Nil if no thread existed at both times.
    package func busiest(since before: ProcessorTime) -> Thread? {
        threads.compactMap { name, now in
            // The kernel may reuse a thread's number.
            guard let then = before.threads[name], now.ran >= then.ran, now.waited >= then.waited else { return nil }
            return Thread(ran: now.ran - then.ran, waited: now.waited - then.waited)
        }.max { $0.ran + $0.waited < $1.ran + $1.waited }
    }

    /// How long all threads ran since `before`, and how long they waited for a processor that others used. Nil if
    /// unknown.
    ///
    /// Threads that take turns wait for each other: a woken thread is ready, but the thread that woke it still runs for
    /// a few microseconds. That wait is never longer than all of them ran. Any longer wait was for others.
    package func demand(since before: ProcessorTime) -> Thread? {
        guard takesTurns else { return busiest(since: before) }
        var (ran, waited) = (Duration.zero, Duration.zero)
        for (name, now) in threads {
            // A process may be new, with the reused number of an earlier one.
            let then = before.threads[name].flatMap { now.ran >= $0.ran && now.waited >= $0.waited ? $0 : nil }
            ran += now.ran - (then?.ran ?? .zero)
            waited += now.waited - (then?.waited ?? .zero)
        }
        return Thread(ran: ran, waited: max(.zero, waited - ran))
    }
}
