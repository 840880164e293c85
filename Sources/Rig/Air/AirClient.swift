import BoardProtocol
import Foundation
import Framing
import POSIX
import PlainText
import RadioModel
import RigModel
import Timing

/// One client's end of the conversation with the air of a rig.
public actor AirClient {
    /// What the air told unasked, in order; it ends, with ``RadioModel/RadioError/rig(_:)``, when the air is lost.
    public nonisolated let events = EventLog<AirEvent>()

    private let channel: FrameChannel
    private var lastID: UInt32 = 0
    private var waiting: [UInt32: CheckedContinuation<AirReply, any Error>] = [:]
    private var lost: RadioError?

    /// Talks over a connected descriptor.
    public init(_ descriptor: Descriptor) {
        channel = FrameChannel(descriptor, name: "air", limit: AirFrameKind.limit)
        Task { await self.receive() }
    }

    deinit { channel.close() }

    /// Connects to the air of a rig.
    ///
    /// - Parameter path: `<rig>/air.sock`.
    /// - Parameter limit: How long the air may take to start.
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` when nobody listens there within `limit`.
    public static func connect(to path: String, within limit: Duration = .seconds(10)) async throws -> AirClient {
        let deadline = ContinuousClock.now + limit
        while true {
            do { return AirClient(try UnixSocket.connect(to: path)) } catch {
                guard ContinuousClock.now < deadline else {
                    throw RadioError.rig("the air cannot be reached: \(error)")
                }
            }
            // Nothing tells when a socket file comes to life.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Plugs a radio into a board, and gives the name that the board's kernel gave it: `hci0`, `wlan0`.
    @discardableResult
    public func attach(
        _ radio: AirRadio, of board: BoardRole, within limit: Duration = .seconds(15)
    ) async throws -> String {
        guard case .attached(let name) = try await ask(.attach(board, radio), within: limit) else { return "" }
        return name
    }

    /// Pulls a radio out of a board.
    public func detach(_ radio: AirRadio, of board: BoardRole, within limit: Duration = .seconds(15)) async throws {
        _ = try await ask(.detach(board, radio), within: limit)
    }

    /// Puts the boards this many metres apart; nil is out of each other's range.
    public func setDistance(_ metres: Double?) async throws { _ = try await ask(.setDistance(metres: metres)) }

    /// Writes every packet from now on into a new pcapng file at this absolute path.
    public func startCapture(to path: String) async throws { _ = try await ask(.startCapture(path: path)) }

    /// Ends the capture, and gives the number of packets in it.
    @discardableResult
    public func stopCapture() async throws -> Int {
        guard case .captured(let packets) = try await ask(.stopCapture) else { return 0 }
        return packets
    }

    /// How the air is.
    public func status() async throws -> AirStatus {
        guard case .status(let status) = try await ask(.status) else {
            throw RadioError.rig("the air answered something else than its status")
        }
        return status
    }

    /// Asks, and waits for the answer.
    ///
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` when the air refuses, is lost or does not answer.
    public func ask(_ request: AirRequest, within limit: Duration = .seconds(10)) async throws -> AirReply {
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
    public func close() { channel.close() }

    private func exchange(_ request: AirRequest) async throws -> AirReply {
        if let lost { throw lost }
        lastID += 1
        let id = lastID
        let payload = try JSONEncoder().encode(AirNumbered(id: id, body: request))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting[id] = continuation
                channel.send(Frame(kind: AirFrameKind.request, payload: Array(payload)))
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
            case .refused(let why): events.append(.refused(from: "the air", why: why))
            case .frame(let frame): accept(frame)
            }
        }
        let error = RadioError.rig("the air is lost")
        lost = error
        for continuation in waiting.values { continuation.resume(throwing: error) }
        waiting = [:]
        events.finish(throwing: error)
    }

    private func accept(_ frame: Frame) {
        let data = Data(frame.payload)
        do {
            switch frame.kind {
            case AirFrameKind.reply:
                let reply = try JSONDecoder().decode(AirNumbered<AirReply>.self, from: data)
                waiting.removeValue(forKey: reply.id)?.resume(returning: reply.body)
            case AirFrameKind.event: events.append(try JSONDecoder().decode(AirEvent.self, from: data))
            default: events.append(.refused(from: "the air", why: "a frame that is neither reply nor event"))
            }
        } catch {
            let why = PlainText.unreadable(frame.payload, error)
            let number = try? JSONDecoder().decode(AirNumber.self, from: data)
            guard let waiter = number.flatMap({ waiting.removeValue(forKey: $0.id) }) else {
                return events.append(.refused(from: "the air", why: why))
            }
            waiter.resume(throwing: RadioError.rig("the air's answer cannot be read: \(why); run `make build`"))
        }
    }
}
