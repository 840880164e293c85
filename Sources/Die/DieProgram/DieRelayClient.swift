import BoardAgent
import DieProtocol
import FoundationEssentials
import HILPOSIX
import HILTiming
import Synchronization

/// The die's connection to its maker's relay. It connects, receives a mailbox, and reconnects after a loss.
final class DieRelayClient: Sendable {
    /// How long the relay may take to accept a connection.
    private static let connectLimit = Duration.seconds(10)
    /// The pause before connecting again.
    private static let pause = Duration.seconds(1)

    private struct State {
        var attendance: Task<Void, Never>?
        var socket: TCPSocket?
        var outgoing: AsyncStream<Data>.Continuation?
    }

    private let state = Mutex(State())
    private let port: UInt16
    private let clock: any Clock<Duration>

    init(port: UInt16 = DieRelay.port, clock: any Clock<Duration> = ContinuousClock()) {
        self.port = port
        self.clock = clock
    }

    deinit { leave() }

    /// Receives this mailbox from now on, and no other; nil for none.
    ///
    /// - Parameter tell: Called with each message of the relay and when the relay is lost, one after the other.
    func attend(mailbox: UUID?, at address: String, tell: @escaping @Sendable (DieLogic.Input) -> Void) {
        let before = leave()
        guard let mailbox else { return }
        let attendance = Task { [weak self] in
            // Wait until all events of the previous mailbox were reported.
            await before?.value
            while !Task.isCancelled {
                guard let self else { return }
                try? await converse(mailbox, address, tell)
                try? await clock.sleep(for: Self.pause)
            }
        }
        state.withLock { $0.attendance = attendance }
    }

    /// Sends a message. Returns false if the relay is not connected.
    func send(_ message: DieRelay.Message) -> Bool {
        guard let bytes = try? DieRelay.frame(message) else { return false }
        return state.withLock { state in
            if case .enqueued? = state.outgoing?.yield(bytes) { true } else { false }
        }
    }

    @discardableResult private func leave() -> Task<Void, Never>? {
        let before = state.withLock { state in
            defer { state = State() }
            return state
        }
        before.attendance?.cancel()
        before.outgoing?.finish()
        before.socket?.shutDown()
        return before.attendance
    }

    private func converse(
        _ mailbox: UUID, _ address: String, _ tell: @escaping @Sendable (DieLogic.Input) -> Void
    ) async throws {
        let port = port
        let socket = try await withDeadline(Self.connectLimit, waitingFor: "the relay to accept a connection") {
            try await TCPSocket(connectingTo: address, port: port)
        }
        let (pieces, outgoing) = AsyncStream<Data>.makeStream()
        outgoing.yield(try DieRelay.frame(.attend(mailbox: mailbox)))
        let isWanted = state.withLock { state in
            guard !Task.isCancelled else { return false }
            (state.socket, state.outgoing) = (socket, outgoing)
            return true
        }
        let writer = Task {
            for await piece in pieces where (try? await socket.send(Array(piece))) == nil { break }
            socket.shutDown()
        }
        var isAttended = false
        defer {
            outgoing.finish()
            socket.shutDown()
            writer.cancel()
            if isAttended { tell(.relayLost) }
        }
        guard isWanted else { return }
        var reader = DieRelay.Reader()
        while case let bytes = try await socket.receive(), !bytes.isEmpty {
            for message in try reader.push(Data(bytes)) {
                if case .attended = message { isAttended = true }
                tell(.relayed(message))
            }
        }
    }
}
