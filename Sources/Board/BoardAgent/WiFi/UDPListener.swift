import Glibc
import HILCLinux
import HILPOSIX
import HILWiFi
import RadioModel
import Synchronization

/// Receives the datagrams of a port until it is released, and distinguishes the peers.
package final class UDPListener: Sendable {
    private let ears: Ears
    private let endsPeers: Bool

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: An IPv4 address of the board, in dotted form.
    ///   - interface: The only network interface whose datagrams are received; nil for any.
    ///   - port: 0 for any free port; ``port`` returns it.
    ///   - endsPeers: Whether its peers end with it, and the port is free at once. If not, they stay like accepted
    ///     connections and keep the port.
    ///   - serve: Called with each new peer, one after the other. It must not wait for the peer.
    package init(
        on address: String, of interface: String? = nil, port: UInt16, endsPeers: Bool = false,
        serve: @escaping @Sendable (any NetworkSocket) -> Void
    ) throws(SystemError) {
        let socket = try UDPSocket.make(over: interface)
        // With this option, two listeners could have the same port.
        var reuse: Int32 = endsPeers ? 1 : 0
        setsockopt(socket.raw, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        try withAddress(try internetAddress(address, port: port)) { place, length throws(SystemError) in
            _ = try valueOrErrno("bind", "serving on \(address), port \(port)") { bind(socket.raw, place, length) }
        }
        ears = Ears(socket)
        self.endsPeers = endsPeers
        ears.listen(serve)
    }

    deinit { ears.close(endsPeers: endsPeers) }

    /// The port that it listens on.
    package var port: UInt16 { localPort(of: ears.socket) }
}

/// The socket of a listener, and its known peers.
private final class Ears: Sendable {
    /// The most peers at once. Datagrams of others are dropped.
    private static let limit = 64

    private struct State {
        var peers: [NetworkPlace: HeardPeer] = [:]
        var task: Task<Void, Never>?
        /// New peers are no longer accepted.
        var isClosed = false
    }

    let socket: Descriptor
    private let state = Mutex(State())

    init(_ socket: Descriptor) { self.socket = socket }

    /// Receives until it is closed and its last peer has ended.
    func listen(_ serve: @escaping @Sendable (any NetworkSocket) -> Void) {
        let task = Task {
            while !Task.isCancelled, (try? await waitUntilReady(socket)) != nil {
                while let (bytes, peer) = hear() {
                    if let new = take(bytes, from: peer) { serve(new) }
                }
            }
        }
        state.withLock { $0.task = task }
    }

    /// The next datagram and its sender; nil if there is none.
    private func hear() -> ([UInt8], NetworkPlace)? {
        var sender = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var isThere = false
        let bytes = [UInt8](unsafeUninitializedCapacity: InternetTransport.longestDatagram) { buffer, count in
            let length = withUnsafeMutablePointer(to: &sender) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(socket.raw, buffer.baseAddress, buffer.count, 0, $0, &size)
                }
            }
            (count, isThere) = (max(0, length), length >= 0)
        }
        return isThere ? (bytes, NetworkPlace(sender)) : nil
    }

    /// Passes a datagram to its peer's socket, and returns the socket if the peer is new.
    private func take(_ bytes: [UInt8], from place: NetworkPlace) -> HeardPeer? {
        let (peer, isNew) = state.withLock { state -> (HeardPeer?, Bool) in
            if let known = state.peers[place] { return (known, false) }
            guard !state.isClosed, state.peers.count < Self.limit else { return (nil, false) }
            let new = HeardPeer(place, over: socket) { [weak self] in self?.forget(place) }
            state.peers[place] = new
            return (new, true)
        }
        peer?.take(bytes)
        return isNew ? peer : nil
    }

    private func forget(_ place: NetworkPlace) {
        endIfUnused { $0.peers.removeValue(forKey: place) }
    }

    func close(endsPeers: Bool) {
        let peers = state.withLock { endsPeers ? Array($0.peers.values) : [] }
        for peer in peers { peer.shutDown() }
        endIfUnused {
            $0.isClosed = true
            return nil
        }
    }

    /// - Parameter change: Its result is released after the lock.
    private func endIfUnused(_ change: (inout State) -> HeardPeer?) {
        let (before, task) = state.withLock { state in
            let before = change(&state)
            return (before, state.isClosed && state.peers.isEmpty ? state.task : nil)
        }
        task?.cancel()
        withExtendedLifetime(before) {}
    }
}

/// A peer of a listener.
private final class HeardPeer: NetworkSocket {
    /// The most bytes of unread datagrams; further ones are dropped, as the kernel does for a socket.
    private static let limit = 262_144

    private struct State {
        var datagrams: [[UInt8]] = []
        var size = 0
        var waiting: CheckedContinuation<[UInt8]?, Never>?
        var hasEnded = false
    }

    let peer: NetworkPlace
    private let socket: Descriptor
    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    init(_ peer: NetworkPlace, over socket: Descriptor, onEnd: @escaping @Sendable () -> Void) {
        (self.peer, self.socket, self.onEnd) = (peer, socket, onEnd)
    }

    func take(_ bytes: [UInt8]) {
        let waiting = state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            // An empty datagram takes room as well.
            if !state.hasEnded, state.size + bytes.count < Self.limit {
                state.datagrams.append(bytes)
                state.size += bytes.count + 1
            }
            return nil
        }
        waiting?.resume(returning: bytes)
    }

    func send(_ bytes: [UInt8]) async throws {
        let address = try internetAddress(peer.address, port: peer.port)
        while true {
            do throws(SystemError) {
                try withAddress(address) { address, length throws(SystemError) in
                    _ = try valueOrErrno("sendto", "sending a datagram") {
                        sendto(socket.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
                    }
                }
                return
            } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(socket, for: POLLOUT)
            }
        }
    }

    func receive(upTo limit: Int) async throws -> [UInt8] {
        let bytes = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: [UInt8]?? = state.withLock { state in
                    if !state.datagrams.isEmpty {
                        let first = state.datagrams.removeFirst()
                        state.size -= first.count + 1
                        return first
                    }
                    if state.hasEnded || Task.isCancelled { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            wake()
        }
        guard let bytes else {
            throw SystemError(code: ECONNABORTED, action: "receiving from \(peer.address), port \(peer.port)")
        }
        return Array(bytes.prefix(limit))
    }

    func finish() {}

    func shutDown() {
        wake(ending: true)
        onEnd()
    }

    /// Ends the wait of a task, without a datagram.
    private func wake(ending isEnd: Bool = false) {
        let waiting = state.withLock { state in
            if isEnd { state.hasEnded = true }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
