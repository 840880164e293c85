import HILPhone
import HostRadio
import RadioModel
import Synchronization

/// The state of a connection, the data that is still to be sent, and the received data that the app has not asked for.
///
/// Callbacks are queued while the lock is held, so that they arrive in the order of the events.
final class ConnectionCore: Sendable {
    struct Send: Sendable {
        let content: Data
        /// Whether the message ends with it; this matters only over UDP.
        let isComplete: Bool
        let isLast: Bool
        let completion: NWConnection.SendCompletion
    }

    struct Receive: Sendable {
        let minimum: Int
        let maximum: Int
        let completion: @Sendable (Data?, NWConnection.ContentContext?, Bool, NWError?) -> Void
    }

    /// The app's callbacks, and the queue on which they are called.
    struct Handlers: Sendable {
        var queue: DispatchQueue?
        var onState: (@Sendable (NWConnection.State) -> Void)?
        var onViability: (@Sendable (Bool) -> Void)?
        var onBetterPath: (@Sendable (Bool) -> Void)?
    }

    struct Shared {
        var state = NWConnection.State.setup
        /// Counts the attempts to connect: one that took too long no longer has an effect.
        var attempt = 0
        var handlers = Handlers()
        /// The watches of the phone's network and of the permission for it.
        var watches: [LinkWatch] = []
        /// The person is asked for the permission now.
        var isAsking = false
        var stream: (any RadioStream)?
        /// Where the present attempt goes, once the peer's name is resolved.
        var place: NetworkPlace?
        /// A stream over which TLS is about to be spoken.
        var opening: (any RadioStream)?
        var sends: [Send] = []
        var isSending = false
        /// The app has cancelled, but earlier data is still being sent.
        var isClosing = false
        var receives: [Receive] = []
        var buffer = ReceivedData()
        /// The bytes that the app has sent of an incomplete datagram.
        var unfinished = Data()
        var isReading = false
    }

    /// How many bytes are stored before the app asks for them. Further bytes stay with the peer.
    private static let bufferLimit = 65_536

    let endpoint: NWEndpoint
    let transport: InternetTransport
    let interface: NWInterface.InterfaceType
    let timeout: Duration?
    /// The options of TLS; nil without it.
    let tls: sec_protocol_options.Values?
    let app: RunningApp
    let phone: Phone
    /// The extension of the app that has made the connection; nil if the app itself has.
    let host: ExtensionRun?
    var isOfExtension: Bool { host != nil }
    /// Whether the peer has made the connection.
    let isAccepted: Bool
    let shared: Mutex<Shared>

    /// - Parameters:
    ///   - timeout: How long an attempt to connect may take; nil is no limit.
    ///   - tls: The options of TLS; nil without it.
    ///   - accepted: The stream of a connection that a peer has made; nil to connect.
    init(
        to endpoint: NWEndpoint, by transport: InternetTransport, over interface: NWInterface.InterfaceType,
        within timeout: Duration?, tls: sec_protocol_options.Values? = nil, accepted: (any RadioStream)? = nil,
        for app: RunningApp,
        on phone: Phone
    ) {
        host = Phone.hostOfCaller
        isAccepted = accepted != nil
        shared = Mutex(Shared(stream: accepted, buffer: ReceivedData(by: transport)))
        self.transport = transport
        self.endpoint = endpoint
        self.interface = interface
        self.timeout = timeout
        self.tls = tls
        self.app = app
        self.phone = phone
    }

    var state: NWConnection.State { shared.withLock { $0.state } }
    var handlers: Handlers { shared.withLock { $0.handlers } }

    /// The address and the port of the peer, once the connection is ready.
    var reached: NWEndpoint? {
        shared.withLock { shared in
            guard shared.state == .ready else { return nil }
            if isAccepted { return endpoint }
            guard let place = shared.place, let port = NWEndpoint.Port(rawValue: place.port) else { return nil }
            return .hostPort(host: NWEndpoint.Host(place.address), port: port)
        }
    }

    func set(_ change: (inout Handlers) -> Void) { shared.update { change(&$0.handlers) } }

    // MARK: Starting and ending

    func start(on queue: DispatchQueue) {
        let isFirst = shared.withLock { shared in
            guard shared.handlers.queue == nil else { return false }
            shared.handlers.queue = queue
            guard shared.state == .setup else { return false }
            enter(.preparing, &shared)
            return true
        }
        guard isFirst else { return }
        var watches = [
            phone.network.watchLink { [weak self] in self?.linkChanged() },
            phone.localNetworkAccess.watch { [weak self] in self?.permissionChanged() },
        ]
        // The phone runs extensions without their app.
        if let host {
            watches.append(host.whenEnded { [weak self] in self?.close(silently: true) })
        } else {
            watches.append(app.watchSuspension { [weak self] in self?.appWasSuspended() })
        }
        let kept = watches
        shared.withLock { $0.watches = $0.state == .cancelled ? [] : kept }
        attempt()
    }

    func open(_ stream: any RadioStream, _ attempt: Int) {
        let isWanted = shared.withLock { shared in
            guard shared.state == .preparing, shared.attempt == attempt else { return false }
            shared.stream = stream
            enter(.ready, &shared)
            if let handler = shared.handlers.onViability { call(shared.handlers) { handler(true) } }
            if let handler = shared.handlers.onBetterPath { call(shared.handlers) { handler(false) } }
            return true
        }
        guard isWanted else { return stream.close() }
        sendMore()
        readMore()
    }

    /// The system takes the sockets of an app that it suspends (W20). The app hears of it when it is awake again.
    private func appWasSuspended() {
        guard phone.policy.closesSocketsOfSuspendedApps else { return }
        fail(.posix(.ECONNABORTED))
    }

    private func fail(_ error: NWError) {
        let stream = shared.withLock { shared -> (any RadioStream)? in
            guard shared.state == .ready else { return nil }
            if !shared.isClosing { enter(.failed(error), &shared) }
            defer { shared.stream = nil }
            return shared.stream
        }
        stream?.close()
        finish(error)
    }

    /// Ends the connection from the app's side.
    ///
    /// - Parameters:
    ///   - abruptly: Whether unsent data is dropped.
    ///   - silently: Whether the app's callbacks are dropped, because the app has released the connection.
    func end(abruptly: Bool, silently: Bool) {
        let isOver = shared.withLock { shared in
            guard shared.state != .cancelled else { return false }
            shared.isClosing = true
            return abruptly || shared.state != .ready || shared.sends.isEmpty && !shared.isSending
        }
        if isOver { close(silently: silently) }
    }

    private func close(silently: Bool = false) {
        let (streams, watches) = shared.update { shared -> ([any RadioStream], [LinkWatch]) in
            guard shared.state != .cancelled else { return ([], []) }
            if silently { shared.handlers = Handlers(queue: shared.handlers.queue) }
            enter(.cancelled, &shared)
            defer { (shared.stream, shared.opening, shared.watches) = (nil, nil, []) }
            return ([shared.stream, shared.opening].compactMap(\.self), shared.watches)
        }
        for stream in streams { stream.close() }
        withExtendedLifetime(watches) {}
        finish(.posix(.ECANCELED))
        // A handler that holds its connection would keep it alive for ever.
        set { $0 = Handlers(queue: $0.queue) }
    }

    /// Completes all waiting sends and receives with an error.
    private func finish(_ error: NWError) {
        shared.update { shared in
            for send in shared.sends { complete(send, error, shared.handlers) }
            for receive in shared.receives { call(shared.handlers) { receive.completion(nil, nil, false, error) } }
            (shared.sends, shared.receives, shared.buffer) = ([], [], ReceivedData(by: transport))
        }
    }

    func enter(_ state: NWConnection.State, _ shared: inout Shared) {
        shared.state = state
        guard let handler = shared.handlers.onState else { return }
        switch state {
        case .waiting(let error): phone.note("NWConnection", "is waiting", error, toldTo: app)
        case .failed(let error): phone.note("NWConnection", "has failed", error, toldTo: app)
        default: break
        }
        call(shared.handlers) { handler(state) }
    }

    func call(_ handlers: Handlers, _ body: @escaping @Sendable () -> Void) {
        if let queue = handlers.queue { phone.deliver(to: app, on: queue, hostedBy: host, body) }
    }

    // MARK: Sending

    func send(_ send: Send) {
        let isAccepted = shared.withLock { shared in
            guard let error = refusal(shared) else {
                shared.sends.append(send)
                return true
            }
            complete(send, error, shared.handlers)
            return false
        }
        if isAccepted { sendMore() }
    }

    private func refusal(_ shared: Shared) -> NWError? {
        switch shared.state {
        case .failed(let error): error
        case .cancelled: .posix(.ECANCELED)
        default: shared.isClosing ? .posix(.ECANCELED) : nil
        }
    }

    private func sendMore() {
        let next = shared.withLock { shared -> (any RadioStream)? in
            guard shared.state == .ready, !shared.isSending, !shared.sends.isEmpty else { return nil }
            shared.isSending = true
            return shared.stream
        }
        guard let stream = next else { return }
        Task {
            while let send = nextSend() {
                do {
                    try await pass(send, to: stream)
                    shared.withLock { complete(send, nil, $0.handlers) }
                } catch NWError.posix(.EMSGSIZE) {
                    // The datagram alone is lost.
                    shared.withLock { complete(send, .posix(.EMSGSIZE), $0.handlers) }
                } catch {
                    shared.withLock { complete(send, NWError(error), $0.handlers) }
                    fail(NWError(error))
                }
            }
            if shared.withLock({ $0.isClosing }) { close() }
        }
    }

    private func pass(_ send: Send, to stream: any RadioStream) async throws {
        guard transport == .udp else {
            if !send.content.isEmpty || send.isLast { try await stream.send(send.content, isLast: send.isLast) }
            return
        }
        let datagram = shared.withLock { shared -> Data? in
            shared.unfinished += send.content
            defer { if send.isComplete { shared.unfinished = Data() } }
            return send.isComplete ? shared.unfinished : nil
        }
        guard let datagram else { return }
        guard datagram.count <= InternetTransport.longestDatagram else { throw NWError.posix(.EMSGSIZE) }
        try await stream.send(datagram, isLast: false)
    }

    private func nextSend() -> Send? {
        shared.withLock { shared in
            guard shared.state == .ready, !shared.sends.isEmpty else {
                shared.isSending = false
                return nil
            }
            return shared.sends.removeFirst()
        }
    }

    private func complete(_ send: Send, _ error: NWError?, _ handlers: Handlers) {
        guard case .contentProcessed(let body) = send.completion else { return }
        call(handlers) { body(error) }
    }

    // MARK: Receiving

    func receive(_ receive: Receive) {
        let isAccepted = shared.update { shared in
            guard let error = refusal(shared) else {
                shared.receives.append(receive)
                satisfy(&shared)
                return true
            }
            call(shared.handlers) { receive.completion(nil, nil, false, error) }
            return false
        }
        if isAccepted { readMore() }
    }

    /// Completes as many receives as the stored data allows, in the order in which the app asked.
    private func satisfy(_ shared: inout Shared) {
        while let first = shared.receives.first,
            let part = shared.buffer.take(atLeast: first.minimum, atMost: first.maximum)
        {
            shared.receives.removeFirst()
            let context = part.isLast ? NWConnection.ContentContext.finalMessage : .defaultMessage
            call(shared.handlers) { first.completion(part.bytes, context, part.isComplete, nil) }
        }
    }

    /// Keeps one read running while there is room for its data, so that a lost connection is noticed.
    private func readMore() {
        let next = shared.withLock { shared -> (any RadioStream)? in
            let wanted = max(Self.bufferLimit, shared.receives.first?.minimum ?? 0)
            guard shared.state == .ready, !shared.isReading, shared.buffer.hasRoom(for: wanted) else {
                return nil
            }
            shared.isReading = true
            return shared.stream
        }
        guard let stream = next else { return }
        Task {
            do {
                let bytes = try await stream.receive(upTo: Self.bufferLimit)
                shared.update { shared in
                    shared.isReading = false
                    shared.buffer.add(bytes)
                    satisfy(&shared)
                }
                readMore()
            } catch { fail(NWError(error)) }
        }
    }
}
