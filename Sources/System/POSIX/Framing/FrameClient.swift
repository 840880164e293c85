#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The numbers of the frame kinds that a conversation of calls uses.
package struct CallFrameKinds: Sendable {
    package var call: UInt8
    package var answer: UInt8
    package var event: UInt8

    package init(call: UInt8, answer: UInt8, event: UInt8) {
        (self.call, self.answer, self.event) = (call, answer, event)
    }
}

/// The client side of a conversation in frames: it calls, and takes the events that the other side sends without a
/// call. All payloads are JSON.
package final class FrameClient<C: Call, Event: Decodable & Sendable>: Sendable {
    /// What was received, apart from answers.
    package enum News: Sendable {
        case event(Event)
        /// Bytes that are not a message, and why.
        case refused(String)
    }

    private let channel: FrameChannel
    private let kinds: CallFrameKinds
    private let caller: Caller<C>

    /// Talks over a connected descriptor.
    ///
    /// - Parameters:
    ///   - name: The name of the threads, for debuggers.
    ///   - limit: The largest payload to accept, in bytes.
    ///   - unreadable: Makes the error for a call whose answer cannot be decoded, from a description of the answer.
    package init(
        _ descriptor: Descriptor, name: String, limit: Int = Frame.defaultLimit, kinds: CallFrameKinds,
        unreadable: @escaping @Sendable (String) -> any Error
    ) {
        let channel = FrameChannel(descriptor, name: name, limit: limit)
        self.channel = channel
        self.kinds = kinds
        caller = Caller(
            send: { channel.send(Frame(kind: kinds.call, payload: Array($0))) }, unreadable: unreadable)
    }

    deinit { channel.close() }

    /// Calls, and waits for the answer. See ``Caller/ask(_:callOff:)``.
    @discardableResult
    package func ask<Value>(_ question: Question<C, Value>) async throws -> Value { try await caller.ask(question) }

    /// Queues a frame that is not a call. There is no answer to it.
    package func send(_ frame: Frame) { channel.send(frame) }

    /// Ends all waits of the calls so far with this error. The conversation goes on.
    package func giveUp(_ error: any Error) { caller.giveUp(error) }

    /// Ends the conversation.
    package func close() { channel.close() }

    /// Handles what is received, in order, until the other side is gone or ``close()`` was called. Call it once.
    ///
    /// - Parameters:
    ///   - lost: The error for calls that wait at the end, and for later calls.
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
        caller.end(lost)
    }

    private func accept(_ frame: Frame, _ take: (News) -> Void) {
        let data = Data(frame.payload)
        switch frame.kind {
        case kinds.answer:
            if !caller.take(data) { take(.refused("a frame of \(data.count) bytes that is no answer")) }
        case kinds.event:
            do { take(.event(try JSONDecoder().decode(Event.self, from: data))) } catch {
                // Without its text, which may hold a key.
                take(.refused("an event of \(data.count) bytes that cannot be read: \(PlainText.reason(error))"))
            }
        default: take(.refused("a frame of unknown kind \(frame.kind)"))
        }
    }
}
