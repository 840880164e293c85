import Glibc

/// Whether a process cannot run at this moment although it has something to do: a signal or a debugger stopped it, its
/// control group is frozen, or it waits for a disk. Nil if it is gone.
package func isStandingStill(_ process: pid_t) -> Bool? {
    guard process > 0, let state = processState(in: "/proc/\(process)/stat") else { return nil }
    return state == "T" || state == "D"
}

/// The state of a process or thread, as in its file `stat`: R runs, S sleeps, D waits for a disk, T is stopped
/// (proc_pid_stat(5)). Nil if it is gone.
func processState(in file: String) -> Character? {
    let stat = KernelFile.bytes(file)
    // The state follows the name, which is in parentheses and may itself contain some.
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count else { return nil }
    return Character(Unicode.Scalar(stat[end + 2]))
}
