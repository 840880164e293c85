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

    private let frames: FrameClient<AirNumbered<AirReply>, AirEvent>

    /// Starts a conversation over a connected descriptor.
    package init(_ descriptor: Descriptor) {
        frames = FrameClient(
            descriptor, name: "air", limit: AirFrameKind.limit,
            kinds: .init(request: AirFrameKind.request, answer: AirFrameKind.reply, event: AirFrameKind.event),
            describe: { PlainText.unreadable($0, $1) },
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

    /// Plugs a radio into a board, and returns the name that the board's kernel gave it: `hci0`, `wlan0`.
    @discardableResult
    package func attach(
        _ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first, within limit: Duration = .seconds(15)
    ) async throws -> String {
        let request = AirRequest.attach(board, radio, adapter: adapter)
        guard case .attached(let name) = try await ask(request, within: limit) else { return "" }
        return name
    }

    /// Pulls a radio out of a board.
    package func detach(
        _ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first, within limit: Duration = .seconds(15)
    ) async throws {
        _ = try await ask(.detach(board, radio, adapter: adapter), within: limit)
    }

    /// Sets the distance between the boards, in metres; nil is out of range.
    package func setDistance(_ metres: Double?) async throws { _ = try await ask(.setDistance(metres: metres)) }

    /// Writes every packet from now on into a new pcapng file at this absolute path.
    package func startCapture(to path: String) async throws { _ = try await ask(.startCapture(path: path)) }

    /// Ends the capture, and returns the number of packets in it.
    @discardableResult
    package func stopCapture() async throws -> Int {
        guard case .captured(let packets) = try await ask(.stopCapture) else { return 0 }
        return packets
    }

    /// The state of the air: its radios, distance and capture.
    package func status() async throws -> AirStatus {
        guard case .status(let status) = try await ask(.status) else {
            throw RadioError.rig("the air did not answer with its status")
        }
        return status
    }

    /// Sends a request, and waits for the answer.
    ///
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` if the air refuses the request, is lost, or does not answer within
    ///   `limit`.
    package func ask(_ request: AirRequest, within limit: Duration = .seconds(10)) async throws -> AirReply {
        do {
            let reply = try await withDeadline(limit, waitingFor: "the air's answer to \(request)") {
                try await self.exchange(request)
            }
            if case .refused(let why) = reply { throw RadioError.rig("the air refuses: \(why)") }
            return reply
        } catch let error as TimedOut {
            throw RadioError.rig(error.description)
        }
    }

    /// Ends the conversation.
    package func close() { frames.close() }

    private func exchange(_ request: AirRequest) async throws -> AirReply {
        try await frames.ask { try JSONEncoder().encode(AirNumbered(id: $0, body: request)) }.body
    }

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

extension AirNumbered: NumberedMessage {}
