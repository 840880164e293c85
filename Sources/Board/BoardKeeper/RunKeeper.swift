import BoardAgent
import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import Synchronization

/// Holds the board for a runner at the other end of standard input and output, and ends with that connection.
///
/// - Parameters:
///   - program: The path of this program.
///   - loginAddress: The board's address of the login; nil without a login.
///   - isUnit: Whether a service manager has started this process. It then gives the board back if this process is
///     killed.
package func runKeeper(program: String, loginAddress: String?, isUnit: Bool) throws -> Never {
    // systemd would only report that it cannot find the unit, which it could not write.
    if let room = BoardFacts.freeRoom, room < 1_000_000 {
        throw KeeperFailure("its disk is full: /run has \(room / 1000) kB left", remedy: "free some space there")
    }
    if !isUnit, ConflictingServices.hasSystemd, getuid() == 0 { startAsUnit(program, loginAddress) }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGHUP, SIG_IGN)
    guard getuid() == 0 else {
        throw KeeperFailure(
            "it needs root on the board", remedy: "let its user call `sudo -n \(AgentProcess.program)`")
    }
    let (works, continuation) = AsyncStream<Work>.makeStream()
    onSignal([SIGTERM, SIGINT]) { continuation.yield(.end(0)) }
    let port = try AgentPort(
        input: Descriptor(adopting: 0), output: Descriptor(adopting: 1), outlivesClients: false,
        incompleteMessageLimit: KeeperProtocol.patience * 2)
    let keeper = Keeper(port: port, loginAddress: loginAddress) { () throws(KeeperFailure) in try BoardLock.take() }
    Task {
        for await work in works {
            switch work {
            case .call(let call, let id): await keeper.answer(call, id)
            case .agent(let bytes): await keeper.sendToAgent(bytes)
            case .end(let code):
                let problems = await keeper.giveBack()
                for problem in problems { complain("not given back: \(problem)") }
                exit(problems.isEmpty ? code : 1)
            }
        }
    }
    let heartbeat = Heartbeat { continuation.yield(.end(3)) }
    try port.run { event in
        guard case .item(.frame(let frame)) = event else { return }
        heartbeat.beat()
        let heard = Heard(frame)
        if let answer = heard.answer { keeper.send(answer) }
        if let complaint = heard.complaint { complain(complaint) }
        if let work = heard.work { continuation.yield(work) }
    }
    continuation.yield(.end(0))
    while true { pause() }
}

/// Cleans up after a killed keeper, if necessary.
///
/// - Returns: The remaining problems, a sentence each.
package func giveLeftBoardBack() async -> [String] {
    guard BoardLock.holder == nil else { return [] }
    BoardLock.forget()
    return await TakenBoard.left?.giveBack() ?? []
}

enum Work: Sendable {
    case call(KeeperCall, UInt32)
    /// Bytes for the agent.
    case agent([UInt8])
    /// Give the board back, and end with this code.
    case end(Int32)
}

/// What follows from a frame of the runner.
struct Heard {
    /// What is done after everything that was heard before.
    var work: Work?
    /// The answer that is sent at once.
    var answer: Data?
    /// A line for standard error.
    var complaint: String?

    init(_ frame: Frame) {
        switch frame.kind {
        case KeeperProtocol.FrameKind.call:
            switch Answerer<KeeperCall>.read(Data(frame.payload)) {
            // At once, because a reset may take longer than the runner's patience.
            case .call(.beat(let reply), let id):
                answer = Answerer<KeeperCall>.answer(id, .success(reply(wallClockNanoseconds())))
            case .call(let call, let id): work = .call(call, id)
            case .unreadable(let why, let answer): (self.answer, complaint) = (answer, why)
            case .noise: complaint = "a frame of \(frame.payload.count) bytes is no call"
            }
        case KeeperProtocol.FrameKind.agent: work = .agent(frame.payload)
        default: complaint = "a frame has the unknown kind \(frame.kind)"
        }
    }
}

/// Replaces this process by one that systemd watches. It is outside the login session, which may end at any moment. A
/// command gives the board back even if this program is killed.
private func startAsUnit(_ program: String, _ loginAddress: String?) {
    let command =
        [
            "systemd-run", "--quiet", "--pipe", "--wait", "--collect", "--service-type=exec",
            "--description=hil: a run has this board", "--property=ExecStopPost=\(program) give-back",
            "--property=KillMode=control-group", "--property=TimeoutStopSec=60", "--", program, "keep", "--unit",
        ] + (loginAddress.map { [$0] } ?? [])
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    execvp("systemd-run", &arguments)
    // A board without systemd keeps this process.
}

private func complain(_ line: String) { try? Descriptor(adopting: dup(2)).write("hil-board: \(line)\n".utf8) }

/// Notices that the runner has fallen silent.
private final class Heartbeat: Sendable {
    private let last = Mutex(ContinuousClock.now)

    /// - Parameter silent: Called once, after ``KeeperProtocol/patience`` without a message.
    init(_ silent: @escaping @Sendable () -> Void) {
        Task { [self] in
            while true {
                let rest = KeeperProtocol.patience - last.withLock { $0 }.duration(to: .now)
                guard rest > .zero else { return silent() }
                try await ContinuousClock().sleep(for: rest)
            }
        }
    }

    func beat() { last.withLock { $0 = .now } }
}
