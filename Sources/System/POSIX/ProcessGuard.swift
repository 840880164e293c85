import Dispatch
import Glibc
import HILCLinux
import Synchronization

/// The code of a guard: a process that starts one program, and ends it and all that it started when its owner ends.
///
/// A killed process cannot clean up, and the kernel's own signal at the end of a parent reaches only the program itself.
/// A guard reads its owner's end from descriptor 0, which the kernel closes in every case.
///
/// | descriptor | use |
/// |---|---|
/// | 0 | the owner's orders, in lines: `stop MILLISECONDS`; at its end everything is killed at once |
/// | 1 | the reports, in lines: ``GuardedProcess/Report`` |
/// | 3, 4, 5 | standard input, output and error of the program |
package enum ProcessGuard {
    /// The hidden subcommand of a program that can be a guard.
    package static let subcommand = "guard"

    private static let orders = Descriptor(adopting: 0)
    private static let reports = Descriptor(adopting: 1)

    /// Starts the program, and ends this process after it.
    ///
    /// - Parameter arguments: The working folder of the program, then the program and its arguments.
    package static func run(_ arguments: [String]) -> Never {
        signal(SIGPIPE, SIG_IGN)
        // Descendants whose parent has ended become children of this process, so that all can be found.
        _ = adopt_orphaned_descendants()
        let child: ChildProcess
        do throws(SystemError) { child = try start(arguments) } catch {
            tell(.failed(code: error.code, while: error.action))
            _exit(0)
        }
        tell(.started(child.pid))
        let wasAsked = Atomic(false)
        startThread(named: "orders") {
            var line: [UInt8] = []
            while let bytes = try? orders.read(), !bytes.isEmpty {
                for byte in bytes {
                    guard byte == UInt8(ascii: "\n") else {
                        line.append(byte)
                        continue
                    }
                    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
                    line = []
                    guard words.first == "stop", words.count == 2, let grace = Int(words[1]) else { continue }
                    wasAsked.store(true, ordering: .relaxed)
                    child.signal(SIGTERM, group: true)
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(grace)) {
                        child.signal(SIGKILL, group: true)
                    }
                }
            }
            child.signal(SIGKILL, group: true)
            killDescendants()
            _exit(0)
        }
        Task {
            let status = await child.wait()
            kill(-child.pid, SIGKILL)
            killDescendants()
            tell(.ended(status, wasAsked: wasAsked.load(ordering: .relaxed)))
            _exit(0)
        }
        while true { pause() }
    }

    private static func start(_ arguments: [String]) throws(SystemError) -> ChildProcess {
        guard arguments.count > 1 else { throw SystemError(code: EINVAL, action: "starting no program") }
        try valueOrErrno("chdir", "entering the working folder \(arguments[0])") { chdir(arguments[0]) }
        let streams = (3...5).map { Descriptor(adopting: $0) }
        defer { for stream in streams { stream.close() } }
        return try ChildProcess.spawn(
            Array(arguments.dropFirst()), streams: streams.map { .descriptor($0) }, ownGroup: true,
            atParentDeath: .kill)
    }

    /// Kills all processes that the program has left behind. Each may have children, which then become ours.
    private static func killDescendants() {
        // A process that the kernel holds up does not end: the number of rounds is limited.
        for _ in 0..<1000 {
            let children = children()
            guard !children.isEmpty else { return }
            for child in children { kill(child, SIGKILL) }
            for child in children { waitpid(child, nil, 0) }
        }
    }

    /// The processes whose parent is this one, by the kernel's lists for each thread (proc_tid_children(5)).
    private static func children() -> [pid_t] {
        threads().flatMap { thread in
            KernelFile.text("/proc/self/task/\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    private static func tell(_ report: GuardedProcess.Report) { try? reports.write(Array("\(report.line)\n".utf8)) }
}
