import BoardProtocol
import FoundationEssentials
import Framing

/// What stands in for the internet: the services of accessories' makers, and the push service that takes Apple's place.
///
/// Bytes in, bytes out: whoever has the sockets passes on what arrives and sends what comes back. It opens nothing that is
/// sealed. It keeps only pushes, for phones that are away; its log has sizes. See ``BoardProtocol/PushMessage``.
package struct SimulatedInternet: Sendable {
    /// What is to be done.
    package enum Output: Sendable, Equatable {
        case send(Data, to: Int)
        /// Hang up; ``SimulatedInternet/closed(_:)`` is not to be called for it.
        case close(Int)
        /// For the log.
        case note(String)
    }

    /// How many peers there may be at once, of all services together; one more is hung up on.
    package static let connectionLimit = 32

    private enum Peer {
        /// Of the service at this place.
        case service(Int)
        /// A phone, connected to the push service.
        case push(FrameReader)
    }

    private var services: [any InternetService]
    private var peers: [Int: Peer] = [:]
    private var lastConnection = 0
    private var pushes = PushMailboxes()

    /// - Parameter services: Their ports all differ.
    package init(_ services: [any InternetService]) { self.services = services }

    /// The TCP ports that there is something to connect to.
    package var ports: [UInt16] { [PushService.port] + services.map(\.port) }

    /// How many pushes wait for phones.
    package var waitingPushCount: Int { pushes.count }

    /// Whether a peer has sent a part of a message and owes the rest.
    package func isUnfinished(_ connection: Int) -> Bool {
        switch peers[connection] {
        case .service(let place): services[place].isUnfinished(connection)
        case .push(let reader): reader.pendingCount > 0
        case nil: false
        }
    }

    // MARK: What peers do

    /// A peer connected to a port.
    ///
    /// - Returns: The connection's number; nil where there are too many, or nothing is at that port.
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
        return [.note("connection \(connection): hung up: \(why)"), .close(connection)]
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
        // An earlier message of the same bytes may have ended the connection.
        guard peers[connection] != nil else { return [] }
        switch message {
        case .register(let token):
            guard let outputs = pushes.register(token, connection) else {
                return hangUp(connection, "more tokens than are kept")
            }
            return note(connection, "a phone takes what comes for \(logName(ofToken: token))") + outputs
        case .taken(let number):
            pushes.taken(number, by: connection)
            return note(connection, "push \(number) was taken")
        case .push: return hangUp(connection, "a message that only the push service sends")
        }
    }

    private func note(_ connection: Int, _ text: String) -> [Output] { [.note("connection \(connection): \(text)")] }
}

/// A push token's name in a log: enough to tell one from another, and too little to use it.
package func logName(ofToken token: Data) -> String {
    "token " + token.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "…"
}
