import BoardProtocol
import FoundationEssentials
import HILPOSIX
import HILTiming
import Synchronization

/// Connects ``SimulatedInternet``, which makes all decisions, to sockets.
package final class InternetServer: Sendable {
    /// The most bytes that may wait for a peer that does not read.
    private static let outgoingLimit = 4 << 20

    private struct Peer {
        let socket: TCPSocket
        let outgoing: AsyncStream<Data>.Continuation
        var waiting = 0
    }

    private struct State {
        var internet: SimulatedInternet
        var peers: [Int: Peer] = [:]
    }

    private let state: Mutex<State>
    private let incompleteMessageLimit: Duration
    private let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - incompleteMessageLimit: How long the rest of a message may take.
    ///   - note: Logs a line. Called in order; must return at once.
    package init(
        _ services: [any InternetService], incompleteMessageLimit: Duration = .seconds(5),
        note: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(internet: SimulatedInternet(services)))
        self.incompleteMessageLimit = incompleteMessageLimit
        self.note = note
    }

    /// Listens for all services, until the result is released.
    ///
    /// - Parameter address: An IPv4 address of the board, in dotted form.
    func listen(on address: String) throws(SystemError) -> [TCPListener] {
        var listeners: [TCPListener] = []
        for port in state.withLock({ $0.internet.ports }) { listeners.append(try listen(on: address, port: port)) }
        return listeners
    }

    /// Listens for one service, until the result is released.
    ///
    /// - Parameters:
    ///   - port: The port of the service.
    ///   - actual: The port to listen on; 0 for any free port, nil for the service's own.
    package func listen(on address: String, port: UInt16, at actual: UInt16? = nil) throws(SystemError) -> TCPListener {
        try TCPListener(on: address, port: actual ?? port) { [self] in serve($0, port: port) }
    }

    /// Serves a peer until it disconnects or is disconnected.
    ///
    /// - Parameter port: The port of the service that it connected to.
    package func serve(_ socket: TCPSocket, port: UInt16) {
        let (pieces, outgoing) = AsyncStream<Data>.makeStream()
        let opened = state.withLock { state in
            guard let number = state.internet.opened(port: port) else { return nil as Int? }
            state.peers[number] = Peer(socket: socket, outgoing: outgoing)
            return number
        }
        guard let number = opened else {
            note("a peer was disconnected: there are too many connections")
            return socket.shutDown()
        }
        Task {
            for await piece in pieces {
                guard (try? await socket.send(Array(piece))) != nil else { break }
                state.withLock { $0.peers[number]?.waiting -= piece.count }
            }
            self.close(number)
        }
        Task {
            try? await self.read(socket, number)
            self.close(number)
        }
    }

    private func read(_ socket: TCPSocket, _ number: Int) async throws {
        while true {
            let bytes: [UInt8]
            if state.withLock({ $0.internet.isUnfinished(number) }) {
                bytes = try await withDeadline(incompleteMessageLimit, waitingFor: "the rest of a message") {
                    try await socket.receive()
                }
            } else {
                bytes = try await socket.receive()
            }
            if bytes.isEmpty { return }
            let gone = state.withLock { state in
                carryOut(state.internet.received(Data(bytes), from: number), &state)
            }
            for peer in gone { hangUp(peer) }
        }
    }

    /// Carries out the services' outputs, in order. Returns the peers to disconnect.
    private func carryOut(_ outputs: [SimulatedInternet.Output], _ state: inout State) -> [Peer] {
        var gone: [Peer] = []
        for output in outputs {
            switch output {
            case .note(let text): note(text)
            case .close(let number):
                if let peer = state.peers.removeValue(forKey: number) { gone.append(peer) }
            case .send(let bytes, let number):
                guard let peer = state.peers[number] else { continue }
                guard peer.waiting + bytes.count <= Self.outgoingLimit else {
                    note("connection \(number): disconnected: it does not read the data sent to it")
                    state.internet.closed(number)
                    state.peers[number] = nil
                    gone.append(peer)
                    continue
                }
                state.peers[number]?.waiting += bytes.count
                peer.outgoing.yield(bytes)
            }
        }
        return gone
    }

    private func close(_ number: Int) {
        let peer = state.withLock { state in
            guard let peer = state.peers.removeValue(forKey: number) else { return nil as Peer? }
            state.internet.closed(number)
            note("connection \(number): ended")
            return peer
        }
        if let peer { hangUp(peer) }
    }

    private func hangUp(_ peer: Peer) {
        peer.outgoing.finish()
        peer.socket.shutDown()
    }
}
