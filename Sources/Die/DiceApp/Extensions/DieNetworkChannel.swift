import Foundation
import Network

/// The die's messages over IP, by one of its routes.
///
/// It connects when there is something to be sent, and stays connected. `@unchecked Sendable`: everything that changes does so
/// on `queue`, where every callback comes too.
final class DieNetworkChannel: MessageChannel, @unchecked Sendable {
    /// How many bytes are taken at once.
    private static let pieceLength = 65_536

    let queue = DispatchQueue(label: "die.network")
    private let route: DieRoute
    private let tell: @Sendable (ChannelEvent) -> Void
    private let monitor = NWPathMonitor(requiredInterfaceType: .wifi)
    private var connection: NWConnection?
    private var isReady = false
    private var reader: DieRoute.Reader?

    /// A channel that is yet to be opened.
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
            letGo()
        }
    }

    private func changed(to state: NWConnection.State, of connection: NWConnection) {
        switch state {
        case .ready:
            isReady = true
            receive(from: connection)
            tell(.opened(nil))
        case .waiting:
            // Nobody listens there: it is another network than the die's, or the die or the relay is off.
            giveUp()
        case .failed: lose()
        case .setup, .preparing, .cancelled: break
        }
    }

    private func receive(from connection: NWConnection) {
        connection.receive(minimumIncompleteLength: 1, maximumLength: Self.pieceLength) {
            [weak self, weak connection] bytes, _, isComplete, error in
            guard let self, let connection, connection === self.connection else { return }
            do {
                for event in try reader?(bytes ?? Data()) ?? [] {
                    if case .unavailable = event { return giveUp() }
                    tell(event)
                }
            } catch {
                // What talks like this is no die.
                return lose()
            }
            if isComplete || error != nil { lose() } else { receive(from: connection) }
        }
    }

    private func lose() {
        letGo()
        tell(.lost)
    }

    private func giveUp() {
        letGo()
        tell(.unavailable)
    }

    private func letGo() {
        let ended = connection
        connection = nil
        isReady = false
        reader = nil
        ended?.cancel()
    }
}
