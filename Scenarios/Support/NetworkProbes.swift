import Foundation
import HIL
import HILTiming
import Network
import Synchronization

/// Starts a connection of the running app, and records its callbacks.
final class SocketProbe: Sendable {
    /// The bytes of one reception.
    struct Piece: Sendable, Equatable {
        var bytes: Data?
        var isComplete: Bool
        var error: NWError?
    }

    let connection: NWConnection
    let states = EventLog<NWConnection.State>()

    init(_ connection: NWConnection) {
        self.connection = connection
        connection.stateUpdateHandler = { [states] in states.append($0) }
        connection.start(queue: DispatchQueue(label: "socket probe"))
    }

    /// Waits until the connection has been in a state.
    func reach(_ state: NWConnection.State, since start: Int = 0, within limit: Duration = .seconds(10)) async throws {
        _ = try await states.first(from: start, within: limit, waitingFor: "the connection to be \(state)") {
            $0 == state
        }
    }

    func send(_ bytes: Data, isLast: Bool = false) {
        connection.send(
            content: bytes, contentContext: isLast ? .finalMessage : .defaultMessage, completion: .idempotent)
    }

    /// Waits for some bytes, or for the end.
    func receive() async -> Piece {
        await withCheckedContinuation { answer in
            connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { bytes, _, isComplete, error in
                answer.resume(returning: Piece(bytes: bytes, isComplete: isComplete, error: error))
            }
        }
    }

    /// Receives until the peer has ended its direction.
    func receiveAll() async throws -> Data {
        var all = Data()
        while true {
            let piece = await receive()
            if let error = piece.error { throw error }
            all += piece.bytes ?? Data()
            if piece.isComplete { return all }
        }
    }
}

/// Starts a browser of the running app, and records its callbacks.
final class BrowserProbe: Sendable {
    typealias Change = NWBrowser.Result.Change

    let browser: NWBrowser
    let states = EventLog<NWBrowser.State>()
    let changes = EventLog<Change>()

    init(_ descriptor: NWBrowser.Descriptor) {
        browser = NWBrowser(for: descriptor, using: .tcp)
        browser.stateUpdateHandler = { [states] in states.append($0) }
        browser.browseResultsChangedHandler = { [changes] _, new in for change in new { changes.append(change) } }
        browser.start(queue: DispatchQueue(label: "browser probe"))
    }

    /// Waits until the browser has been in a state.
    func reach(_ state: NWBrowser.State, since start: Int = 0) async throws {
        _ = try await states.first(from: start, within: .seconds(10), waitingFor: "the browser to be \(state)") {
            $0 == state
        }
    }

    /// The next change from a place on, and the place after it.
    func change(after place: Int = 0) async throws -> (Change, next: Int) {
        let found = try await changes.first(from: place, within: .seconds(15), waitingFor: "a change of the services")
        return (found.event, found.next)
    }
}

/// Starts a listener of the running app that answers each request, and records its callbacks.
final class ListenerProbe: Sendable {
    let listener: NWListener
    let states = EventLog<NWListener.State>()
    let registered = EventLog<NWEndpoint>()
    let accepted = EventLog<NWConnection>()

    /// - Parameter answer: Makes the answer to the first bytes of a connection.
    init(_ listener: NWListener, answer: @escaping @Sendable (Data) -> Data) {
        self.listener = listener
        listener.stateUpdateHandler = { [states] in states.append($0) }
        listener.serviceRegistrationUpdateHandler = { [registered] change in
            if case .add(let endpoint) = change { registered.append(endpoint) }
        }
        listener.newConnectionHandler = { [accepted] connection in
            accepted.append(connection)
            connection.receive(minimumIncompleteLength: 1, maximumLength: 1024) { bytes, _, _, _ in
                connection.send(
                    content: answer(bytes ?? Data()), contentContext: .finalMessage, completion: .idempotent)
            }
            connection.start(queue: DispatchQueue(label: "listener probe"))
        }
        listener.start(queue: DispatchQueue(label: "listener probe"))
    }

    /// Waits until the listener has been in a state.
    func reach(_ state: NWListener.State, since start: Int = 0) async throws {
        _ = try await states.first(from: start, within: .seconds(15), waitingFor: "the listener to be \(state)") {
            $0 == state
        }
    }
}

extension NWBrowser.Result.Change {
    /// The result that was added; nil for another change.
    var added: NWBrowser.Result? { if case .added(let result) = self { result } else { nil } }

    /// A result before and after a change, and the parts that changed; nil for another change.
    var changed: (old: NWBrowser.Result, new: NWBrowser.Result, flags: Flags)? {
        if case .changed(let old, let new, let flags) = self { (old, new, flags) } else { nil }
    }
}
