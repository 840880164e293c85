import FoundationEssentials
import HILPOSIX

/// A simulation of the internet: the services of accessory makers, and a push service in place of Apple's.
///
/// Bytes in, bytes out: the owner of the sockets passes on received bytes and sends the results. Sealed messages stay
/// sealed. It stores only pushes for absent phones, and logs only their sizes. See ``BoardProtocol/PushMessage``.
package struct SimulatedInternet: Sendable {
    /// An action for the owner of the sockets.
    package enum Output: Sendable, Equatable {
        case send(Data, to: Int)
        /// Disconnect. Do not call ``SimulatedInternet/closed(_:)`` for it.
        case close(Int)
        /// A line for the log.
        case note(String)
    }

    /// The most connections at once, of all services together. More are disconnected.
    package static let connectionLimit = 32

    private enum Peer {
        /// A peer of the service with this index.
        case service(Int)
        /// A phone that is connected to the push service.
        case push(FrameReader)
    }

    private var services: [any InternetService]
    private var peers: [Int: Peer] = [:]
    private var lastConnection = 0
    private var pushes = PushMailboxes()

    /// - Parameter services: Their ports all differ.
    package init(_ services: [any InternetService]) { self.services = services }

    /// The TCP ports with a service.
    package var ports: [UInt16] { [PushService.port] + services.map(\.port) }

    /// How many pushes wait for phones.
    package var waitingPushCount: Int { pushes.count }

    /// Whether a peer has sent an incomplete message.
    package func isUnfinished(_ connection: Int) -> Bool {
        switch peers[connection] {
        case .service(let place): services[place].isUnfinished(connection)
        case .push(let reader): reader.pendingCount > 0
        case nil: false
        }
    }

    // MARK: Events of peers

    /// A peer connected to a port.
    ///
    /// - Returns: The connection's number; nil if there are too many connections or nothing listens on the port.
    package mutating func opened(port: UInt16) -> Int? {
        guard peers.count < Self.connectionLimit else { return nil }
        let place = services.firstIndex { $0.port == port }
        guard place != nil || port == PushService.port else { return nil }
        // Services may send the number in 4 bytes.
        repeat {
            lastConnection = lastConnection == Int(UInt32.max) ? 1 : lastConnection + 1
        } while peers[lastConnection] != nil
        if let place {
            peers[lastConnection] = .service(place)
            services[place].opened(lastConnection)
        } else {
            peers[lastConnection] = .push(FrameReader(limit: PushService.maximumPayload))
        }
        return lastConnection
    }

    /// A peer is gone.
    package mutating func closed(_ connection: Int) {
        switch peers.removeValue(forKey: connection) {
        case .service(let place): services[place].closed(connection)
        case .push: pushes.closed(connection)
        case nil: break
        }
    }

    /// Bytes came from a peer.
    package mutating func received(_ bytes: Data, from connection: Int) -> [Output] {
        switch peers[connection] {
        case .service(let place):
            var outputs: [Output] = []
            for action in services[place].received(bytes, from: connection) { outputs += carryOut(action, of: place) }
            return outputs
        case .push(var reader):
            var outputs: [Output] = []
            for item in reader.push(bytes) {
                guard case .frame(let frame) = item, let message = PushMessage(frame) else {
                    return outputs + hangUp(connection, "not a message of the push service")
                }
                outputs += take(message, from: connection)
            }
            if peers[connection] != nil { peers[connection] = .push(reader) }
            return outputs
        case nil: return []
        }
    }

    private mutating func hangUp(_ connection: Int, _ why: String) -> [Output] {
        closed(connection)
        return [.note("connection \(connection): disconnected: \(why)"), .close(connection)]
    }

    // MARK: Services

    private mutating func carryOut(_ action: InternetAction, of place: Int) -> [Output] {
        switch action {
        case .send(let bytes, let connection):
            return isPeer(connection, of: place) ? [.send(bytes, to: connection)] : []
        case .hangUp(let connection, let why):
            return isPeer(connection, of: place) ? hangUp(connection, why) : []
        case .push(let push, let token): return pushes.add(push.body, for: token)
        case .note(let text): return [.note(text)]
        }
    }

    private func isPeer(_ connection: Int, of place: Int) -> Bool {
        if case .service(place) = peers[connection] { true } else { false }
    }

    // MARK: Phones

    private mutating func take(_ message: PushMessage, from connection: Int) -> [Output] {
        // An earlier message in the same bytes may have ended the connection.
        guard peers[connection] != nil else { return [] }
        switch message {
        case .register(let token):
            guard let outputs = pushes.register(token, connection) else {
                return hangUp(connection, "no room for another token")
            }
            return note(connection, "a phone registered for \(logName(ofToken: token))") + outputs
        case .taken(let number):
            pushes.taken(number, by: connection)
            return note(connection, "push \(number) was taken")
        case .push: return hangUp(connection, "a message that only the push service sends")
        }
    }

    private func note(_ connection: Int, _ text: String) -> [Output] { [.note("connection \(connection): \(text)")] }
}

/// A name for a push token in a log: enough to distinguish tokens, but too little to use one.
package func logName(ofToken token: Data) -> String {
    "token " + token.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "…"
}
