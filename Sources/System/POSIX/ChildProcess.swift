import Dispatch
import Glibc
import HILCLinux
import Synchronization

/// How a process ended. A non-zero exit code is a value, not an error.
package enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
    /// It exited with this code.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)

    /// Decodes the status word of `waitpid`.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }

    /// Whether it exited with 0.
    package var isSuccess: Bool { self == .exited(0) }

    package var description: String {
        switch self {
        case .exited(let code): "exited with \(code)"
        case .signalled(let number): "was ended by signal \(number) (\(String(cString: strsignal(number))))"
        }
    }
}

/// A child process. Its owner must end it in every case.
package final class ChildProcess: Sendable {
    /// What a descriptor of the child is connected to.
    package enum Stream: Sendable {
        /// The parent's descriptor of the same number.
        case inherit
        /// `/dev/null`.
        case null
        /// A copy of this descriptor.
        case descriptor(Descriptor)
    }

    /// The signal that the kernel sends to a child when its parent ends for any reason.
    package enum ParentDeath: String, Sendable {
        case kill = "KILL"
        /// For programs that have to clean up before they end.
        case terminate = "TERM"
    }

    private enum State {
        case running([CheckedContinuation<ExitStatus, Never>])
        case ended(ExitStatus, used: Duration)
    }

    /// The process identifier. The kernel does not reuse it before the child was waited for.
    package let pid: pid_t
    /// The program and its arguments, for messages.
    package let arguments: [String]
    private let state = Mutex(State.running([]))

    private init(pid: pid_t, arguments: [String]) {
        self.pid = pid
        self.arguments = arguments
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments. The program is looked up in `PATH`.
    ///   - environment: `NAME=value` strings; nil for the parent's environment.
    ///   - streams: Descriptors 0, 1, 2 and so on of the child, in order. All others are closed.
    ///   - ownGroup: True if the child leads its own process group, so that Ctrl-C does not reach it.
    ///   - atParentDeath: What the kernel does to the child when this process ends; nil lets the child live on.
    package static func spawn(
        _ arguments: [String], environment: [String]? = nil, streams: [Stream] = [.null, .inherit, .inherit],
        ownGroup: Bool = false, atParentDeath: ParentDeath? = nil
    ) throws(SystemError) -> ChildProcess {
        guard let program = find(arguments[0]) else {
            throw SystemError(code: ENOENT, action: "starting \(arguments[0])")
        }
        let command = [program] + arguments.dropFirst()
        let full = atParentDeath.map { tied(command, $0) } ?? command
        let outcome = Mutex<Result<ChildProcess, SystemError>?>(nil)
        let isStarted = DispatchSemaphore(value: 0)
        // The kernel takes the end of the *thread* that started a child for the death of the parent. So the thread that
        // waits for the child also starts it: then neither ends before the other.
        startThread(named: "child") {
            do throws(SystemError) {
                let pid = try start(full, for: arguments[0], environment, streams, ownGroup: ownGroup)
                let child = ChildProcess(pid: pid, arguments: arguments)
                outcome.withLock { $0 = .success(child) }
                isStarted.signal()
                child.reap()
            } catch {
                outcome.withLock { $0 = .failure(error) }
                isStarted.signal()
            }
        }
        isStarted.wait()
        return try outcome.withLock { $0! }.get()  // it was set before the signal
    }

    /// The path of a program, looked up in `PATH` unless it is a path already; nil if it cannot be started.
    private static func find(_ program: String) -> String? {
        guard !program.contains("/") else { return access(program, X_OK) == 0 ? program : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// A command line that makes the kernel send the program a signal when this process ends.
    static func tied(_ command: [String], _ death: ParentDeath) -> [String] {
        // If the parent dies before the kernel was asked, no signal comes: so the child checks its parent first.
        let check = "[ $PPID = \(getpid()) ] && exec \"$@\""
        return ["setpriv", "--pdeathsig", death.rawValue, "--", "sh", "-c", check, "sh"] + command
    }

    private static func start(
        _ command: [String], for name: String, _ environment: [String]?, _ streams: [Stream], ownGroup: Bool
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try connect(streams, for: name, &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(&attributes, ownGroup: ownGroup)
        var pid: pid_t = 0
        let code = withCStrings(command) { arguments in
            guard let environment = OwnEnvironment.environment(of: environment) else {
                return posix_spawnp(&pid, command[0], &actions, &attributes, arguments, environ)
            }
            return withCStrings(environment) {
                posix_spawnp(&pid, command[0], &actions, &attributes, arguments, $0)
            }
        }
        guard code == 0 else { throw SystemError(code: code, action: "starting \(name)") }
        return pid
    }

    /// Connects the child's descriptors to their sources, and closes all others.
    private static func connect(
        _ streams: [Stream], for name: String, _ actions: inout posix_spawn_file_actions_t
    ) throws(SystemError) {
        func add(_ code: Int32) throws(SystemError) {
            if code != 0 { throw SystemError(code: code, action: "connecting the input and output of \(name)") }
        }
        let sources = streams.map { stream -> Int32? in
            if case .descriptor(let source) = stream { source.raw } else { nil }
        }
        // Copy to other numbers first, so that no source is overwritten before it is copied.
        let copies = copies(of: sources)
        for case (let source?, let copy?) in zip(sources, copies) {
            try add(posix_spawn_file_actions_adddup2(&actions, source, copy))
        }
        for (index, stream) in streams.enumerated() {
            switch stream {
            case .inherit: break
            case .null: try add(posix_spawn_file_actions_addopen(&actions, Int32(index), "/dev/null", O_RDWR, 0))
            case .descriptor: try add(posix_spawn_file_actions_adddup2(&actions, copies[index]!, Int32(index)))
            }
        }
        try add(posix_spawn_file_actions_addclosefrom_np(&actions, Int32(streams.count)))
    }

    /// For each source a number that is neither a target nor a source. They are as low as possible, because a process
    /// may be allowed only a few.
    static func copies(of sources: [Int32?]) -> [Int32?] {
        var free = Int32(sources.count)
        return sources.map { source in
            guard source != nil else { return nil }
            while sources.contains(free) { free += 1 }
            defer { free += 1 }
            return free
        }
    }

    /// Waits for the end of the process. It may be called several times.
    package func wait() async -> ExitStatus {
        await withCheckedContinuation { continuation in
            let ended: ExitStatus? = state.withLock { state in
                switch state {
                case .ended(let status, _): return status
                case .running(let waiting):
                    state = .running(waiting + [continuation])
                    return nil
                }
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// How the process ended; nil while it runs.
    package var status: ExitStatus? {
        state.withLock { if case .ended(let status, _) = $0 { status } else { nil } }
    }

    /// The processor time of the process and of its children that it has waited for; nil while it runs.
    package var processorTime: Duration? {
        state.withLock { if case .ended(_, let used) = $0 { used } else { nil } }
    }

    /// Sends a signal, to the whole process group if `group` is true. Does nothing after the process has ended.
    package func signal(_ number: Int32, group: Bool = false) {
        state.withLock { if case .running = $0 { _ = Glibc.kill(group ? -pid : pid, number) } }
    }

    private func reap() {
        var word: Int32 = 0
        // Wait without reaping first: the identifier must not be reused while `signal` may still use it.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        let waiting = state.withLock { state in
            var usage = rusage()
            while wait4(pid, &word, 0, &usage) == -1, errno == EINTR {}
            guard case .running(let waiting) = state else { return [CheckedContinuation<ExitStatus, Never>]() }
            state = .ended(ExitStatus(waitStatus: word), used: usage.processorTime)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: ExitStatus(waitStatus: word)) }
    }

    /// Starts the child with no signal blocked and with default signal actions, whatever its parent has set.
    private static func setSignals(_ attributes: inout posix_spawnattr_t, ownGroup: Bool) {
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigemptyset(&all)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT] { sigaddset(&all, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        if ownGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= Int16(POSIX_SPAWN_SETPGROUP)
        }
        posix_spawnattr_setflags(&attributes, flags)
    }
}

extension rusage {
    /// The time in programs and in the kernel for them.
    package var processorTime: Duration {
        .seconds(ru_utime.tv_sec + ru_stime.tv_sec) + .microseconds(ru_utime.tv_usec + ru_stime.tv_usec)
    }

    /// The usage of this process so far, with all its threads.
    package static var ofThisProcess: rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
}
