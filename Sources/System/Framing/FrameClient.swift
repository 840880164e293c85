import POSIX
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message with the number that joins an answer to its request.
package protocol NumberedMessage: Sendable {
    var id: UInt32 { get }
}

/// The asking end of a conversation by frames: it numbers requests, finds their answers in whatever order they come, and
/// hands on what the other end tells unasked. All payloads are JSON; what they say is its owner's affair.
package final class FrameClient<Answer: NumberedMessage & Decodable, Event: Decodable & Sendable>: Sendable {
    /// The numbers of the conversation's kinds of frames.
    package struct Kinds: Sendable {
        package var request: UInt8
        package var answer: UInt8
        package var event: UInt8

        package init(request: UInt8, answer: UInt8, event: UInt8) {
            (self.request, self.answer, self.event) = (request, answer, event)
        }
    }

    /// What arrived, apart from answers.
    package enum News: Sendable {
        case event(Event)
        /// Bytes that are no message, and why.
        case refused(String)
    }

    /// What can be read of an answer of another version.
    private struct Number: Decodable {
        let id: UInt32
    }

    private struct State {
        var lastID: UInt32 = 0
        var waiting: [UInt32: CheckedContinuation<Answer, any Error>] = [:]
        var lost: (any Error)?
    }

    private let channel: FrameChannel
    private let kinds: Kinds
    private let describe: @Sendable ([UInt8], any Error) -> String
    private let unreadable: @Sendable (String) -> any Error
    private let state = Mutex(State())

    /// Talks over a connected descriptor.
    ///
    /// - Parameters:
    ///   - name: Of the threads, for debuggers.
    ///   - limit: The largest payload to accept, in bytes.
    ///   - describe: Says what a payload is that cannot be decoded, and why; it may hold a secret.
    ///   - unreadable: The error for who waits for an answer that cannot be decoded, from such a description.
    package init(
        _ descriptor: Descriptor, name: String, limit: Int = Frame.defaultLimit, kinds: Kinds,
        describe: @escaping @Sendable ([UInt8], any Error) -> String,
        unreadable: @escaping @Sendable (String) -> any Error
    ) {
        channel = FrameChannel(descriptor, name: name, limit: limit)
        self.kinds = kinds
        self.describe = describe
        self.unreadable = unreadable
    }

    deinit { channel.close() }

    /// Sends a request, and waits for its answer.
    ///
    /// - Parameter request: Makes the payload with the request's number.
    /// - Throws: The error of ``giveUp(_:)``, of a lost conversation or of an answer that cannot be read;
    ///   `CancellationError`; what `request` throws.
    package func ask(_ request: (_ id: UInt32) throws -> Data) async throws -> Answer {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let frame = Frame(kind: kinds.request, payload: Array(try request(id)))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    // Under the lock: a cancellation that comes later finds the waiter.
                    if Task.isCancelled { return CancellationError() }
                    if let lost = state.lost { return lost }
                    state.waiting[id] = continuation
                    channel.send(frame)
                    return nil
                }
                if let failure { continuation.resume(throwing: failure) }
            }
        } onCancel: {
            waiter(id)?.resume(throwing: CancellationError())
        }
    }

    /// Ends the waits of all who were asked so far; the conversation goes on.
    package func giveUp(_ error: any Error) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(throwing: error) }
    }

    /// Ends the conversation.
    package func close() { channel.close() }

    /// Takes what arrives, in order, until the other end is gone or ``close()`` was called. To be called once.
    ///
    /// - Parameters:
    ///   - lost: What who waits then, or asks later, gets.
    ///   - take: Takes the news. An answer resumes who waits for it after the news before it was taken.
    package func run(
        untilLost lost: any Error, isolation: isolated (any Actor)? = #isolation, _ take: (News) -> Void
    ) async {
        for await item in channel.items {
            switch item {
            case .refused(let why): take(.refused(why))
            case .frame(let frame): accept(frame, take)
            }
        }
        state.withLock { $0.lost = lost }
        giveUp(lost)
    }

    private func accept(_ frame: Frame, _ take: (News) -> Void) {
        let data = Data(frame.payload)
        do {
            switch frame.kind {
            case kinds.answer:
                let answer = try JSONDecoder().decode(Answer.self, from: data)
                waiter(answer.id)?.resume(returning: answer)
            case kinds.event: take(.event(try JSONDecoder().decode(Event.self, from: data)))
            default: take(.refused("a frame of unknown kind \(frame.kind)"))
            }
        } catch {
            let why = describe(frame.payload, error)
            // Who waits for an answer that is of another version is not to wait on.
            let number = frame.kind == kinds.answer ? try? JSONDecoder().decode(Number.self, from: data) : nil
            guard let waiter = number.flatMap({ waiter($0.id) }) else {
                return take(.refused("a frame that is no message: \(why)"))
            }
            waiter.resume(throwing: unreadable(why))
        }
    }

    private func waiter(_ id: UInt32) -> CheckedContinuation<Answer, any Error>? {
        state.withLock { $0.waiting.removeValue(forKey: id) }
    }
}
