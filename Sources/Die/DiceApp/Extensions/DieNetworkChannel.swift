import Foundation
import Network

/// Sends and receives the die's messages over IP, by one route.
///
/// It connects when there is a message to send, and stays connected.
///
/// `@unchecked Sendable`: all state is changed on `queue` only, and all callbacks come there.
final class DieNetworkChannel: MessageChannel, @unchecked Sendable {
    /// The most bytes of one read.
    private static let pieceLength = 65_536

    let queue = DispatchQueue(label: "die.network")
    private let route: DieRoute
    private let tell: @Sendable (ChannelEvent) -> Void
    private let monitor = NWPathMonitor(requiredInterfaceType: .wifi)
    private var connection: NWConnection?
    private var isReady = false
    private var reader: DieRoute.Reader?

    /// Makes a channel that is not open yet.
    init(_ route: DieRoute, tell: @escaping @Sendable (ChannelEvent) -> Void) {
        self.route = route
        self.tell = tell
        monitor.start(queue: queue)
    }

    func open() {
        guard connection == nil else { return }
        guard let endpoint = route.endpoint(monitor.currentPath) else { return tell(.unavailable) }
        let fresh = NWConnection(to: endpoint, using: .tcp)
        connection = fresh
        reader = route.reader()
        fresh.stateUpdateHandler = { [weak self, weak fresh] state in
            guard let self, let fresh, fresh === connection else { return }
            changed(to: state, of: fresh)
        }
        fresh.start(queue: queue)
    }

    func send(_ message: Data) throws {
        guard let connection, isReady else { throw NWError.posix(.ENOTCONN) }
        connection.send(content: try route.frame(message), completion: .idempotent)
    }

    func close() {
        queue.async { [self] in
            monitor.cancel()
            endConnection()
        }
    }

    private func changed(to state: NWConnection.State, of connection: NWConnection) {
        switch state {
        case .ready:
            isReady = true
            receive(from: connection)
            tell(.opened(nil))
        case .waiting:
            // Nothing listens there: this is not the die's network, or the die or the relay is off.
            reportUnavailable()
        case .failed: reportLoss()
        case .setup, .preparing, .cancelled: break
        }
    }

    private func receive(from connection: NWConnection) {
        connection.receive(minimumIncompleteLength: 1, maximumLength: Self.pieceLength) {
            [weak self, weak connection] bytes, _, isComplete, error in
            guard let self, let connection, connection === self.connection else { return }
            do {
                for event in try reader?(bytes ?? Data()) ?? [] {
                    if case .unavailable = event { return reportUnavailable() }
                    tell(event)
                }
            } catch {
                // The peer is not a die.
                return reportLoss()
            }
            if isComplete || error != nil { reportLoss() } else { receive(from: connection) }
        }
    }

    private func reportLoss() {
        endConnection()
        tell(.lost)
    }

    private func reportUnavailable() {
        endConnection()
        tell(.unavailable)
    }

    private func endConnection() {
        let ended = connection
        connection = nil
        isReady = false
        reader = nil
        ended?.cancel()
    }
}
