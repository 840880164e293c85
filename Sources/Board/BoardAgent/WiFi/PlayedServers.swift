import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import RadioModel

/// The servers that a home's router plays in place of those on the internet: TCP ports at its address, until it is
/// released.
final class PlayedServers: Sendable {
    /// The connections so far.
    let clients: EventLog<ServedClient>
    let streams: OpenStreams
    private let listeners: [TCPListener]
    /// The ports that were free.
    let ports: [UInt16]

    init(at ports: [UInt16], in namespace: NetworkNamespace?) throws {
        let (streams, clients) = (OpenStreams(in: namespace), EventLog<ServedClient>())
        (self.streams, self.clients) = (streams, clients)
        var (listeners, free): ([TCPListener], [UInt16]) = ([], [])
        for port in ports {
            do throws(SystemError) {
                listeners.append(
                    try TCPListener(on: "0.0.0.0", port: port, in: namespace) { socket in
                        // More than the streams allow are closed.
                        guard let stream = try? streams.accept(socket) else { return socket.shutDown() }
                        clients.append(ServedClient(stream: stream, port: port, peer: socket.peer))
                    })
                free.append(port)
            } catch { guard error.code == EADDRINUSE else { throw error } }
        }
        (self.listeners, self.ports) = (listeners, free)
    }

    deinit { streams.endAll() }

    /// Waits for the next connection.
    ///
    /// - Parameter known: How many are known.
    func next(after known: Int, within limit: Duration) async throws -> [ServedClient] {
        do {
            return [
                try await clients.first(from: known, within: limit, waitingFor: "a connection", where: { _ in true })
                    .event
            ]
        } catch is TimedOut { return [] }
    }
}

extension HomeRouter {
    /// Plays servers at these ports of the router.
    ///
    /// - Returns: Those that were free.
    func playServers(at ports: [UInt16]) throws -> [UInt16] {
        // Those before free their ports first.
        servers = nil
        let played = try PlayedServers(at: ports, in: namespace())
        servers = played
        return played.ports
    }

    /// The servers that the router plays.
    func playedServers() throws(RadioError) -> PlayedServers {
        guard let servers else { throw .invalid("the home's router plays no servers") }
        return servers
    }
}
