import Framing
import POSIX
import PlainText
import RadioModel
import Synchronization
import Timing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The runner's end of the conversation with one board's agent.
public actor BoardClient {
    /// How many advertisements are kept. The agent repeats each several times a second.
    package static let keptAdvertisements = 4000
    /// What the agent told unasked, in order; it ends, with ``RadioError/rig(_:)``, when the agent is lost. Of
    /// advertisements the last ones are kept, of everything else all.
    public nonisolated let events = EventLog<BoardEvent>(keepingAtMost: keptAdvertisements) {
        if case .radio(.advertisement) = $0 { true } else { false }
    }
    /// Which board this is, for messages.
    public nonisolated let role: BoardRole

    private let channel: FrameChannel
    private var lastID: UInt32 = 0
    private var waiting: [UInt32: CheckedContinuation<BoardResult, any Error>] = [:]
    private var lost: RadioError?
    private var isGreeted = false

    /// Talks over a connected descriptor.
    public init(_ descriptor: Descriptor, role: BoardRole) {
        self.role = role
        channel = FrameChannel(descriptor, name: "\(role.rawValue)-agent")
        Task { await self.receive() }
    }

    deinit { channel.close() }

    /// Connects to the socket of a virtual board's agent and greets it.
    ///
    /// - Throws: ``RadioError/rig(_:)`` when nobody answers within `limit` or the versions differ.
    public static func connect(
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

    /// Begins the conversation, or begins it again with an agent that was started anew.
    public func greet(within limit: Duration = .seconds(10)) async throws {
        let own = BoardProtocol.version
        let answer: BoardResult
        do { answer = try await ask(.hello(version: own), within: limit) } catch RadioError.invalid(let why) {
            throw RadioError.rig(
                """
                the \(role.rawValue) board's agent does not understand version \(own) of the board protocol: \(why); build \
                it anew, by `make build`
                """)
        }
        guard case .hello(own, role, _) = answer else {
            let its = if case .hello(let version, _, _) = answer { "version \(version)" } else { "another version" }
            throw RadioError.rig(
                """
                the \(role.rawValue) board's agent speaks \(its) of the board protocol, and this program version \(own) \
                (\(answer)); build both anew, by `make build`
                """)
        }
        isGreeted = true
    }

    /// Asks, and waits for the answer.
    ///
    /// - Throws: ``RadioError``: what the agent answered, or ``RadioError/rig(_:)`` when it is lost or does not answer.
    public func ask(_ command: BoardCommand, within limit: Duration = .seconds(30)) async throws -> BoardResult {
        do {
            return try await withDeadline(limit, waitingFor: "the \(role.rawValue) board's answer to \(command.name)") {
                try await self.exchange(command)
            }
        } catch let error as TimedOut {
            throw RadioError.rig(error.description)
        }
    }

    /// Ends the conversation.
    public func close() { channel.close() }

    private func exchange(_ command: BoardCommand) async throws -> BoardResult {
        if let lost { throw lost }
        lastID += 1
        let id = lastID
        let payload = try JSONEncoder().encode(BoardRequest(id: id, command: command))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting[id] = continuation
                channel.send(Frame(kind: BoardProtocol.FrameKind.request, payload: Array(payload)))
            }
        } onCancel: {
            Task { await self.abandon(id) }
        }
    }

    private func abandon(_ id: UInt32) {
        waiting.removeValue(forKey: id)?.resume(throwing: CancellationError())
    }

    private func receive() async {
        for await item in channel.items {
            switch item {
            case .refused(let why): events.append(.refused("from the \(role.rawValue) board: \(why)"))
            case .frame(let frame): accept(frame)
            }
        }
        let error = RadioError.rig("the agent of the \(role.rawValue) board is lost")
        lost = error
        giveUpWaiting(error)
        events.finish(throwing: error)
    }

    private func giveUpWaiting(_ error: RadioError) {
        for continuation in waiting.values { continuation.resume(throwing: error) }
        waiting = [:]
    }

    private func accept(_ event: BoardEvent) {
        if case .agentStarted = event {
            // Before the greeting that is no news.
            guard isGreeted else { return }
            isGreeted = false
            giveUpWaiting(.rig("the agent of the \(role.rawValue) board started anew"))
        }
        events.append(event)
    }

    private func accept(_ frame: Frame) {
        do {
            switch frame.kind {
            case BoardProtocol.FrameKind.reply:
                let reply = try JSONDecoder().decode(BoardReply.self, from: Data(frame.payload))
                guard let continuation = waiting.removeValue(forKey: reply.id) else { return }
                switch reply.outcome {
                case .success(let result): continuation.resume(returning: result)
                case .failure(let error): continuation.resume(throwing: error)
                }
            case BoardProtocol.FrameKind.event:
                accept(try JSONDecoder().decode(BoardEvent.self, from: Data(frame.payload)))
            default: events.append(.refused("from the \(role.rawValue) board: a frame of unknown kind \(frame.kind)"))
            }
        } catch {
            // No part of the payload: it may hold a key.
            let why = "\(frame.payload.count) bytes: \(PlainText.reason(error))"
            // Who waits for an answer that is of another version is not to wait on.
            let number = try? JSONDecoder().decode(ReplyNumber.self, from: Data(frame.payload))
            guard frame.kind == BoardProtocol.FrameKind.reply, let id = number?.id,
                let waiter = waiting.removeValue(forKey: id)
            else {
                return events.append(.refused("from the \(role.rawValue) board: a frame that is no message: \(why)"))
            }
            let text = "the \(role.rawValue) board's agent gave an answer that cannot be read: \(why)"
            waiter.resume(throwing: RadioError.rig("\(text); build it anew, by `make build`"))
        }
    }
}

/// What can be read of an answer of another version.
private struct ReplyNumber: Decodable {
    let id: UInt32
}

extension BoardCommand {
    /// The command's name without its values, which may be secret.
    public var name: String {
        let text = String(describing: self)
        return String(text.prefix { $0 != "(" })
    }
}
