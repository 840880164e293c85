import Glibc
import HILCLinux
import HILPOSIX
import Testing

@testable import VirtualRig

@Suite("The system calls of a native board's processes")
struct SystemCallFilterTests {
    /// What the kernel does with a call: an interpreter of the instructions that the filter has.
    private func action(
        _ call: Int32, _ arguments: [UInt32] = [], architecture: UInt32 = 0xc000_003e
    ) throws -> UInt32 {
        var data = [UInt32](repeating: 0, count: 16)
        data[0] = UInt32(call)
        data[1] = architecture
        for (index, argument) in arguments.enumerated() { data[4 + 2 * index] = argument }
        var (accumulator, place) = (UInt32(0), 0)
        while place < SystemCallFilter.program.count {
            let instruction = SystemCallFilter.program[place]
            func skip(_ holds: Bool) { place += Int(holds ? instruction.ifTrue : instruction.ifFalse) }
            switch instruction.code {
            case 0x20: accumulator = data[Int(instruction.value) / 4]
            case 0x15: skip(accumulator == instruction.value)
            case 0x45: skip(accumulator & instruction.value != 0)
            case 0x06: return instruction.value
            default: Issue.record("unknown instruction \(instruction)")
            }
            place += 1
        }
        throw SystemError(code: EINVAL, action: "running a filter without an end")
    }

    private let allow: UInt32 = 0x7fff_0000
    private let unknown = 0x0005_0000 | UInt32(ENOSYS)

    @Test("What Linux needs is allowed", arguments: [SYS_read, SYS_mmap, SYS_ptrace, SYS_futex, SYS_memfd_create])
    func allowed(call: Int32) throws { #expect(try action(call) == allow) }

    @Test("A board's flush succeeds without a flush of this machine", arguments: [SYS_fsync, SYS_fdatasync])
    func ignored(call: Int32) throws {
        // SECCOMP_RET_ERRNO with the number 0.
        #expect(try action(call) == 0x0005_0000)
    }

    @Test(
        "What changes the machine, other processes or the sandbox does not exist",
        arguments: [
            SYS_mount, SYS_umount2, SYS_unshare, SYS_setns, SYS_bpf, SYS_keyctl, SYS_perf_event_open, SYS_init_module,
            SYS_process_vm_writev, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_setpriority, SYS_clone3,
            SYS_io_uring_setup, SYS_userfaultfd, SYS_bind, SYS_listen, SYS_accept4, 0x4000_0000,
        ])
    func refused(call: Int32) throws { #expect(try action(call) == unknown) }

    @Test("Processes are allowed, but no name spaces; and of sockets those of this machine")
    func conditions() throws {
        #expect(try action(SYS_clone, [0x0000_0400 | UInt32(SIGCHLD)]) == allow)
        for flag: UInt32 in [0x0002_0000, 0x0200_0000, 0x1000_0000, 0x4000_0000] {
            #expect(try action(SYS_clone, [flag | UInt32(SIGCHLD)]) == unknown, "\(flag)")
        }
        #expect(try action(SYS_socket, [UInt32(AF_UNIX)]) == allow)
        #expect(try action(SYS_socket, [UInt32(AF_INET)]) == unknown)
        #expect(try action(SYS_ioctl, [0, UInt32(TCGETS)]) == allow)
        #expect(try action(SYS_ioctl, [0, UInt32(TIOCSTI)]) == unknown)
    }

    @Test("A call by the numbers of another processor ends the process")
    func architecture() throws { #expect(try action(SYS_read, architecture: 0x4000_0003) == 0x8000_0000) }

    @Test("The pipe has the program, 8 bytes for each instruction, and then its end")
    func pipe() throws {
        let pipe = try SystemCallFilter.pipe()
        var bytes: [UInt8] = []
        while case let more = try pipe.read(), !more.isEmpty { bytes += more }
        #expect(bytes.count == 8 * SystemCallFilter.program.count)
        #expect(bytes.prefix(8) == [0x20, 0, 0, 0, 4, 0, 0, 0])
    }
}
