import Glibc
import HILCLinux
import HILPOSIX

/// The system calls that the processes of a native board may make, as a program for the machine's kernel (seccomp(2)).
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
    static let conditional: [(call: Int32, argument: Int, condition: Condition)] = [
        // Processes and threads, but no name spaces: CLONE_NEWNS, and CLONE_NEWCGROUP to CLONE_NEWNET.
        (SYS_clone, 0, .lacks(0x7e02_0000)),
        (SYS_socket, 0, .equals(UInt32(AF_UNIX))),
        // Pushing input into a terminal.
        (SYS_ioctl, 1, .differs(UInt32(TIOCSTI))),
    ]

    /// A condition on the lower half of an argument.
    enum Condition {
        case equals(UInt32)
        case differs(UInt32)
        /// None of these bits is set.
        case lacks(UInt32)
    }

    /// One instruction of the kernel's packet filter (`struct sock_filter`).
    struct Instruction: Equatable {
        var code: UInt16
        /// How many instructions to skip if a comparison holds, and if it does not.
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var value: UInt32

        var bytes: [UInt8] {
            withUnsafeBytes(of: code.littleEndian, Array.init) + [ifTrue, ifFalse]
                + withUnsafeBytes(of: value.littleEndian, Array.init)
        }
    }

    private enum Code {
        static let load: UInt16 = 0x20
        static let isEqual: UInt16 = 0x15
        static let hasBits: UInt16 = 0x45
        static let end: UInt16 = 0x06
    }

    /// The result of a call (`linux/seccomp.h`).
    enum Action {
        static let allow: UInt32 = 0x7fff_0000
        static let kill: UInt32 = 0x8000_0000
        /// The call returns 0 at once (SECCOMP_RET_ERRNO).
        static let ignore: UInt32 = 0x0005_0000
        /// The call fails like one that this kernel lacks, as the C library expects for new calls.
        static let unknown = 0x0005_0000 | UInt32(ENOSYS)
    }

    /// The offsets in the data about a call: its number, the architecture, and the lower half of an argument.
    private enum Offset {
        static let number: UInt32 = 0
        static let architecture: UInt32 = 4
        static func argument(_ index: Int) -> UInt32 { UInt32(16 + 8 * index) }
    }

    /// AUDIT_ARCH_X86_64.
    private static let architecture: UInt32 = 0xc000_003e

    /// The filter.
    static let program: [Instruction] = {
        var program = [
            Instruction(code: Code.load, value: Offset.architecture),
            Instruction(code: Code.isEqual, ifTrue: 1, value: architecture),
            Instruction(code: Code.end, value: Action.kill),
            Instruction(code: Code.load, value: Offset.number),
        ]
        let allow = Instruction(code: Code.end, value: Action.allow)
        let refuse = Instruction(code: Code.end, value: Action.unknown)
        for call in allowed {
            program += [Instruction(code: Code.isEqual, ifFalse: 1, value: UInt32(call)), allow]
        }
        let ignore = Instruction(code: Code.end, value: Action.ignore)
        for call in ignored {
            program += [Instruction(code: Code.isEqual, ifFalse: 1, value: UInt32(call)), ignore]
        }
        for (call, argument, condition) in conditional {
            let test: Instruction
            switch condition {
            case .equals(let value): test = Instruction(code: Code.isEqual, ifFalse: 1, value: value)
            case .differs(let value): test = Instruction(code: Code.isEqual, ifTrue: 1, value: value)
            case .lacks(let bits): test = Instruction(code: Code.hasBits, ifTrue: 1, value: bits)
            }
            program += [
                Instruction(code: Code.isEqual, ifFalse: 4, value: UInt32(call)),
                Instruction(code: Code.load, value: Offset.argument(argument)), test, allow, refuse,
            ]
        }
        return program + [refuse]
    }()

    /// The filter in a pipe whose other end is closed, for a program that reads it.
    static func pipe() throws -> Descriptor {
        let pipe = try Descriptor.pipe()
        try pipe.write.write(program.flatMap(\.bytes))
        pipe.write.close()
        return pipe.read
    }
}
