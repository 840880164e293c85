import Glibc
import HILPOSIX
import HILTiming
import HILWiFi
import RadioModel
import Synchronization

/// The TCP connections and UDP sockets that the runner has open over the joined network, by number.
///
/// No data is kept here: received bytes stay in the kernel until they are asked for, and a sender waits until the
/// kernel has taken its bytes.
final class OpenStreams: Sendable {
    /// The most connections at once.
    static let limit = 16
    /// The most bytes that are returned at once.
    static let longestPiece = 65_536
    /// How long a peer may take to accept a connection.
    private static let connectLimit = Duration.seconds(10)

    private struct State {
        var streams: [Int: any NetworkSocket] = [:]
        var lastNumber = 0
        /// How many times all streams were ended. A connection from an earlier epoch belongs to a network that has
        /// ended.
        var epoch = 0
    }

    private let state = Mutex(State())
    private let namespace: NetworkNamespace?

    /// - Parameter namespace: The network of the connections; nil for that of the agent.
    init(in namespace: NetworkNamespace? = nil) { self.namespace = namespace }

    /// Connects, or makes a UDP socket for one peer, and returns the number of the stream.
    ///
    /// - Parameter interface: The network interface to use; nil for the kernel's choice.
    /// - Throws: ``RadioModel/RadioError/streamFailed(code:reason:)``; `invalid` for invalid address text.
    func open(
        to address: String, port: UInt16, by transport: InternetTransport, over interface: String?
    ) async throws -> Int {
        let target = "\(address):\(port)"
        guard let peer = try? internetAddress(address, port: port) else {
            throw RadioError.invalid("\(address) is not an IPv4 address")
        }
        let epoch = try state.withLock { state in
            guard state.streams.count < OpenStreams.limit else {
                throw RadioError.invalid("too many streams are open: \(OpenStreams.limit); close one first")
            }
            return state.epoch
        }
        let socket: any NetworkSocket
        do {
            switch transport {
            case .tcp:
                socket = try await withDeadline(
                    OpenStreams.connectLimit, waitingFor: "\(target) to accept a connection"
                ) { [namespace] in try await TCPSocket(connectingTo: peer, over: interface, in: namespace) }
            case .udp:
                socket = try namespace.run {
                    try UDPSocket(to: NetworkPlace(address: address, port: port), over: interface)
                }
            }
        } catch let error as TimedOut {
            throw RadioError.streamFailed(code: ETIMEDOUT, reason: "\(target): \(error)")
        } catch let error as SystemError {
            throw RadioError.streamFailed(code: error.code, reason: "\(target): \(error)")
        }
        return try add(socket, since: epoch)
    }

    /// Takes over a connected socket, and returns the number of the stream.
    ///
    /// - Parameter epoch: The epoch in which connecting started.
    func add(_ socket: any NetworkSocket, since epoch: Int = 0) throws(RadioError) -> Int {
        let number: Int? = state.withLock { state in
            guard state.epoch == epoch, state.streams.count < OpenStreams.limit else { return nil }
            state.lastNumber += 1
            state.streams[state.lastNumber] = socket
            return state.lastNumber
        }
        guard let number else {
            throw .streamFailed(code: ECONNABORTED, reason: "the network ended, or too many streams are open")
        }
        return number
    }

    /// Takes over a connection that a peer has made, and returns the number of the stream.
    func accept(_ socket: any NetworkSocket) throws(RadioError) -> Int {
        try add(socket, since: state.withLock { $0.epoch })
    }

    /// Sends bytes. If they are the last, ends this direction. With UDP, they are one datagram.
    func send(_ bytes: [UInt8], on number: Int, isLast: Bool) async throws {
        try await use(number) { socket in
            try await socket.send(bytes)
            if isLast { socket.finish() }
        }
    }

    /// Waits for 1 to `limit` bytes, or for none when the peer has ended its direction; with UDP, for one datagram.
    func receive(from number: Int, upTo limit: Int) async throws -> [UInt8] {
        guard limit > 0 else { throw RadioError.invalid("\(limit) bytes cannot be received") }
        return try await use(number) { try await $0.receive(upTo: min(limit, OpenStreams.longestPiece)) }
    }

    /// Closes a stream. Calling it again does no harm.
    func close(_ number: Int) { state.withLock { $0.streams.removeValue(forKey: number) }?.shutDown() }

    /// Closes all streams: the network or the conversation has ended.
    func endAll() {
        let ended = state.withLock { state in
            state.epoch += 1
            defer { state.streams = [:] }
            return state.streams.values
        }
        for socket in ended { socket.shutDown() }
    }

    private func use<Value>(_ number: Int, _ body: (any NetworkSocket) async throws -> Value) async throws -> Value {
        guard let socket = state.withLock({ $0.streams[number] }) else { throw OpenStreams.ended(number) }
        do {
            let value = try await body(socket)
            // If the socket was shut down here, the reported end does not come from the peer.
            guard state.withLock({ $0.streams[number] != nil }) else { throw OpenStreams.ended(number) }
            return value
        } catch let error as SystemError {
            guard state.withLock({ $0.streams[number] != nil }) else { throw OpenStreams.ended(number) }
            throw RadioError.streamFailed(code: error.code, reason: "\(error)")
        }
    }

    /// The error for a stream that was closed here. Apple's systems give the same one when a network goes away.
    private static func ended(_ number: Int) -> RadioError {
        .streamFailed(
            code: ECONNABORTED, reason: "stream \(number) is no longer open: it was closed, or its network ended")
    }
}
