import BoardAgent
import DieProtocol
import FoundationEssentials
import HILPOSIX
import HILTiming
import Synchronization

/// The connections of phones over the die's networks by ``DieProtocol/DieMessageService``, by number.
final class DieConnections: Sendable {
    /// The most answers that may wait for a phone that does not read.
    private static let outgoingLimit = 256

    private struct Connection {
        let socket: TCPSocket
        let outgoing: AsyncStream<Data>.Continuation
        /// The network of the die that the phone is on.
        let service: Int
        var lastReceipt: ContinuousClock.Instant
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        /// The last number of a connection or a service.
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let messageLimit: Duration

    /// - Parameter messageLimit: How long the rest of a message may take.
    init(messageLimit: Duration = .seconds(DieMessageService.patienceSeconds)) { self.messageLimit = messageLimit }

    /// The number of connected phones.
    var count: Int { state.withLock { $0.connections.count } }

    /// Serves a phone until it disconnects, sends invalid bytes, or must make room for another phone.
    ///
    /// - Parameter take: Called with each message, in order.
    func serve(_ socket: TCPSocket, of service: Int, take: @escaping @Sendable (Data, Int) -> Void) {
        let (messages, outgoing) = AsyncStream<Data>.makeStream(bufferingPolicy: .bufferingOldest(Self.outgoingLimit))
        let connection = Connection(socket: socket, outgoing: outgoing, service: service, lastReceipt: .now)
        let (number, evicted) = state.withLock { state -> (Int, Int?) in
            state.lastNumber += 1
            let silent = state.connections.min { $0.value.lastReceipt < $1.value.lastReceipt }?.key
            state.connections[state.lastNumber] = connection
            return (state.lastNumber, state.connections.count > DieMessageService.connections ? silent : nil)
        }
        if let evicted { close(evicted) }
        Task {
            for await message in messages {
                guard let bytes = try? DieMessageService.frame(message) else { continue }
                guard (try? await socket.send(Array(bytes))) != nil else { break }
            }
            self.close(number)
        }
        Task {
            try? await self.read(socket, number, take)
            self.close(number)
        }
    }

    private func read(
        _ socket: TCPSocket, _ number: Int, _ take: @Sendable (Data, Int) -> Void
    ) async throws {
        var reader = DieMessageService.Reader()
        while true {
            let bytes: [UInt8]
            if reader.pendingByteCount == 0 {
                bytes = try await socket.receive()
            } else {
                bytes = try await withDeadline(messageLimit, waitingFor: "the rest of a message") {
                    try await socket.receive()
                }
            }
            if bytes.isEmpty { return }
            state.withLock { $0.connections[number]?.lastReceipt = .now }
            for message in try reader.push(Data(bytes)) { take(message, number) }
        }
    }

    /// Sends a message to a phone. Does nothing if the phone has disconnected; disconnects it if it does not read.
    func send(_ message: Data, to number: Int) {
        guard let connection = state.withLock({ $0.connections[number] }) else { return }
        if case .enqueued = connection.outgoing.yield(message) { return }
        close(number)
    }

    /// A number for a service, which marks its connections.
    func newService() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Closes all connections over one of the die's networks.
    func closeAll(of service: Int) {
        let numbers = state.withLock { state in state.connections.filter { $0.value.service == service }.map(\.key) }
        for number in numbers { close(number) }
    }

    private func close(_ number: Int) {
        guard let connection = state.withLock({ $0.connections.removeValue(forKey: number) }) else { return }
        connection.outgoing.finish()
        connection.socket.shutDown()
    }
}

/// Serves ``DieProtocol/DieMessageService`` on one address until it is released.
final class DieMessageListener: Sendable {
    private let connections: DieConnections
    private let listener: TCPListener
    private let service: Int

    /// - Parameters:
    ///   - address: An IPv4 address of the board, in dotted form.
    ///   - port: 0 for any free port.
    ///   - take: Called with each message and the number of its connection. Answer by ``DieConnections/send(_:to:)``.
    init(
        on address: String, port: UInt16 = DieMessageService.port, connections: DieConnections,
        take: @escaping @Sendable (Data, Int) -> Void
    ) throws(SystemError) {
        let service = connections.newService()
        self.service = service
        self.connections = connections
        listener = try TCPListener(on: address, port: port) { phone in
            connections.serve(phone, of: service, take: take)
        }
    }

    deinit { connections.closeAll(of: service) }

    /// The port that it listens on.
    var port: UInt16 { listener.port }
}
