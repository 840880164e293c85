import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// Stands in for the agent of a board whose power is off, until a command needs the board. Then it switches the board
/// on, and passes everything on between the runner and the board's own agent.
final class SleepingBoard: Sendable {
    /// Switches the board on, and makes it ready for a scenario, with deadlines of its own.
    ///
    /// - Returns: A new connection to its agent, which is not greeted.
    typealias Wake = @Sendable () async throws -> Descriptor

    private let role: BoardRole
    /// The agent's end of the conversation with the runner.
    private let runner: Descriptor
    private let wake: Wake

    private init(_ role: BoardRole, _ runner: Descriptor, wake: @escaping Wake) {
        (self.role, self.runner, self.wake) = (role, runner, wake)
    }

    /// - Returns: A client that is greeted. Its first command that needs the board lasts until the board is up.
    static func connect(_ role: BoardRole, wake: @escaping Wake) async throws -> BoardClient {
        let (ours, theirs) = try UnixSocket.pair()
        let board = SleepingBoard(role, theirs, wake: wake)
        startThread(named: "asleep-\(role.rawValue)") { board.standIn() }
        let client = BoardClient(ours, role: role)
        try await client.greet()
        return client
    }

    /// Answers what a board without power can answer, until a command needs it.
    private func standIn() {
        var reader = FrameReader()
        var agent: Descriptor?
        while let bytes = try? runner.read(), !bytes.isEmpty {
            for case .frame(let frame) in reader.push(bytes) {
                if let agent {
                    try? agent.write(frame.bytes)
                } else if frame.kind == BoardProtocol.FrameKind.call {
                    agent = take(frame)
                }
            }
        }
        agent?.shutDown()
    }

    /// Answers a call, or wakes the board for it.
    ///
    /// - Returns: The connection to the agent, if the board is awake now.
    private func take(_ frame: Frame) -> Descriptor? {
        let id: UInt32
        switch Answerer<BoardCall>.read(Data(frame.payload)) {
        case .call(let call, let number):
            if let answer = SleepingBoard.answer(to: call, of: role) {
                send(Answerer<BoardCall>.answer(number, .success(answer)))
                return nil
            }
            id = number
        case .unreadable(_, let answer):
            send(answer)
            return nil
        case .noise: return nil
        }
        do {
            let began = ContinuousClock.now
            let agent = try awaken()
            tell(.woke(afterSeconds: (ContinuousClock.now - began).seconds))
            try greet(agent)
            try agent.write(frame.bytes)
            return agent
        } catch {
            let reason = if case RadioError.rig(let reason) = error { reason } else { RigFailure.words(of: error) }
            let text = "the \(role.rawValue) board could not be switched on: \(reason)"
            send(Answerer<BoardCall>.answer(id, .failure(.rig(text))))
            return nil
        }
    }

    /// Blocks this thread, which is the board's own, until the board is on.
    private func awaken() throws -> Descriptor {
        let woken = Mutex<Result<Descriptor, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            do {
                let agent = try await wake()
                woken.withLock { $0 = .success(agent) }
            } catch { woken.withLock { $0 = .failure(error) } }
            isDone.signal()
        }
        isDone.wait()
        guard let agent = try woken.withLock({ $0 })?.get() else { throw RadioError.rig("it did not wake") }
        return agent
    }

    /// How long the agent may take to answer its greeting.
    private static let greetingLimit = 30

    /// Begins the conversation that the runner believes to have begun, and passes on what the agent says afterwards. A
    /// command before its answer would be lost.
    private func greet(_ agent: Descriptor) throws {
        let isGreeted = DispatchSemaphore(value: 0)
        startThread(named: "awake-\(role.rawValue)") { [self] in pass(from: agent) { isGreeted.signal() } }
        let hello = Question { BoardCall.hello(version: BoardProtocol.version, $0) }
        let payload = Array(try JSONEncoder().encode(NumberedCall(id: .max, call: hello.call)))
        try agent.write(Frame(kind: BoardProtocol.FrameKind.call, payload: payload).bytes)
        guard isGreeted.wait(timeout: .now() + .seconds(SleepingBoard.greetingLimit)) == .success else {
            agent.shutDown()
            throw RadioError.rig("its agent did not answer within \(SleepingBoard.greetingLimit) s")
        }
    }

    /// Passes on what the agent says after its greeting, until it is gone.
    private func pass(from agent: Descriptor, greeted: () -> Void) {
        var reader = FrameReader()
        var isGreeted = false
        while let bytes = try? agent.read(), !bytes.isEmpty {
            for case .frame(let frame) in reader.push(bytes) {
                if isGreeted {
                    try? runner.write(frame.bytes)
                } else if frame.kind == BoardProtocol.FrameKind.answer {
                    isGreeted = true
                    greeted()
                }
            }
        }
        // Otherwise the next command tries again.
        if isGreeted { runner.shutDown() }
    }

    private func tell(_ event: BoardEvent) {
        guard let payload = try? JSONEncoder().encode(event) else { return }
        try? runner.write(Frame(kind: BoardProtocol.FrameKind.event, payload: Array(payload)).bytes)
    }

    private func send(_ answer: Data) {
        try? runner.write(Frame(kind: BoardProtocol.FrameKind.answer, payload: Array(answer)).bytes)
    }

    /// The answer to a call that does not need the board; nil for the others.
    static func answer(to call: BoardCall, of role: BoardRole) -> Answer? {
        switch call {
        case .hello(_, let reply): reply(BoardGreeting(role: role, radiosPowered: true))
        case .system(.setClock(_, let reply)): reply()
        case .system(.versions(let reply)): reply([:])
        // Nothing can be wrong with it.
        case .system(.health(let reply)):
            reply(BoardHealth(clock: wallClockNanoseconds(), freeDisk: 1 << 30, daemons: BoardDaemon.allCases))
        case .system, .fault, .controller, .station, .localNetwork, .home, .stranger, .accessory, .program: nil
        }
    }
}
