import Glibc
import HILCLinux
import HILPOSIX
import Testing

@testable import VirtualRig

@Suite("The system calls of a native board's processes")
struct SystemCallFilterTests {
    /// An instruction of the kernel's packet filter (`struct sock_filter`).
    private struct Instruction {
        let code: UInt16
        let ifTrue, ifFalse: Int
        let value: UInt32

        init(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes)
            code = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
            (ifTrue, ifFalse) = (Int(bytes[2]), Int(bytes[3]))
            value = bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private let program: [Instruction]

    init() throws {
        let pipe = try SystemCallFilter.pipe()
        var bytes: [UInt8] = []
        while case let more = try pipe.read(), !more.isEmpty { bytes += more }
        try #require(!bytes.isEmpty && bytes.count % 8 == 0)
        program = stride(from: 0, to: bytes.count, by: 8).map { Instruction(bytes[$0..<$0 + 8]) }
    }

    /// What the kernel does with a call: an interpreter of the instructions that the filter has.
    private func action(
        _ call: Int32, _ arguments: [UInt64] = [], architecture: UInt32 = 0xc000_003e
    ) throws -> UInt32 {
        var data = [UInt32(bitPattern: call), architecture, 0, 0]
        for argument in arguments + [UInt64](repeating: 0, count: 6 - arguments.count) {
            data += [UInt32(truncatingIfNeeded: argument), UInt32(argument >> 32)]
        }
        var (accumulator, place) = (UInt32(0), 0)
        while place < program.count {
            let instruction = program[place]
            func skip(_ holds: Bool) { place += holds ? instruction.ifTrue : instruction.ifFalse }
            switch instruction.code {
            case 0x20: accumulator = data[Int(instruction.value) / 4]
            case 0x54: accumulator &= instruction.value
            case 0x05: place += Int(instruction.value)
            case 0x15: skip(accumulator == instruction.value)
            case 0x25: skip(accumulator > instruction.value)
            case 0x35: skip(accumulator >= instruction.value)
            case 0x06: return instruction.value
            default: Issue.record("unknown instruction \(instruction)")
            }
            place += 1
        }
        throw SystemError(code: EINVAL, action: "running a filter without an end")
    }

    private let allow: UInt32 = 0x7fff_0000
    private let unknown = 0x0005_0000 | UInt32(ENOSYS)
    private let kill: UInt32 = 0x8000_0000

    @Test("What Linux needs is allowed, whatever the arguments", arguments: SystemCallFilter.allowed)
    func allowed(call: Int32) throws {
        #expect(try action(call) == allow)
        #expect(try action(call, [UInt64](repeating: .max, count: 6)) == allow)
    }

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
            SYS_io_uring_setup, SYS_userfaultfd, SYS_bind, SYS_listen, SYS_accept4, 0x3FFF_FFFF,
        ])
    func refused(call: Int32) throws { #expect(try action(call) == unknown) }

    @Test(
        "Processes are allowed, but no name spaces; and of sockets those of this machine",
        arguments: [UInt64(0), 1 << 32, 0xFFFF_FFFF << 32])
    func conditions(upperHalf: UInt64) throws {
        #expect(try action(SYS_clone, [upperHalf | 0x0000_0400 | UInt64(SIGCHLD)]) == allow)
        for flag: UInt64 in [0x0002_0000, 0x0200_0000, 0x1000_0000, 0x4000_0000] {
            #expect(try action(SYS_clone, [upperHalf | flag | UInt64(SIGCHLD)]) == unknown, "\(flag)")
        }
        #expect(try action(SYS_socket, [upperHalf | UInt64(AF_UNIX)]) == allow)
        #expect(try action(SYS_socket, [upperHalf | UInt64(AF_INET)]) == unknown)
        #expect(try action(SYS_ioctl, [0, upperHalf | UInt64(TCGETS)]) == allow)
        #expect(try action(SYS_ioctl, [0, upperHalf | UInt64(TIOCSTI)]) == unknown)
        for bit in 0..<32 {
            #expect(try action(SYS_ioctl, [0, upperHalf | UInt64(TIOCSTI) ^ 1 << UInt64(bit)]) == allow, "\(bit)")
        }
    }

    @Test("A call by the numbers of another processor, or of x32, ends the process")
    func architecture() throws {
        #expect(try action(SYS_read, architecture: 0x4000_0003) == kill)
        #expect(try action(0x4000_0000 | SYS_read) == kill)
    }
}
