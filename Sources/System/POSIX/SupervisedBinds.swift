import Glibc
import HILCBindSupervision

/// The calls of bind(2) of other processes, which wait for an answer: seccomp(2), “SECCOMP_RET_USER_NOTIF”.
///
/// It does not stop an attacker: the arguments of a waiting thread may change before the kernel reads them.
package struct SupervisedBinds: Sendable {
    private let listener: Descriptor

    /// - Parameter listener: From ``begin()`` of the process that is supervised.
    package init(_ listener: Descriptor) { self.listener = listener }

    /// From here on, this process and all its descendants wait in each bind for the holder of the descriptor.
    ///
    /// - Throws: ``SystemError``: `EINVAL` if the kernel does not support this, `EACCES` without the permission.
    package static func begin() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try valueOrErrno("seccomp", "asking to be supervised") { supervise_binds() })
    }

    /// A call that waits.
    package struct Call: Sendable {
        fileprivate let raw: waiting_bind
        /// The process that calls.
        package let process: pid_t

        /// Nil if the caller has ended meanwhile.
        fileprivate init?(_ raw: waiting_bind) {
            guard let process = Call.process(of: raw.thread) else { return nil }
            (self.raw, self.process) = (raw, process)
        }

        /// The name to bind to, at most 128 bytes of it; empty if it cannot be read.
        package var name: [UInt8] {
            guard let file = try? Descriptor.open("/proc/\(process)/mem", O_RDONLY) else { return [] }
            return [UInt8](unsafeUninitializedCapacity: Int(min(raw.length, 128))) { buffer, count in
                count = max(
                    0, pread(file.raw, buffer.baseAddress, buffer.count, off_t(truncatingIfNeeded: raw.address)))
            }
        }

        /// The socket.
        package func socket() throws(SystemError) -> Descriptor { try Descriptor.copy(of: raw.socket, in: process) }

        /// Whether the caller may administer the network (capabilities(7), `CAP_NET_ADMIN`).
        package var mayAdministerNetwork: Bool {
            let effective = Call.field("CapEff:", of: "/proc/\(process)/status").flatMap { UInt64($0, radix: 16) }
            return (effective ?? 0) & 1 << 12 != 0
        }

        /// The flags of the caller's descriptor, as in open(2).
        fileprivate var flags: Int32 {
            Call.field("flags:", of: "/proc/\(process)/fdinfo/\(raw.socket)").flatMap { Int32($0, radix: 8) }
                ?? O_CLOEXEC
        }

        private static func process(of thread: pid_t) -> pid_t? {
            field("Tgid:", of: "/proc/\(thread)/status").flatMap { pid_t($0) }
        }

        /// The last word of a line in a kernel file.
        private static func field(_ name: String, of path: String) -> Substring? {
            KernelFile.text(path).split(separator: "\n")
                .first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace).last
        }
    }

    /// The result of a call.
    package enum Answer: Sendable {
        /// The kernel carries it out.
        case goesOn
        /// It returns with success and changes nothing.
        case done
        /// It returns with success, and this descriptor replaces the caller's socket and keeps its flags.
        case replaced(Descriptor)
        /// It fails with this errno.
        case fails(Int32)
    }

    /// Answers all calls, one after another. Returns when the last supervised process has ended.
    package func serve(_ answer: (Call) -> Answer) {
        var wait = pollfd(fd: listener.raw, events: Int16(POLLIN), revents: 0)
        while true {
            wait.revents = 0
            if poll(&wait, 1, -1) == -1 { if errno == EINTR { continue } else { return } }
            guard wait.revents & Int16(POLLIN) != 0 else { return }
            var raw = waiting_bind()
            // An error means that the thread has ended meanwhile, here and below.
            guard next_bind(listener.raw, &raw) == 0 else { continue }
            let call = Call(raw)
            switch call.map(answer) ?? .goesOn {
            case .replaced(let descriptor):
                let code = call.map { replaceSocket(of: $0, with: descriptor) } ?? 0
                _ = answer_bind(listener.raw, raw.id, 0, code)
            case .goesOn: _ = answer_bind(listener.raw, raw.id, 1, 0)
            case .done: _ = answer_bind(listener.raw, raw.id, 0, 0)
            case .fails(let code): _ = answer_bind(listener.raw, raw.id, 0, code)
            }
        }
    }

    /// - Returns: 0, or the error.
    private func replaceSocket(of call: Call, with descriptor: Descriptor) -> Int32 {
        let flags = call.flags
        do throws(SystemError) {
            if flags & O_NONBLOCK != 0 { try descriptor.setNonBlocking() }
            try valueOrErrno("ioctl", "giving process \(call.process) another socket") {
                withUnsafePointer(to: call.raw) {
                    replace_socket(listener.raw, $0, descriptor.raw, UInt32(flags & O_CLOEXEC))
                }
            }
            return 0
        } catch { return error.code }
    }
}

extension Descriptor {
    /// A copy of another process's descriptor (pidfd_getfd(2)).
    package static func copy(of number: Int32, in process: pid_t) throws(SystemError) -> Descriptor {
        Descriptor(
            adopting: try valueOrErrno("pidfd_getfd", "taking descriptor \(number) of process \(process)") {
                copy_descriptor(process, number)
            })
    }

    /// Lets a socket receive only packets with one of these 16-bit numbers at an offset, or only others (socket(7),
    /// `SO_ATTACH_FILTER`). A packet that is too short is not received.
    ///
    /// - Parameters:
    ///   - numbers: In the order of a little-endian packet; at most 200.
    ///   - areTaken: True to receive packets with these numbers, false to receive all others.
    package func filterPackets(by numbers: [UInt16], at offset: Int, areTaken: Bool) throws(SystemError) {
        var program = Descriptor.filter(numbers, at: offset, areTaken: areTaken)
        try valueOrErrno("setsockopt", "filtering the packets of a socket") {
            attach_filter(raw, &program, UInt16(program.count))
        }
    }

    /// A program of the kernel's packet filter (`Documentation/networking/filter.rst`): returns how many bytes to take.
    private static func filter(_ numbers: [UInt16], at offset: Int, areTaken: Bool) -> [sock_filter] {
        let load = sock_filter(code: UInt16(BPF_LD | BPF_H | BPF_ABS), jt: 0, jf: 0, k: UInt32(offset))
        let comparisons = numbers.enumerated().map { index, number in
            // A load is big-endian. A match jumps over the remaining comparisons and the answer for all other packets.
            sock_filter(
                code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: UInt8(numbers.count - index), jf: 0,
                k: UInt32(number.byteSwapped))
        }
        let answers = [!areTaken, areTaken].map {
            sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: $0 ? .max : 0)
        }
        return [load] + comparisons + answers
    }
}
