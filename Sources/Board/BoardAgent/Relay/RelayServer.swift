import BoardProtocol
import DieProtocol
import FoundationEssentials
import POSIX
import Relay
import Synchronization
import Timing

/// The relay and the push service behind sockets: ``Relay/Relay`` decides, this carries.
final class RelayServer: Sendable {
    /// How many bytes may wait for a peer that does not read them.
    private static let outgoingLimit = 4 << 20

    private struct Peer {
        let socket: TCPSocket
        let outgoing: AsyncStream<Data>.Continuation
        var waiting = 0
    }

    private struct State {
        var relay = Relay()
        var peers: [Int: Peer] = [:]
    }

    private let state = Mutex(State())
    private let patience: Duration
    private let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - patience: How long the rest of a message may take.
    ///   - note: Takes a line for the log, in order; must return at once.
    init(
        patience: Duration = .seconds(DieMessageService.patienceSeconds), note: @escaping @Sendable (String) -> Void
    ) {
        self.patience = patience
        self.note = note
    }

    /// Listens on an address, as long as what it gives is held.
    ///
    /// - Parameters:
    ///   - address: In dotted form; the board has it.
    ///   - port: 0 for any that is free.
    func listen(on address: String, port: UInt16, for service: Relay.Service) throws(SystemError) -> TCPListener {
        try TCPListener(on: address, port: port) { [self] in serve($0, service) }
    }

    /// Serves a peer until it goes or is hung up on.
    func serve(_ socket: TCPSocket, _ service: Relay.Service) {
        let (pieces, outgoing) = AsyncStream<Data>.makeStream()
        let opened = state.withLock { state in
            guard let number = state.relay.opened(service) else { return nil as Int? }
            state.peers[number] = Peer(socket: socket, outgoing: outgoing)
            return number
        }
        guard let number = opened else {
            note("one more peer is hung up on")
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
            if state.withLock({ $0.relay.isUnfinished(number) }) {
                bytes = try await withDeadline(patience, waitingFor: "the rest of a message") {
                    try await socket.receive()
                }
            } else {
                bytes = try await socket.receive()
            }
            if bytes.isEmpty { return }
            let gone = state.withLock { state in
                carryOut(state.relay.received(Data(bytes), from: number), &state)
            }
            for peer in gone { hangUp(peer) }
        }
    }

    /// Does what the relay wants, in its order; gives the peers to hang up on.
    private func carryOut(_ outputs: [Relay.Output], _ state: inout State) -> [Peer] {
        var gone: [Peer] = []
        for output in outputs {
            switch output {
            case .note(let text): note(text)
            case .close(let number):
                if let peer = state.peers.removeValue(forKey: number) { gone.append(peer) }
            case .send(let bytes, let number):
                guard let peer = state.peers[number] else { continue }
                guard peer.waiting + bytes.count <= Self.outgoingLimit else {
                    note("connection \(number): hung up: it does not read what it is sent")
                    state.relay.closed(number)
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
            state.relay.closed(number)
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
