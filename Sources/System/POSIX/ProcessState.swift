import Glibc

/// Whether a process cannot run at this moment although it has something to do: a signal or a debugger stopped it, its
/// control group is frozen, or it waits for a disk. Nil if it is gone.
package func isStandingStill(_ process: pid_t) -> Bool? {
    guard process > 0, let stat = try? Descriptor.open("/proc/\(process)/stat", O_RDONLY).read(upTo: 512) else {
        return nil
    }
    // The state follows the name, which is in parentheses and may itself contain some (proc_pid_stat(5)).
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count else { return nil }
    return stat[end + 2] == UInt8(ascii: "T") || stat[end + 2] == UInt8(ascii: "D")
}
