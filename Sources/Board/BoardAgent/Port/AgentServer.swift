import BoardProtocol
import FoundationEssentials
import HILPOSIX
import HILTiming
import RadioModel
import Synchronization

/// Carries out the calls of a conversation.
package protocol CallHandler: Sendable {
    /// Whether the radios were powered on and still exist.
    var areRadiosPowered: Bool { get async }
    /// A new conversation starts: ends everything that the last one left running.
    func reset() async
    /// Carries out a call. Errors are ``RadioModel/RadioError``s; any other error becomes a fault of the rig.
    func perform(_ call: BoardCall) async throws -> Answer
    /// Takes the next bytes of a payload. Called on the port's thread, in order; must return at once.
    func take(payload bytes: [UInt8])
    /// Takes a message to the controller that was taken. Called on the port's thread, in order; must return at once.
    func take(controller bytes: [UInt8])
    /// The conversation has ended: gives back what disturbs the board. Must return at once.
    func conversationEnded()
}

/// The agent's side of the conversation: reads calls, carries them out in parallel, answers each once, and sends events.
///
/// There is one conversation at a time. A `hello` starts it and ends the previous one, whose calls are cancelled and not
/// answered.
package final class AgentServer: Sendable {
    private struct State {
        /// The number of conversations so far.
        var conversation = 0
        /// The running calls by their numbers.
        var running: [UInt32: Task<Void, Never>] = [:]
        var isGreeted = false
    }

    private let role: BoardRole
    private let journal: Journal
    private let handler: any CallHandler
    private let send: @Sendable (Frame) -> Void
    private let state = Mutex(State())

    /// - Parameter send: Queues a frame for the other side of the port. It never waits.
    package init(
        role: BoardRole, journal: Journal, handler: any CallHandler, send: @escaping @Sendable (Frame) -> Void
    ) {
        self.role = role
        self.journal = journal
        self.handler = handler
        self.send = send
    }

    /// Handles an event of the port.
    package func accept(_ event: AgentPort.Event) {
        switch event {
        case .connected:
            log("a client is connected")
            tellOfStart()
        case .disconnected:
            log("the client is gone")
            endConversation()
        case .item(.refused(let why)): refuse(why)
        case .item(.frame(let frame)):
            if frame.kind == BoardProtocol.FrameKind.payload { return handler.take(payload: frame.payload) }
            if frame.kind == BoardProtocol.FrameKind.controller { return handler.take(controller: frame.payload) }
            guard frame.kind == BoardProtocol.FrameKind.call else {
                return refuse("a frame of kind \(frame.kind) is not a call")
            }
            accept(Data(frame.payload))
        }
    }

    /// Sends an event if there is a conversation. Events and answers keep their order.
    package func tell(_ event: BoardEvent) {
        state.withLock { state in
            if state.isGreeted, let payload = try? JSONEncoder().encode(event) {
                send(Frame(kind: BoardProtocol.FrameKind.event, payload: Array(payload)))
            }
        }
        if case .daemonLost(let name, let how, _) = event { log("\(name) is lost: \(how.prefix { $0 != "\n" })") }
    }

    /// Sends a frame that is not a message of this server, if there is a conversation.
    package func pass(_ frame: Frame) { state.withLock { state in if state.isGreeted { send(frame) } } }

    /// Informs a client that the agent has restarted: the port itself does not show it.
    private func tellOfStart() {
        state.withLock { state in
            guard state.conversation == 0, let payload = try? JSONEncoder().encode(BoardEvent.agentStarted) else {
                return
            }
            send(Frame(kind: BoardProtocol.FrameKind.event, payload: Array(payload)))
        }
    }

    private func accept(_ payload: Data) {
        switch Answerer<BoardCall>.read(payload) {
        case .call(.hello(let version, let reply), let id): greet(id, version: version, reply)
        case .call(let call, let id): start(call, id)
        case .unreadable(let why, let answer):
            log("refused: \(why)")
            send(answer)
        // Leave out the payload: it may hold a passphrase.
        case .noise: refuse("a frame of \(payload.count) bytes is not a call")
        }
    }

    private func greet(_ id: UInt32, version: Int, _ reply: Reply<BoardGreeting>) {
        endConversation()
        log("hello, version \(version)")
        let conversation = state.withLock { state in
            state.conversation += 1
            return state.conversation
        }
        Task { [self] in
            await handler.reset()
            let greeting = BoardGreeting(role: role, radiosPowered: await handler.areRadiosPowered)
            state.withLock { state in
                guard state.conversation == conversation else { return }
                state.isGreeted = true
                answer(id, .success(reply(greeting)))
            }
        }
    }

    private func start(_ call: BoardCall, _ id: UInt32) {
        let why: String? = state.withLock { state in
            guard state.isGreeted else { return "a conversation begins with hello" }
            guard state.running[id] == nil else { return "call \(id) is already running" }
            let conversation = state.conversation
            state.running[id] = Task { [self] in
                let outcome = await outcome(of: call, id)
                finish(id, of: conversation, outcome)
            }
            return nil
        }
        if let why { answer(id, .failure(.invalid(why))) }
    }

    private func finish(_ id: UInt32, of conversation: Int, _ outcome: Result<Answer, RadioError>) {
        state.withLock { state in
            guard state.conversation == conversation else { return }
            state.running[id] = nil
            answer(id, outcome)
        }
    }

    private func outcome(of call: BoardCall, _ id: UInt32) async -> Result<Answer, RadioError> {
        let start = ContinuousClock.now
        let outcome: Result<Answer, RadioError>
        do { outcome = .success(try await handler.perform(call)) } catch {
            outcome = .failure(error as? RadioError ?? .rig("\(error)"))
        }
        var line = "call \(id) \(call.name) took \(start.duration(to: .now).short)"
        if case .failure(let error) = outcome { line += ": \(error)" }
        log(line)
        return outcome
    }

    private func endConversation() {
        let running = state.withLock { state in
            state.conversation += 1
            state.isGreeted = false
            defer { state.running = [:] }
            return state.running.values
        }
        for task in running { task.cancel() }
        handler.conversationEnded()
    }

    private func refuse(_ why: String) {
        log("refused: \(why)")
        tell(.refused(why))
    }

    private func answer(_ id: UInt32, _ outcome: Result<Answer, RadioError>) {
        send(Answerer<BoardCall>.answer(id, outcome))
    }

    private func send(_ answer: Data) {
        send(Frame(kind: BoardProtocol.FrameKind.answer, payload: Array(answer)))
    }

    private func log(_ line: String) { journal.write(line, from: "agent") }
}
