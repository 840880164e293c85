import Glibc
import HILCLinux

/// A process and all its descendants at one moment.
package struct ProcessTree: Sendable {
    /// The process identifiers, the root first.
    package let processes: [pid_t]

    /// - Parameter root: The process at the top. A process that is gone gives a tree of one process.
    package init(of root: pid_t) {
        var processes = [root]
        var next = 0
        while next < processes.count {
            processes += ProcessTree.children(of: processes[next])
            next += 1
        }
        self.processes = processes
    }

    /// The processor time of all processes, and of ended processes that one of them has waited for.
    package var processorTime: Duration { processes.reduce(.zero) { $0 + ProcessTree.processorTime(of: $1) } }

    /// The memory of all in bytes. Shared pages are divided among their processes (`Pss`, proc(5)). Processes that
    /// share one memory, as threads do, count once.
    package var memory: Int {
        var counted: [(process: pid_t, size: Int)] = []
        for process in processes {
            let line = ProcessTree.text(process, "smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
            let size = 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            // Comparing all with all would take a system call for each pair.
            let isKnown = counted.contains { $0.size == size && share_memory($0.process, process) == 1 }
            if !isKnown { counted.append((process, size)) }
        }
        return counted.reduce(0) { $0 + $1.size }
    }

    private static func children(of process: pid_t) -> [pid_t] {
        KernelFile.numbers(in: "/proc/\(process)/task").flatMap {
            text(process, "task/\($0)/children").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    private static func processorTime(of process: pid_t) -> Duration {
        // The name may contain spaces. After it, fields 14 to 17 are the times of its own and of its children that have
        // ended, in ticks (proc(5)).
        let fields = text(process, "stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 14 else { return .zero }
        let ticks = fields[11...14].map { Int64($0) ?? 0 }
        let tick = Duration.seconds(1) / Double(sysconf(Int32(_SC_CLK_TCK)))
        // A tick is 10 ms, and a board is many small processes. The threads that still run are known in nanoseconds.
        let exact = ProcessorTime(of: process)?.ran ?? .zero
        return max(tick * Double(ticks[0] + ticks[1]), exact) + tick * Double(ticks[2] + ticks[3])
    }

    private static func text(_ process: pid_t, _ file: String) -> String {
        KernelFile.text("/proc/\(process)/\(file)")
    }
}
