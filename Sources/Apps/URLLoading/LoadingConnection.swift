import Glibc
import HILPOSIX
import HILPhone
import Network
import Synchronization

/// A connection of an app's URL session: the socket to the session, and a connection to a host over the phone's network.
///
/// To the session the connection is there at once. If the host cannot be reached, or is lost before it has read the
/// request, the session reads `ECONNRESET`, which Foundation calls `URLError.networkConnectionLost`. The cause is kept
/// for ``ExplainedLoading``.
final class LoadingConnection: Sendable {
    let app: RunningApp
    private let phone: Phone
    private let client: Descriptor
    /// The connection to the host, once the session has named it.
    private let host = Mutex<NWConnection?>(nil)
    /// How the answer to the last request began.
    private let head = Mutex(AnswerHead())
    private let onEnd: @Sendable (LoadingConnection) -> Void

    /// - Parameters:
    ///   - client: The socket to the session, non-blocking.
    ///   - onEnd: Called once, when the session knows of the end.
    init(
        _ client: Descriptor, of app: RunningApp, on phone: Phone,
        onEnd: @escaping @Sendable (LoadingConnection) -> Void
    ) {
        (self.client, self.app, self.phone, self.onEnd) = (client, app, phone, onEnd)
    }

    /// Carries all data, until both ends are closed.
    func run() async {
        try? await carry()
        host.withLock { $0 }?.forceCancel()
        // The session of an app that has ended gets nothing more.
        guard app.isRunning else { return }
        client.close()
        onEnd(self)
    }

    /// Ends the connection to the host, and leaves the session without a message.
    func leave() { host.withLock { $0 }?.forceCancel() }

    private func carry() async throws {
        guard let (name, port) = try await greet() else { return }
        // A request stays unread until the host is there. A socket that is closed with unread data is reset.
        try await waitUntilReady(client)
        guard isAllowed(name) else { return }
        let connection = phone.asCurrent { NWConnection(host: name, port: port, using: .tcp) }
        host.withLock { $0 = connection }
        guard app.isRunning else { return }
        let loading = phone.part(LoadingConnections.self)
        if let reason = await open(connection) {
            loading.keep(.notReached(reason), of: name, port)
            return note("is not reached", connection, reason)
        }
        loading.keep(nil, of: name, port)
        await withTaskGroup { group in
            group.addTask { try? await self.carryRequests(to: connection) }
            group.addTask {
                do { try await self.carryAnswers(from: connection) } catch {
                    if !Task.isCancelled { loading.keep(.lost, of: name, port) }
                    await self.lose(connection, error)
                }
                // The host has ended the connection without a word.
                if self.head.withLock({ $0.isEmpty }) { loading.keep(.lost, of: name, port) }
            }
            // The task that ends first ends the other one.
            await group.next()
            connection.cancel()
            group.cancelAll()
        }
    }

    /// Connects, as long as the session waits; the reason if the host is not reached.
    private func open(_ connection: NWConnection) async -> NWError? {
        let patience = Task {
            try await waitUntilReady(client, for: Self.hangUp)
            connection.forceCancel()
        }
        defer { patience.cancel() }
        let waits = phone.part(LoadingConnections.self).waits(app)
        if !waits, !phone.policy.requestsWaitForLocalNetworkPermission, connection.asksForLocalNetwork() {
            phone.record(
                .note(
                    "URLSession",
                    "\(connection.endpoint.debugDescription) is asked before the person has answered about the local network: "
                        + "set waitsForConnectivity, or try again"))
            return .posix(.ENETDOWN)
        }
        return await connection.opening { [weak self, weak connection] reason in
            if waits, let connection { self?.note("is waited for", connection, reason) }
            return waits
        }
    }

    /// The host is lost. An answer that ends only with the connection would look complete if the connection ended now:
    /// the session waits for the rest, until its timeout.
    private func lose(_ connection: NWConnection, _ error: any Error) async {
        guard !Task.isCancelled else { return }
        if let error = error as? NWError { note("was lost", connection, error) }
        if head.withLock({ $0.endsWithConnection }) { try? await waitUntilReady(client, for: Self.hangUp) }
    }

    private func note(_ what: String, _ connection: NWConnection, _ reason: NWError) {
        phone.record(.note("URLSession", "\(connection.endpoint.debugDescription) \(what): \(reason.debugDescription)"))
    }

    /// `POLLRDHUP`, which Glibc shows only to GNU's sources: the session has closed its end.
    private static let hangUp: Int32 = 0x2000

    /// Reads which host and port the session wants; nil if it speaks another protocol.
    private func greet() async throws -> (NWEndpoint.Host, NWEndpoint.Port)? {
        var handshake = SocksHandshake()
        while true {
            try await waitUntilReady(client)
            let bytes = try client.read(upTo: 1024)
            if bytes.isEmpty { return nil }
            switch handshake.take(bytes) {
            case .wait: break
            case .answer(let answer): try client.write(answer)
            case .refuse(let answer):
                try client.write(answer)
                return nil
            case .connect(let host, let port, let answer):
                try client.write(answer)
                return (host, port)
            }
        }
    }

    /// Whether the app's property list allows its data: TLS to any host, HTTP without it to some (W14).
    private func isAllowed(_ host: NWEndpoint.Host) -> Bool {
        // The type of TLS's records that begin a handshake (RFC 8446, 5.1).
        let handshake: UInt8 = 22
        var first: UInt8 = 0
        guard case .name(let name, _) = host, recv(client.raw, &first, 1, Int32(MSG_PEEK)) == 1,
            first != handshake
        else { return true }
        return phone.localNetworkAccess.allowsInsecureLoad(from: name, by: app)
    }

    private func carryRequests(to connection: NWConnection) async throws {
        while true {
            try await waitUntilReady(client)
            let bytes = try client.read()
            if bytes.isEmpty { return }
            head.withLock { $0 = AnswerHead() }
            try await connection.sending(Data(bytes))
        }
    }

    private func carryAnswers(from connection: NWConnection) async throws {
        while true {
            let (bytes, isLast) = try await connection.receiving()
            head.withLock { $0.take(bytes) }
            var rest = bytes[...]
            while !rest.isEmpty {
                try await waitUntilReady(client, for: POLLOUT)
                rest = rest.dropFirst(try client.writeSome(rest))
            }
            if isLast { return }
        }
    }
}

/// Callbacks as calls that wait. A call without a callback, because the app has ended, is cancelled.
extension NWConnection {
    /// Starts, and waits until it is ready; the reason if it cannot be.
    ///
    /// - Parameter waits: Whether to wait for another network, or for a host that takes connections, after this error.
    fileprivate func opening(waits: @escaping @Sendable (NWError) -> Bool) async -> NWError? {
        await withCheckedContinuation { continuation in
            let answer = Answer(continuation, otherwise: NWError.posix(.ECANCELED))
            stateUpdateHandler = { state in
                switch state {
                case .setup, .preparing: break
                case .ready: answer.give(nil)
                case .waiting(let error): if !waits(error) { answer.give(error) }
                case .failed(let error): answer.give(error)
                case .cancelled: answer.give(.posix(.ECANCELED))
                }
            }
            start(queue: DispatchQueue(label: "URLSession"))
        }
    }

    /// Sends, and waits until the radio has taken it.
    fileprivate func sending(_ bytes: Data) async throws {
        let error: NWError? = await withCheckedContinuation { continuation in
            let answer = Answer(continuation, otherwise: NWError.posix(.ECANCELED))
            send(content: bytes, completion: .contentProcessed { answer.give($0) })
        }
        if let error { throw error }
    }

    /// Receives at least one byte, unless the host has ended its direction.
    fileprivate func receiving() async throws -> (Data, isLast: Bool) {
        let result: Result<(Data, isLast: Bool), NWError> = await withCheckedContinuation { continuation in
            let answer = Answer(continuation, otherwise: .failure(NWError.posix(.ECANCELED)))
            receive(minimumIncompleteLength: 1, maximumLength: 65_536) { data, _, isLast, error in
                answer.give(error.map { .failure($0) } ?? .success((data ?? Data(), isLast: isLast)))
            }
        }
        return try result.get()
    }
}

/// Resumes a continuation once: with the first answer, or with another one when no answer can come any more.
private final class Answer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>
    private let otherwise: Value

    init(_ continuation: CheckedContinuation<Value, Never>, otherwise: Value) {
        self.continuation = Mutex(continuation)
        self.otherwise = otherwise
    }

    deinit { give(otherwise) }

    func give(_ value: Value) {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: value)
    }
}
