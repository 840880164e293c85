import BoardProtocol
import Dispatch
import Glibc
import HILPOSIX
import RadioModel
import Synchronization

/// Runs the agent until its port ends. The port of a virtual board never ends. Call it from the main thread.
///
/// - Parameters:
///   - accessories: The kinds of accessories that an accessory board can be.
///   - channelsInUse: Returns the channels to listen on now, as centre frequencies in MHz; nil if they are not known.
///     Called from any thread.
/// - Throws: The error that prevented its start or ended it. It is also in the journal.
package func runAgent(
    _ options: AgentOptions, accessories: [any AgentAccessory.Type] = [],
    channelsInUse: @escaping @Sendable () -> [Int]?
) throws {
    signal(SIGPIPE, SIG_IGN)
    let journal =
        if let path = options.journal { try Journal(path: path) } else { Journal { try? standardError.write($0) } }
    do {
        try serve(options, journal, accessories, channelsInUse)
    } catch {
        journal.write("\(JournalLine.agentEnds)\(error)", from: "agent")
        journal.flush()
        throw error
    }
}

private let standardError = Descriptor(adopting: 2)

private func serve(
    _ options: AgentOptions, _ journal: Journal, _ accessories: [any AgentAccessory.Type],
    _ channelsInUse: @escaping @Sendable () -> [Int]?
) throws {
    journal.write("starting as \(options.role.rawValue) board", from: "agent")
    if case .device = options.port { watchForCrashes(journal) }
    // The server sends the board's events. Before it exists, there is no client.
    let server = Mutex<AgentServer?>(nil)
    let board = try Board(
        role: options.role, journal: journal, accessories: accessories, interface: options.interface,
        adapter: options.adapter.flatMap { DeviceAddress($0) }, channelsInUse: channelsInUse,
        pass: { frame in server.withLock { $0 }?.pass(frame) },
        emit: { event in server.withLock { $0 }?.tell(event) })
    // The port is opened when all daemons answer, so that a client always finds a ready board.
    try blocking { try await board.start() }
    defer { try? blocking { await board.stop() } }
    let port = try open(options.port)
    let made = AgentServer(role: options.role, journal: journal, handler: board) { port.send($0) }
    server.withLock { $0 = made }
    // The board also works without a shell.
    if let shell = options.shell {
        do { try ShellPort.serve(shell, journal: journal) } catch {
            journal.write("no shell: \(error)", from: "agent")
        }
    }
    tellStandstills { made.tell($0) }
    journal.write("ready", from: "agent")
    try port.run { made.accept($0) }
}

/// Reports, on a separate thread, when this board's system could not run for a while.
private func tellStandstills(_ tell: @escaping @Sendable (BoardEvent) -> Void) {
    // Each tick of an emulated board costs its host a millisecond: it ticks less often than the processes around it.
    let period: UInt64 = 100_000_000
    startThread(named: "ticker") {
        var last = bootTimeNanoseconds()
        while true {
            var pause = timespec(tv_sec: 0, tv_nsec: Int(period))
            _ = nanosleep(&pause, nil)
            let now = bootTimeNanoseconds()
            let due = last + period
            last = now
            if now >= due + TickRecord.leastStandstill { tell(.stood(seconds: Double(now - due) / 1e9)) }
        }
    }
}

/// Makes a virtual board's kernel run our crash handler, and logs reports from before the agent's start.
private func watchForCrashes(_ journal: Journal) {
    for line in CrashHandler.takeReports().flatMap({ $0 }) { journal.write(line, from: Journal.crashes) }
    do { try CrashHandler.install() } catch { journal.write("there will be no crash reports: \(error)", from: "agent") }
}

private func open(_ port: AgentOptions.Port) throws(SystemError) -> AgentPort {
    switch port {
    case .device(let path):
        let device = try Descriptor.open(path, O_RDWR | O_NONBLOCK)
        return try AgentPort(input: device, output: device, outlivesClients: true)
    case .standardStreams:
        return try AgentPort(
            input: Descriptor(adopting: 0), output: Descriptor(adopting: 1), outlivesClients: false,
            // A network may stall in the middle of a frame.
            incompleteMessageLimit: .seconds(20))
    }
}

/// Runs async work and blocks the thread until it ends.
private func blocking(_ body: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Mutex<Result<Void, any Error>>(.success(()))
    let isDone = DispatchSemaphore(value: 0)
    Task {
        do { try await body() } catch { outcome.withLock { $0 = .failure(error) } }
        isDone.signal()
    }
    isDone.wait()
    try outcome.withLock { $0 }.get()
}
