import HILPOSIX
import HILTiming
import RadioModel
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The runner's connection to the agent of one board.
package actor BoardClient {
    /// The events of the agent, in order. The log ends with ``RadioError/rig(_:)`` when the agent is lost.
    package nonisolated let events = EventLog<BoardEvent>()
    /// Which board this is, for messages.
    package nonisolated let role: BoardRole

    private let frames: FrameClient<BoardCall, BoardEvent>
    private nonisolated let controllerSink = Mutex<(@Sendable (ControllerFrame?) -> Void)?>(nil)
    private var isGreeted = false

    /// - Parameter descriptor: A connected socket of the agent.
    package init(_ descriptor: Descriptor, role: BoardRole) {
        self.role = role
        frames = FrameClient(
            descriptor, name: "\(role.rawValue)-agent",
            kinds: BoardProtocol.frameKinds,
            unreadable: { why in
                let text = "the \(role.rawValue) board's agent sent an unreadable answer: \(why)"
                return RadioError.rig("\(text); rebuild it with `make build`")
            })
        Task { await self.receive() }
    }

    /// Connects to the agent's socket of a virtual board and greets the agent.
    ///
    /// - Throws: ``RadioError/rig(_:)`` if the agent does not answer within `limit` or has another version.
    package static func connect(
        to path: String, role: BoardRole, within limit: Duration = .seconds(10)
    ) async throws -> BoardClient {
        let descriptor: Descriptor
        do { descriptor = try UnixSocket.connect(to: path) } catch {
            throw RadioError.rig("the agent of the \(role.rawValue) board cannot be reached: \(error)")
        }
        let client = BoardClient(descriptor, role: role)
        try await client.greet(within: limit)
        return client
    }

    /// Starts the conversation. Call it again after the agent has restarted.
    package func greet(within limit: Duration = .seconds(10)) async throws {
        let own = BoardProtocol.version
        let greeting: BoardGreeting
        do { greeting = try await ask(within: limit) { .hello(version: own, $0) } } catch RadioError.invalid(let why) {
            throw RadioError.rig(
                """
                the \(role.rawValue) board's agent does not understand version \(own) of the board protocol: \(why); \
                rebuild it with `make build`
                """)
        }
        guard greeting.version == own, greeting.role == role else {
            throw RadioError.rig(
                """
                the \(role.rawValue) board's agent speaks version \(greeting.version) of the board protocol for a \
                \(greeting.role.rawValue) board, but this program speaks version \(own); rebuild both with `make build`
                """)
        }
        isGreeted = true
    }

    /// Calls the agent, and waits for the answer: `ask { .station(.join(credentials, $0)) }`.
    ///
    /// - Parameter what: What is waited for, as a noun phrase; nil for the board's answer to the call.
    /// - Throws: The ``RadioError`` that the agent answered; ``RadioError/rig(_:)`` if the agent is lost or does not
    ///   answer.
    @discardableResult
    package nonisolated func ask<Value>(
        within limit: Duration = .seconds(30), waitingFor what: String? = nil,
        _ call: @Sendable (Reply<Value>) -> BoardCall
    ) async throws -> Value {
        let question = Question(call)
        do {
            return try await withDeadline(
                limit, waitingFor: what ?? "the \(role.rawValue) board's answer to \(question.call.name)"
            ) {
                [frames] in
                try await frames.ask(question)
            }
        } catch let error as TimedOut {
            throw RadioError.rig(error.description)
        }
    }

    /// Queues bytes of a payload, after ``ProgramCall/offerPayload(_:_:)``.
    package func send(payload bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(BoardProtocol.longestChunk)
            frames.send(Frame(kind: BoardProtocol.FrameKind.payload, payload: Array(chunk)))
            rest = rest.dropFirst(chunk.count)
        }
    }

    /// Queues a message to the controller that the agent has taken.
    package nonisolated func send(_ message: ControllerFrame) { frames.send(message.frame) }

    /// Sets who gets the messages of the controller, in order; nil is the end of the agent. It must return at once.
    package nonisolated func onController(_ take: (@Sendable (ControllerFrame?) -> Void)?) {
        controllerSink.withLock { $0 = take }
    }

    /// Closes the connection.
    package func close() { frames.close() }

    private func receive() async {
        let lost = RadioError.rig("the agent of the \(role.rawValue) board is lost")
        await frames.run(
            untilLost: lost,
            frames: { frame in
                guard frame.kind == BoardProtocol.FrameKind.controller,
                    let message = ControllerFrame(payload: frame.payload)
                else { return false }
                tellController(message)
                return true
            },
            { news in
                switch news {
                case .event(let event): accept(event)
                case .refused(let why): events.append(.refused("from the \(role.rawValue) board: \(why)"))
                }
            })
        tellController(nil)
        events.finish(throwing: lost)
    }

    private nonisolated func tellController(_ message: ControllerFrame?) { controllerSink.withLock { $0 }?(message) }

    private func accept(_ event: BoardEvent) {
        if case .agentStarted = event {
            // Before the greeting, the start of the agent is expected.
            guard isGreeted else { return }
            isGreeted = false
            frames.giveUp(RadioError.rig("the agent of the \(role.rawValue) board has restarted"))
            tellController(nil)
        }
        events.append(event)
    }
}
