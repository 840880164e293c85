import BoardProtocol
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import Synchronization

/// One run of an accessory's program: the process, its pipes, and the fence around all its descendants.
final class ProgramProcess: Sendable {
    /// How long to wait for output that processes of the program have written just before they were killed.
    private static let outputLimit = Duration.seconds(1)

    private struct Output {
        var budget = OutputBudget()
        var isOver = false
    }

    private let child: ChildProcess
    private let fence: ProcessFence?
    private let input: Descriptor
    private let output = Mutex(Output())
    private let isStopping = Mutex(false)
    private let isOver = Mutex(false)
    private let exits = EventLog<ProgramExit>()
    private let tell: @Sendable ([ProgramLine]) -> Void
    /// Keeps writes to standard input in order, one at a time.
    private let inputGate = Gate()

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - entrance: The entrance to the compartment of its adapter; nil for the board itself.
    ///   - tell: Called with lines to report, in order, from any thread.
    ///   - ended: Called once, after the last line.
    init(
        _ command: ProgramCommand, in fence: ProcessFence?, through entrance: CompartmentEntrance? = nil,
        tell: @escaping @Sendable ([ProgramLine]) -> Void,
        ended: @escaping @Sendable (ProgramExit, _ wasAsked: Bool) -> Void
    ) throws(SystemError) {
        let (typed, printed, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
        let further = try entrance.map { entrance throws(SystemError) in [try entrance.makeSupervisor().socket] } ?? []
        child = try ChildProcess.spawn(
            command.spawned(in: fence, through: entrance), environment: command.environment,
            streams: ([typed.read, printed.write, errors.write] + further).map { .descriptor($0) }, ownGroup: true)
        for end in [typed.read, printed.write, errors.write] + further { end.close() }
        self.fence = fence
        self.tell = tell
        input = typed.write
        try input.setNonBlocking()
        let closed = EventLog<Void>()
        for (pipe, source) in [(printed.read, ProgramLine.Source.output), (errors.read, .errors)] {
            startThread(named: "program") { [self] in
                read(pipe, as: source)
                closed.append(())
            }
        }
        Task { [self] in
            let exit = ProgramExit(await child.wait())
            let wasAsked = isStopping.withLock { $0 }
            await killTheRest()
            _ = try? await closed.first(from: 1, within: Self.outputLimit, waitingFor: "the end of the output")
            finishOutput(CrashHandler.takeReports(of: child.pid).flatMap { $0 })
            // A client that learns of the end may start the next program.
            isOver.withLock { $0 = true }
            ended(exit, wasAsked)
            exits.append(exit)
        }
    }

    /// Whether it or one of its descendants still runs.
    var isRunning: Bool { !isOver.withLock { $0 } }

    // MARK: Output

    private func read(_ pipe: Descriptor, as source: ProgramLine.Source) {
        var lines = ProgramLines()
        while let bytes = try? pipe.read(), !bytes.isEmpty { report(lines.push(bytes), source) }
        report([lines.finish()].compactMap { $0 }, source)
    }

    private func report(_ texts: [String], _ source: ProgramLine.Source) {
        guard !texts.isEmpty else { return }
        output.withLock { output in
            // A process that outlives the program may still print. That output is not awaited.
            guard !output.isOver else { return }
            let now = Duration.nanoseconds(Int64(clamping: monotonicNanoseconds()))
            let lines = output.budget.take(texts.map { ProgramLine($0, from: source) }, at: now)
            if !lines.isEmpty { tell(lines) }
        }
    }

    /// - Parameter report: The report of the kernel's crash handler on the program.
    private func finishOutput(_ report: [String]) {
        output.withLock { output in
            let last = [output.budget.finish()].compactMap { $0 } + report.map { ProgramLine($0, from: .board) }
            if !last.isEmpty { tell(last) }
            output.isOver = true
        }
    }

    // MARK: Input

    /// Writes to its standard input. Returns when the pipe has taken everything.
    ///
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if it has ended, has closed its standard input, or does not read
    ///   it in time.
    func write(_ bytes: [UInt8], within limit: Duration) async throws {
        await inputGate.enter()
        defer { inputGate.leave() }
        do {
            try await withDeadline(limit, waitingFor: "the program to read its standard input") { [input] in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { Glibc.write(input.raw, $0.baseAddress, $0.count) }
                    if count > 0 { rest = rest.dropFirst(count) }
                    guard count == -1, errno != EINTR else { continue }
                    guard errno == EAGAIN else {
                        throw RadioError.invalid(
                            "the program does not take input: it has ended, or closed its standard input")
                    }
                    try await waitUntilReady(input, for: POLLOUT)
                }
            }
        } catch is TimedOut {
            throw RadioError.invalid("the program did not read its standard input within \(limit.short)")
        }
    }

    // MARK: End

    /// Ends it: asks its process group first, and kills everything after `grace`.
    ///
    /// - Returns: How the program ended, perhaps before this call.
    func stop(grace: Duration) async -> ProgramExit {
        isStopping.withLock { $0 = true }
        if grace > .zero {
            child.signal(SIGTERM, group: true)
            // A stopped process does not see the signal before it continues.
            child.signal(SIGCONT, group: true)
            _ = try? await exits.first(within: grace, waitingFor: "the program to end")
        }
        child.signal(SIGKILL, group: true)
        let exit = ProgramExit(await child.wait())
        return (try? await exits.first(within: .seconds(10), waitingFor: "the program's processes to end").event)
            ?? exit
    }

    /// Kills the processes that the program has left behind.
    private func killTheRest() async {
        // Without a fence, only the processes of its own group are known.
        guard let fence else { return _ = kill(-child.pid, SIGKILL) }
        await fence.killAll()
    }
}

/// The time since boot in nanoseconds.
private func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
