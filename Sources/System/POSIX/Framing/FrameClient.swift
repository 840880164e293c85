import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message with a number that connects an answer to its request.
package protocol NumberedMessage: Sendable {
    var id: UInt32 { get }
}

/// The client side of a conversation in frames.
///
/// It numbers requests and finds their answers, which may come in any order. It also delivers events that the other
/// side sends without a request. All payloads are JSON.
package final class FrameClient<Answer: NumberedMessage & Decodable, Event: Decodable & Sendable>: Sendable {
    /// The numbers of the frame kinds in this conversation.
    package struct Kinds: Sendable {
        package var request: UInt8
        package var answer: UInt8
        package var event: UInt8

        package init(request: UInt8, answer: UInt8, event: UInt8) {
            (self.request, self.answer, self.event) = (request, answer, event)
        }
    }

    /// What was received, apart from answers.
    package enum News: Sendable {
        case event(Event)
        /// Bytes that are not a message, and why.
        case refused(String)
    }

    /// The part of an answer that can be read even if the answer is of another version.
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
    ///   - name: The name of the threads, for debuggers.
    ///   - limit: The largest payload to accept, in bytes.
    ///   - describe: Describes a payload that cannot be decoded, and says why. The payload may hold a secret.
    ///   - unreadable: Makes the error for a caller whose answer cannot be decoded, from that description.
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
    /// - Parameter request: Makes the payload. It gets the request's number.
    /// - Throws: The error of ``giveUp(_:)``, of a lost connection or of an unreadable answer; `CancellationError`;
    ///   errors of `request`.
    package func ask(_ request: (_ id: UInt32) throws -> Data) async throws -> Answer {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let frame = Frame(kind: kinds.request, payload: Array(try request(id)))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    // Inside the lock: a later cancellation finds the waiter.
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

    /// Queues a frame that is not a request. There is no answer to it.
    package func send(_ frame: Frame) { channel.send(frame) }

    /// Ends all waits of the requests so far with this error. The conversation goes on.
    package func giveUp(_ error: any Error) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(throwing: error) }
    }

    /// Ends the conversation.
    package func close() { channel.close() }

    /// Handles what is received, in order, until the other side is gone or ``close()`` was called. Call it once.
    ///
    /// - Parameters:
    ///   - lost: The error for requests that wait at the end, and for later requests.
    ///   - takeFrame: Handles frames that are no messages; returns false for one of a kind that it does not know.
    ///   - take: Handles events and refused bytes. An answer resumes its caller after all earlier news was handled.
    package func run(
        untilLost lost: any Error, isolation: isolated (any Actor)? = #isolation,
        frames takeFrame: (Frame) -> Bool = { _ in false }, _ take: (News) -> Void
    ) async {
        for await item in channel.items {
            switch item {
            case .refused(let why): take(.refused(why))
            case .frame(let frame): if !takeFrame(frame) { accept(frame, take) }
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
            // The answer is of another version: its caller must not wait any longer.
            let number = frame.kind == kinds.answer ? try? JSONDecoder().decode(Number.self, from: data) : nil
            guard let waiter = number.flatMap({ waiter($0.id) }) else {
                return take(.refused("a frame that is not a message: \(why)"))
            }
            waiter.resume(throwing: unreadable(why))
        }
    }

    private func waiter(_ id: UInt32) -> CheckedContinuation<Answer, any Error>? {
        state.withLock { $0.waiting.removeValue(forKey: id) }
    }
}
