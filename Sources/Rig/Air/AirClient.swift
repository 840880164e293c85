import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel

/// One client's end of the conversation with the air of a rig.
package actor AirClient {
    /// The events that the air sends, in order. The log ends with ``RadioModel/RadioError/rig(_:)`` when the air is
    /// lost.
    package nonisolated let events = EventLog<AirEvent>()

    private let frames: FrameClient<AirCall, AirEvent>

    /// Starts a conversation over a connected descriptor.
    package init(_ descriptor: Descriptor) {
        frames = FrameClient(
            descriptor, name: "air", limit: AirFrameKind.limit,
            kinds: AirFrameKind.calls,
            unreadable: { RadioError.rig("the air's answer is unreadable: \($0); run `make build`") })
        Task { await self.receive() }
    }

    /// Connects to the air of a rig.
    ///
    /// - Parameter path: `<rig>/air.sock`.
    /// - Parameter limit: How long the air may take to start.
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` if the air does not listen there within `limit`.
    package static func connect(to path: String, within limit: Duration = .seconds(10)) async throws -> AirClient {
        let deadline = ContinuousClock.now + limit
        while true {
            do { return AirClient(try UnixSocket.connect(to: path)) } catch {
                guard ContinuousClock.now < deadline else {
                    throw RadioError.rig("the air cannot be reached: \(error)")
                }
            }
            // No event shows that a socket file begins to accept connections.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The state of the air: its radios, distance and capture.
    package func status() async throws -> AirStatus { try await ask { .status($0) } }

    /// Asks something of the air, and waits for the answer.
    ///
    /// - Parameter limit: How long the answer may take; nil for ``AirCall/timeLimit``.
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` if the air refuses the call, is lost, or does not answer in time.
    @discardableResult
    package nonisolated func ask<Value>(
        within limit: Duration? = nil, _ call: @Sendable (Reply<Value>) -> AirCall
    ) async throws -> Value {
        let question = Question(call)
        let limit = limit ?? question.call.timeLimit
        do {
            return try await withDeadline(limit, waitingFor: "the air's answer to \(question.call.name)") { [frames] in
                try await frames.ask(question)
            }
        } catch let refusal as AirRefusal {
            throw RadioError.rig("the air refuses: \(refusal.why)")
        } catch let error as TimedOut {
            throw RadioError.rig(error.description)
        }
    }

    /// Ends the conversation.
    package func close() { frames.close() }

    private func receive() async {
        let lost = RadioError.rig("the air is lost")
        await frames.run(untilLost: lost) { message in
            switch message {
            case .event(let event): events.append(event)
            case .refused(let why): events.append(.refused(from: "the air", why: why))
            }
        }
        events.finish(throwing: lost)
    }
}
