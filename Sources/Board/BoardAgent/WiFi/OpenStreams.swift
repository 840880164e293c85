import Glibc
import POSIX
import RadioModel
import Synchronization
import Timing
import WiFi

/// The TCP connections that the runner has open over the joined network, by their numbers.
///
/// Nothing is kept here of what travels: bytes stay with the kernel until they are asked for, and whoever sends waits for the
/// kernel to take them.
final class OpenStreams: Sendable {
    /// How many there may be at once.
    static let limit = 16
    /// How many bytes are given at once, at most.
    static let longestPiece = 65_536
    /// How long a peer may take to accept a connection.
    private static let connectLimit = Duration.seconds(10)

    private struct State {
        var streams: [Int: TCPSocket] = [:]
        var lastNumber = 0
        /// Counts the times that all were ended: a connection made meanwhile belongs to a network that is gone.
        var epoch = 0
    }

    private let state = Mutex(State())

    /// Connects, and gives the stream's number.
    ///
    /// - Parameter interface: The network interface to go over; nil for whichever the kernel chooses.
    /// - Throws: ``RadioModel/RadioError/streamFailed(code:reason:)``, or `invalid` for what is no address.
    func open(to address: String, port: UInt16, over interface: String?) async throws -> Int {
        let target = "\(address):\(port)"
        guard let peer = try? internetAddress(address, port: port) else {
            throw RadioError.invalid("\(address) is no IPv4 address")
        }
        let epoch = try state.withLock { state in
            guard state.streams.count < OpenStreams.limit else {
                throw RadioError.invalid("\(OpenStreams.limit) streams are open; close one first")
            }
            return state.epoch
        }
        let socket: TCPSocket
        do {
            socket = try await withDeadline(OpenStreams.connectLimit, waitingFor: "\(target) to accept a connection") {
                try await TCPSocket(connectingTo: peer, over: interface)
            }
        } catch let error as TimedOut {
            throw RadioError.streamFailed(code: ETIMEDOUT, reason: "\(target): \(error)")
        } catch let error as SystemError {
            throw RadioError.streamFailed(code: error.code, reason: "\(target): \(error)")
        }
        return try add(socket, since: epoch)
    }

    /// Takes over a connected socket, and gives the stream's number.
    ///
    /// - Parameter epoch: When it was begun to be connected.
    func add(_ socket: TCPSocket, since epoch: Int = 0) throws(RadioError) -> Int {
        let number: Int? = state.withLock { state in
            guard state.epoch == epoch, state.streams.count < OpenStreams.limit else { return nil }
            state.lastNumber += 1
            state.streams[state.lastNumber] = socket
            return state.lastNumber
        }
        guard let number else {
            throw .streamFailed(code: ECONNABORTED, reason: "the network ended, or too many streams are open by now")
        }
        return number
    }

    /// Sends; the last bytes end this direction.
    func send(_ bytes: [UInt8], on number: Int, isLast: Bool) async throws {
        try await use(number) { socket in
            try await socket.send(bytes)
            if isLast { socket.finish() }
        }
    }

    /// Waits for bytes: 1 to `limit`, or none when the peer has ended its direction.
    func receive(from number: Int, upTo limit: Int) async throws -> [UInt8] {
        guard limit > 0 else { throw RadioError.invalid("\(limit) bytes cannot be received") }
        return try await use(number) { try await $0.receive(upTo: min(limit, OpenStreams.longestPiece)) }
    }

    /// Closes a stream; one that is closed already stays so.
    func close(_ number: Int) { state.withLock { $0.streams.removeValue(forKey: number) }?.shutDown() }

    /// Ends all of them: the network or the conversation is over.
    func endAll() {
        let ended = state.withLock { state in
            state.epoch += 1
            defer { state.streams = [:] }
            return state.streams.values
        }
        for socket in ended { socket.shutDown() }
    }

    private func use<Value>(_ number: Int, _ body: (TCPSocket) async throws -> Value) async throws -> Value {
        guard let socket = state.withLock({ $0.streams[number] }) else { throw OpenStreams.ended(number) }
        do {
            let value = try await body(socket)
            // The end that a socket tells which was shut down here is not the peer's.
            guard state.withLock({ $0.streams[number] != nil }) else { throw OpenStreams.ended(number) }
            return value
        } catch let error as SystemError {
            guard state.withLock({ $0.streams[number] != nil }) else { throw OpenStreams.ended(number) }
            throw RadioError.streamFailed(code: error.code, reason: "\(error)")
        }
    }

    /// What Apple's systems tell where a network goes away below a connection, too.
    private static func ended(_ number: Int) -> RadioError {
        .streamFailed(
            code: ECONNABORTED, reason: "stream \(number) is not open any more: it was closed, or its network ended")
    }
}
