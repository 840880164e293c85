import Glibc
import HILAvahi
import HILPOSIX
import RadioModel
import Synchronization

/// The searches, the offered services and the listeners that the runner has open on a host board, by number.
final class OpenServices: Sendable {
    /// The most of each kind at once.
    static let limit = 32
    /// The most connections that wait to be accepted; further ones are closed.
    static let backlog = 16

    /// A listener, and its connections that were not requested yet.
    struct Listening: Sendable {
        /// A ``TCPListener`` or a ``UDPListener``.
        let listener: any Sendable
        let connections: AsyncStream<any NetworkSocket>
    }

    private struct State {
        var searches: [Int: (browsing: ServiceBrowsing, seen: Int)] = [:]
        var offered: [Int: ServicePublication] = [:]
        var listeners: [Int: Listening] = [:]
        var lastNumber = 0

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())

    func add(_ browsing: ServiceBrowsing) throws(RadioError) -> Int {
        try keep { state in
            guard state.searches.count < Self.limit else { return nil }
            let number = state.number()
            state.searches[number] = (browsing, 0)
            return number
        }
    }

    func add(_ publication: ServicePublication) throws(RadioError) -> Int {
        try keep { state in
            guard state.offered.count < Self.limit else { return nil }
            let number = state.number()
            state.offered[number] = publication
            return number
        }
    }

    /// Listens at a port of a network interface.
    func listen(
        at port: UInt16, by transport: InternetTransport, of interface: String
    ) throws(RadioError) -> (number: Int, port: UInt16) {
        let (connections, arrived) = AsyncStream.makeStream(
            of: (any NetworkSocket).self, bufferingPolicy: .bufferingOldest(Self.backlog))
        let listener: any Sendable
        let chosen: UInt16
        do {
            switch transport {
            case .tcp:
                let tcp = try TCPListener(on: "0.0.0.0", of: interface, port: port) { arrived.yield($0) }
                (listener, chosen) = (tcp, tcp.port)
            case .udp:
                let udp = try UDPListener(on: "0.0.0.0", of: interface, port: port) { arrived.yield($0) }
                (listener, chosen) = (udp, udp.port)
            }
        } catch { throw .streamFailed(code: error.code, reason: "\(error)") }
        let number = try keep { state in
            guard state.listeners.count < Self.limit else { return nil }
            let number = state.number()
            state.listeners[number] = Listening(listener: listener, connections: connections)
            return number
        }
        return (number, chosen)
    }

    private func keep(_ body: (inout sending State) -> sending Int?) throws(RadioError) -> Int {
        guard let number = state.withLock(body) else {
            throw .invalid("too many are open: \(Self.limit) of this kind; close one first")
        }
        return number
    }

    /// Waits for changes that a search has found since the last call.
    func changes(of number: Int) async throws -> [BonjourChange] {
        guard let (browsing, seen) = state.withLock({ $0.searches[number] }) else { throw Self.ended }
        let first = try await browsing.changes.first(from: seen)
        var (changes, next) = ([first.event], first.next)
        while next < browsing.changes.count {
            let more = try await browsing.changes.first(from: next)
            changes.append(more.event)
            next = more.next
        }
        state.withLock { [next] in $0.searches[number]?.seen = next }
        return changes
    }

    func offered(_ number: Int) throws(RadioError) -> ServicePublication {
        guard let offered = state.withLock({ $0.offered[number] }) else { throw Self.ended }
        return offered
    }

    /// Waits for a connection. The task must not be cancelled while it waits.
    func connection(to number: Int) async throws(RadioError) -> any NetworkSocket {
        // Not the listener itself: it would keep listening while a task waits here.
        guard let connections = state.withLock({ $0.listeners[number]?.connections }) else { throw Self.ended }
        var next = connections.makeAsyncIterator()
        guard let socket = await next.next() else { throw Self.ended }
        return socket
    }

    func endBrowsing(_ number: Int) { state.withLock { $0.searches.removeValue(forKey: number) }.map(Self.end) }

    func withdraw(_ number: Int) { _ = state.withLock { $0.offered.removeValue(forKey: number) } }

    func stopListening(_ number: Int) { _ = state.withLock { $0.listeners.removeValue(forKey: number) } }

    /// Ends all: the conversation with the runner has ended.
    func endAll() {
        let before = state.withLock { state in
            defer { state = State(lastNumber: state.lastNumber) }
            return state
        }
        for search in before.searches.values { Self.end(search) }
    }

    private static func end(_ search: (browsing: ServiceBrowsing, seen: Int)) {
        search.browsing.changes.finish(throwing: ended)
    }

    private static let ended = RadioError.streamFailed(code: ECONNABORTED, reason: "it is no longer open")
}
