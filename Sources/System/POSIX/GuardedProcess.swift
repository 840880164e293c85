import Glibc
import Synchronization

/// A program with a guard: it ends with this process at the latest, together with all processes that it started.
///
/// It leads its own process group.
package final class GuardedProcess: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        /// - Parameter wasAsked: Whether ``GuardedProcess/stop(within:)`` was called before.
        case ended(ExitStatus, wasAsked: Bool)
        /// The guard ended first, and the program was killed.
        case guardLost
    }

    /// A report of the guard: one line.
    enum Report: Sendable, Equatable {
        case started(pid_t)
        /// The program could not be started.
        case failed(code: Int32, while: String)
        case ended(ExitStatus, wasAsked: Bool)

        var line: String {
            switch self {
            case .started(let pid): "started \(pid)"
            case .failed(let code, let action): "failed \(code) \(action)"
            case .ended(.exited(let code), let wasAsked): "ended \(wasAsked) exited \(code)"
            case .ended(.signalled(let number), let wasAsked): "ended \(wasAsked) signalled \(number)"
            }
        }

        /// Nil for any other line.
        init?(_ line: String) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            switch words.first {
            case "started" where words.count == 2:
                guard let pid = pid_t(words[1]), pid > 1 else { return nil }
                self = .started(pid)
            case "failed" where words.count > 2:
                guard let code = Int32(words[1]) else { return nil }
                self = .failed(code: code, while: words.dropFirst(2).joined(separator: " "))
            case "ended" where words.count == 4:
                guard let wasAsked = Bool(words[1]), let number = Int32(words[3]) else { return nil }
                switch words[2] {
                case "exited": self = .ended(.exited(number), wasAsked: wasAsked)
                case "signalled": self = .ended(.signalled(number), wasAsked: wasAsked)
                default: return nil
                }
            default: return nil
            }
        }
    }

    private struct State {
        var ending: Ending?
        var waiting: [CheckedContinuation<Ending, Never>] = []
    }

    /// The running program as a guard, even if its file was replaced. It must know ``ProcessGuard/subcommand``.
    package static var ownProgram: String { "/proc/\(getpid())/exe" }

    /// The process identifier of the program, which is also the number of its process group.
    package let pid: pid_t
    private let orders: Descriptor
    private let state = Mutex(State())

    /// Starts a program under a guard. It blocks until the guard has started it, some milliseconds.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments. The program is looked up in `PATH`, unless it is a path; a
    ///     relative path counts from `folder`.
    ///   - environment: `NAME=value` strings; nil for this process's environment.
    ///   - folder: The working folder of the program.
    ///   - streams: Standard input, output and error of the program.
    ///   - guardProgram: A program whose first argument ``ProcessGuard/subcommand`` makes it run ``ProcessGuard``.
    /// - Throws: ``SystemError`` if the program cannot be started, or its folder cannot be entered.
    package static func start(
        _ arguments: [String], environment: [String]? = nil, in folder: String,
        streams: (input: Descriptor, output: Descriptor, errors: Descriptor), guardProgram: String
    ) throws(SystemError) -> GuardedProcess {
        let (orders, reports) = (try Descriptor.pipe(), try Descriptor.pipe())
        let process = try ChildProcess.spawn(
            [guardProgram, ProcessGuard.subcommand, folder] + arguments, environment: environment,
            streams: [
                .descriptor(orders.read), .descriptor(reports.write), .inherit, .descriptor(streams.input),
                .descriptor(streams.output), .descriptor(streams.errors),
            ], ownGroup: true)
        orders.read.close()
        reports.write.close()
        var lines = ReportLines(reports.read)
        switch lines.next() {
        case .started(let pid):
            return GuardedProcess(pid: pid, guardProgram: process, orders: orders.write, reports: lines)
        case .failed(let code, let action): throw SystemError(code: code, action: action)
        case .ended, nil:
            throw SystemError(code: ECHILD, action: "starting \(arguments[0]): its guardProgram has ended")
        }
    }

    private init(pid: pid_t, guardProgram: ChildProcess, orders: Descriptor, reports: ReportLines) {
        self.pid = pid
        self.orders = orders
        startThread(named: "guard") { [weak self] in
            var reports = reports
            var ending = Ending.guardLost
            if case .ended(let status, let wasAsked)? = reports.next() {
                ending = .ended(status, wasAsked: wasAsked)
            } else {
                // The program itself ends with its guard; this reaches the others of its group.
                kill(-pid, SIGKILL)
            }
            withExtendedLifetime(guardProgram) { self?.end(ending) }
        }
    }

    /// Without an owner, the program is killed.
    deinit { orders.close() }

    /// Asks the program to end, with SIGTERM. It is killed if it still runs after `grace`. Does not wait.
    package func stop(within grace: Duration) {
        let milliseconds = max(
            0, grace.components.seconds * 1000 + grace.components.attoseconds / 1_000_000_000_000_000)
        // An error means that the guard has ended already.
        try? orders.write(Array("stop \(milliseconds)\n".utf8))
    }

    /// Waits until the program has ended, with all that it started. It may be called several times.
    package func wait() async -> Ending {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> Ending? in
                if state.ending == nil { state.waiting.append(continuation) }
                return state.ending
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// How the program ended; nil while it runs.
    package var ending: Ending? { state.withLock { $0.ending } }

    private func end(_ ending: Ending) {
        let waiting = state.withLock { state in
            state.ending = ending
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: ending) }
    }
}

/// Reads a guard's reports. Other lines are left out.
private struct ReportLines: Sendable {
    private let descriptor: Descriptor
    private var pending: [UInt8] = []

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// The next report; nil at the end.
    mutating func next() -> GuardedProcess.Report? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                if let report = GuardedProcess.Report(line) { return report }
                continue
            }
            guard let bytes = try? descriptor.read(upTo: 4096), !bytes.isEmpty else { return nil }
            pending += bytes
        }
    }
}
