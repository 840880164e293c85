import BoardProtocol
import Foundation
import HIL
import HILPOSIX
import HILRecord

/// Finds errors in a board's kernel log: oopses, warnings, panics, lockups, lack of memory.
enum KernelErrors {
    /// One error that the kernel reported.
    struct KernelError: Equatable {
        /// Its first line, without the time.
        var summary: String
        /// The following lines that belong to it: registers and backtrace.
        var details: [String] = []
    }

    /// How an error begins, what else its first line has, and the text that ends its backtrace; nil for an error of one
    /// line.
    private struct Mark {
        let start: String
        var other = ""
        let end: String?

        func begins(_ line: String) -> Bool { line.hasPrefix(start) && (other.isEmpty || line.contains(other)) }
    }

    /// From `lib/bug.c`, `kernel/panic.c`, `kernel/watchdog.c`, `kernel/hung_task.c`, `mm/oom_kill.c` and
    /// `arch/x86/kernel/dumpstack.c` of Linux 6.12 and 7.2.
    private static let marks: [Mark] = [
        Mark(start: "BUG: ", end: "---[ end "), Mark(start: "kernel BUG at ", end: "---[ end "),
        Mark(start: "Oops", end: "---[ end "), Mark(start: "general protection fault", end: "---[ end "),
        Mark(start: "Unable to handle kernel", end: "---[ end "), Mark(start: "WARNING: CPU: ", end: "---[ end "),
        Mark(start: "WARNING: ", other: ", CPU#", end: "---[ end "),
        Mark(start: "Kernel panic - not syncing", end: "---[ end "), Mark(start: "UBSAN: ", end: "---[ end "),
        Mark(start: "watchdog: BUG: soft lockup", end: "</TASK>"),
        Mark(start: "rcu: INFO: rcu_", end: "</TASK>"), Mark(start: "INFO: task ", end: "</TASK>"),
        Mark(start: "Out of memory: ", end: nil), Mark(start: "Memory cgroup out of memory: ", end: nil),
    ]

    /// The most lines of a backtrace; the whole is in the log.
    private static let longestDetails = 40
    /// Errors above this number are only counted, because one oops causes others.
    private static let most = 5

    /// All errors that the kernel reported, in order.
    static func errors(in text: String) -> [KernelError] {
        var errors: [KernelError] = []
        var open: (error: KernelError, end: String)?
        for line in text.split(whereSeparator: \.isNewline).map({ withoutTime($0) }) {
            if var current = open {
                current.error.details.append(line)
                open = current
                guard line.contains(current.end) || current.error.details.count == longestDetails else { continue }
                errors.append(current.error)
                open = nil
            } else if let mark = marks.first(where: { $0.begins(line) }) {
                let error = KernelError(summary: line)
                if let end = mark.end { open = (error, end) } else { errors.append(error) }
            }
        }
        if let open { errors.append(open.error) }
        return errors
    }

    /// The errors of a board as failures of the rig, also those of the accessory board: if a kernel fails, nothing is
    /// known about the product.
    static func findings(in text: String, of board: String) -> [Failure] {
        let all = errors(in: text)
        let finding = Finding(.kernel, of: BoardRole(rawValue: board))
        var findings = all.prefix(most).map { error in
            Failure(
                .rig,
                (["the \(board) board's kernel: \(error.summary)"] + error.details)
                    .joined(separator: "\n"), finding: finding)
        }
        if all.count > most {
            let text = "the \(board) board's kernel reported \(all.count - most) more errors"
            findings.append(Failure(.rig, text, finding: finding))
        }
        return findings
    }

    /// The errors of both boards' kernels in a scenario's folder, as failures of the rig.
    static func findings(inFolder folder: String) -> [Failure] {
        ["host", "accessory"].flatMap { board in
            let bytes = CappedLog("\(folder)/\(board)/kernel.log").read()?.bytes ?? []
            return findings(in: String(decoding: bytes, as: UTF8.self), of: board)
        }
    }

    /// Removes the brackets at the start of `[    4.123456] [    T12] text`.
    private static func withoutTime(_ line: Substring) -> String {
        var rest = line
        while let match = rest.prefixMatch(of: /\[ *(\d+\.\d+|[TC]\d+)\] ?/) { rest = rest[match.range.upperBound...] }
        return String(rest)
    }
}
