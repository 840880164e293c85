import Glibc
import HILCLinux
import HILCSeccomp
import HILPOSIX

/// The system calls that the processes of a native board may make, as a program for the machine's kernel (seccomp(2)), made
/// by libseccomp.
///
/// The programs on the board are under a second filter, which the board's Linux installs. It stops each of their calls,
/// so that Linux handles it. Where that is not possible, Linux traces them.
enum SystemCallFilter {
    /// Calls that are allowed with any arguments, by their numbers on x86-64.
    static let allowed: [Int32] = [
        // Files and descriptors. The sandbox decides which files exist.
        SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev,
        SYS_access, SYS_pipe, SYS_dup, SYS_dup2, SYS_fcntl, SYS_ftruncate, SYS_fallocate,
        SYS_open, SYS_openat, SYS_stat, SYS_lstat, SYS_newfstatat, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_readlink,
        SYS_rename, SYS_getcwd, SYS_getdents64, SYS_dup3, SYS_pipe2, SYS_close_range, SYS_statfs, SYS_fstatfs,
        SYS_fadvise64,
        // Waiting.
        SYS_poll, SYS_ppoll, SYS_pselect6, SYS_epoll_create, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_wait,
        SYS_epoll_pwait, SYS_eventfd2, SYS_nanosleep, SYS_clock_nanosleep,
        // Memory.
        SYS_mmap, SYS_mprotect, SYS_munmap, SYS_brk, SYS_mremap, SYS_madvise,
        // Signals and time.
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_sigaltstack, SYS_signalfd4,
        SYS_kill,
        SYS_tkill, SYS_tgkill, SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_delete,
        SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_restart_syscall,
        // Processes. A process traces and sees only its own children.
        SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group, SYS_wait4, SYS_ptrace, SYS_prctl, SYS_arch_prctl,
        SYS_getpid, SYS_gettid,
        SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getpgrp, SYS_setsid, SYS_setpgid,
        SYS_sched_yield, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_futex, SYS_uname, SYS_getrandom,
        SYS_sysinfo, SYS_personality,
        // More filters: they can only be added.
        SYS_seccomp,
        // Limits can only be lowered.
        SYS_prlimit64,
        // The socket of the ports, and its shared memory.
        SYS_connect, SYS_sendmsg, SYS_recvmsg, SYS_socketpair, SYS_memfd_create,
    ]

    /// Calls that succeed and do nothing: a board's disk outlives the board, but not a crash of this machine.
    static let ignored: [Int32] = [SYS_fsync, SYS_fdatasync]

    /// Calls that are allowed if an argument fits.
    static let conditional: [(call: Int32, argument: UInt32, condition: Condition)] = [
        // Processes and threads, but no name spaces: CLONE_NEWNS, and CLONE_NEWCGROUP to CLONE_NEWNET.
        (SYS_clone, 0, .lacks(0x7e02_0000)),
        (SYS_socket, 0, .equals(UInt32(AF_UNIX))),
        // Pushing input into a terminal.
        (SYS_ioctl, 1, .differs(UInt32(TIOCSTI))),
    ]

    /// A condition on the lower half of an argument: the kernel ignores the other half of an `int`.
    enum Condition {
        case equals(UInt32)
        case differs(UInt32)
        /// None of these bits is set.
        case lacks(UInt32)

        /// Masks with the value that remains. The condition holds if one of them fits.
        fileprivate var fits: [(mask: UInt32, value: UInt32)] {
            switch self {
            case .equals(let value): [(.max, value)]
            case .differs(let value): (0..<32).map { 1 << $0 }.map { ($0, ~value & $0) }
            case .lacks(let bits): [(bits, 0)]
            }
        }
    }

    /// A call returns this errno at once, and does nothing. The C library expects ENOSYS from a kernel that lacks a call.
    private static func returning(_ errno: Int32) -> UInt32 { 0x0005_0000 | UInt32(errno) }

    /// The filter in a pipe whose other end is closed, for a program that reads it.
    static func pipe() throws -> Descriptor {
        guard let filter = seccomp_init(returning(ENOSYS)) else { throw failure(-ENOMEM) }
        defer { seccomp_release(filter) }
        try check(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS))
        // Comparisons as a binary tree.
        try check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2))
        for call in allowed { try check(seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 0, nil)) }
        for call in ignored { try check(seccomp_rule_add_array(filter, returning(0), call, 0, nil)) }
        for (call, argument, condition) in conditional {
            for (mask, value) in condition.fits {
                var fit = scmp_arg_cmp(
                    arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(mask), datum_b: UInt64(value))
                try check(seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &fit))
            }
        }
        let pipe = try Descriptor.pipe()
        try check(seccomp_export_bpf(filter, pipe.write.raw))
        pipe.write.close()
        return pipe.read
    }

    /// - Parameter result: 0, or a negative errno.
    private static func check(_ result: Int32) throws {
        if result != 0 { throw failure(result) }
    }

    private static func failure(_ result: Int32) -> SystemError {
        SystemError(code: -result, action: "making the system call filter of native boards")
    }
}
