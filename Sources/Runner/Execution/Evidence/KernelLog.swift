import Foundation
import HIL

/// What a board's kernel said on its console that it should not have: oopses, warnings, panics, lockups, lack of memory.
enum KernelLog {
    /// One complaint of the kernel.
    struct Complaint: Equatable {
        /// The line that names it, without the time.
        var summary: String
        /// The lines that follow it and belong to it: registers and backtrace.
        var details: [String] = []
    }

    /// How a complaint begins, and what ends its backtrace; nil for those that are one line.
    private struct Mark {
        let start: String
        let end: String?
    }

    /// From `lib/bug.c`, `kernel/panic.c`, `kernel/watchdog.c`, `kernel/hung_task.c`, `mm/oom_kill.c` and
    /// `arch/x86/kernel/dumpstack.c` of Linux 6.12.
    private static let marks: [Mark] = [
        Mark(start: "BUG: ", end: "---[ end "), Mark(start: "kernel BUG at ", end: "---[ end "),
        Mark(start: "Oops", end: "---[ end "), Mark(start: "general protection fault", end: "---[ end "),
        Mark(start: "Unable to handle kernel", end: "---[ end "), Mark(start: "WARNING: CPU: ", end: "---[ end "),
        Mark(start: "Kernel panic - not syncing", end: "---[ end "), Mark(start: "UBSAN: ", end: "---[ end "),
        Mark(start: "watchdog: BUG: soft lockup", end: "</TASK>"),
        Mark(start: "rcu: INFO: rcu_", end: "</TASK>"), Mark(start: "INFO: task ", end: "</TASK>"),
        Mark(start: "Out of memory: ", end: nil), Mark(start: "Memory cgroup out of memory: ", end: nil),
    ]

    /// A backtrace longer than this is cut; the whole is in the log.
    private static let longestDetails = 40
    /// Complaints beyond these are only counted: one oops makes others.
    private static let most = 5

    /// Everything that the kernel complained of, in order.
    static func complaints(in text: String) -> [Complaint] {
        var complaints: [Complaint] = []
        var open: (complaint: Complaint, end: String)?
        for line in text.split(whereSeparator: \.isNewline).map({ withoutTime($0) }) {
            if var current = open {
                current.complaint.details.append(line)
                open = current
                guard line.contains(current.end) || current.complaint.details.count == longestDetails else { continue }
                complaints.append(current.complaint)
                open = nil
            } else if let mark = marks.first(where: { line.hasPrefix($0.start) }) {
                let complaint = Complaint(summary: line)
                if let end = mark.end { open = (complaint, end) } else { complaints.append(complaint) }
            }
        }
        if let open { complaints.append(open.complaint) }
        return complaints
    }

    /// The complaints of a board as findings. The boards' kernels belong to the rig, the accessory's too: a rig whose
    /// kernel broke says nothing of the product.
    static func findings(in text: String, of board: String) -> [Failure] {
        let all = complaints(in: text)
        var findings = all.prefix(most).map { complaint in
            Failure(
                .rig,
                (["the \(board) board's kernel: \(complaint.summary)"] + complaint.details)
                    .joined(separator: "\n"))
        }
        if all.count > most {
            findings.append(Failure(.rig, "the \(board) board's kernel complained \(all.count - most) times more"))
        }
        return findings
    }

    /// What both boards' kernels wrote into a scenario's folder, as findings.
    static func findings(inFolder folder: String) -> [Failure] {
        ["host", "accessory"].flatMap { board in
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(board)/kernel.log") ?? Data()
            return findings(in: String(decoding: bytes, as: UTF8.self), of: board)
        }
    }

    /// `[    4.123456] [    T12] text` without what stands in brackets first.
    private static func withoutTime(_ line: Substring) -> String {
        var rest = line
        while let match = rest.prefixMatch(of: /\[ *(\d+\.\d+|[TC]\d+)\] ?/) { rest = rest[match.range.upperBound...] }
        return String(rest)
    }
}
