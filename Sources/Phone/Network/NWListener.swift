import HILPhone
import HostRadio
import RadioModel
import Synchronization

/// Accepts TCP connections on the network that the phone has joined, or hears datagrams there, and offers a service by
/// Bonjour. Over UDP each new peer is a connection, which begins with its first datagram.
///
/// A service needs the person's permission for the local network, and its type must be in the app's Info.plist under
/// `NSBonjourServices`; listening alone needs neither. Callbacks are called on the queue that ``start(queue:)`` names.
/// A listener that the app releases is cancelled. Connections that it has accepted stay.
public final class NWListener: Sendable, CustomDebugStringConvertible {
    /// The state of a listener.
    public enum State: Sendable, Equatable {
        /// The listener is not started yet.
        case setup
        /// It cannot listen or offer its service now: `PolicyDenied` while the person does not allow the local network.
        case waiting(NWError)
        /// It accepts connections.
        case ready
        /// It has ended: the port is in use, or the app has no ``newConnectionHandler``.
        case failed(NWError)
        /// The app has ended it. No callback follows.
        case cancelled
    }

    /// A service to offer.
    public struct Service: Sendable, Hashable, CustomDebugStringConvertible {
        /// Its name for people; nil for the name of the phone.
        public let name: String?
        /// The protocol: `_lamp._tcp`.
        public let type: String
        /// Nil for `local.`.
        public let domain: String?
        /// The TXT record, in the form of a DNS packet.
        public var txtRecord: Data?
        /// Whether a name that is taken is an error; if not, a number is added to it.
        public var noAutoRename = false

        public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: Data? = nil) {
            (self.name, self.type, self.domain, self.txtRecord) = (name, type, domain, txtRecord)
        }

        public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: NWTXTRecord) {
            self.init(name: name, type: type, domain: domain, txtRecord: txtRecord.data)
        }

        /// The TXT record.
        public var txtRecordObject: NWTXTRecord? {
            get { txtRecord.map { NWTXTRecord($0) } }
            set { txtRecord = newValue?.data }
        }

        public var debugDescription: String { "\(name ?? "").\(type).\(domain ?? "")" }

        fileprivate func isSame(as other: Service) -> Bool {
            (name, type, domain) == (other.name, other.type, other.domain)
        }
    }

    /// A change of the offered service.
    public enum ServiceRegistrationChange: Sendable {
        /// The service is offered; a number may have been added to the app's name for it.
        case add(NWEndpoint)
        /// The service is no longer offered.
        case remove(NWEndpoint)
    }

    /// A ``newConnectionLimit`` without a limit.
    public static let InfiniteConnectionLimit = Int.max

    struct Shared {
        var state = State.setup
        var queue: DispatchQueue?
        var onState: (@Sendable (State) -> Void)?
        var onConnection: (@Sendable (NWConnection) -> Void)?
        var onRegistration: (@Sendable (ServiceRegistrationChange) -> Void)?
        var limit = NWListener.InfiniteConnectionLimit
        var service: Service?
        var permission: LinkWatch?
        var listener: (any RadioListener)?
        var publication: (any RadioPublication)?
        /// The service that is offered now.
        var registered: NWEndpoint?
        /// Counts the offers: events of an earlier one have no effect.
        var offer = 0
    }

    /// The options of the listener, copied when it was made; its connections have the same.
    public let parameters: NWParameters
    private let wantedPort: NWEndpoint.Port
    let phone: Phone
    let app: RunningApp
    let shared = Mutex(Shared())

    /// Makes a listener that ``start(queue:)`` will start. Ends the program if no app runs on the phone.
    ///
    /// - Parameter port: The port to listen on; `.any` for that of `requiredLocalEndpoint`, or one that is free.
    /// - Throws: ``NWError/posix(_:)`` with `EOPNOTSUPP` for TLS: this phone has no certificate to show.
    public init(using parameters: NWParameters, on port: NWEndpoint.Port = .any) throws {
        guard parameters.tls == nil else { throw NWError.posix(.EOPNOTSUPP) }
        (phone, app) = Phone.running
        self.parameters = parameters.copy()
        wantedPort = port == .any ? parameters.localPort : port
    }

    /// Makes a listener on any free port that offers a service.
    public convenience init(service: Service, using parameters: NWParameters) throws {
        try self.init(using: parameters)
        self.service = service
    }

    deinit { end(in: .cancelled, silently: true) }

    /// The current state.
    public var state: State { shared.withLock { $0.state } }
    /// The port on which it listens; nil before it is ready.
    public var port: NWEndpoint.Port? {
        shared.withLock { $0.listener.flatMap { NWEndpoint.Port(rawValue: $0.port) } }
    }
    /// The queue of the callbacks; nil before ``start(queue:)``.
    public var queue: DispatchQueue? { shared.withLock { $0.queue } }

    /// The service to offer. If only its TXT record changes, the offer is updated; after another change it is offered
    /// anew.
    public var service: Service? {
        get { shared.withLock { $0.service } }
        set {
            let before = shared.withLock { shared in
                defer { shared.service = newValue }
                return shared.service
            }
            if let before, let newValue, newValue.isSame(as: before) {
                changeText(newValue)
            } else if before != newValue {
                withdraw()
                offer()
            }
        }
    }

    /// Called after each change of ``state``.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { shared.withLock { $0.onState } }
        set { shared.update { $0.onState = newValue } }
    }

    /// Called with each new connection, which the app starts. It must be set before ``start(queue:)``.
    public var newConnectionHandler: (@Sendable (NWConnection) -> Void)? {
        get { shared.withLock { $0.onConnection } }
        set { shared.update { $0.onConnection = newValue } }
    }

    /// Called when the service is offered, and when it no longer is.
    public var serviceRegistrationUpdateHandler: (@Sendable (ServiceRegistrationChange) -> Void)? {
        get { shared.withLock { $0.onRegistration } }
        set { shared.update { $0.onRegistration = newValue } }
    }

    /// How many more connections are given to the app. Each one reduces it; at 0 further ones are closed.
    public var newConnectionLimit: Int {
        get { shared.withLock { $0.limit } }
        set { shared.withLock { $0.limit = newValue } }
    }

    /// Starts listening. A second call has no effect.
    public func start(queue: DispatchQueue) {
        let isFirst = shared.withLock { shared in
            guard shared.queue == nil, shared.state == .setup else { return false }
            shared.queue = queue
            return true
        }
        guard isFirst else { return }
        guard newConnectionHandler != nil else { return end(in: .failed(.posix(.EINVAL))) }
        Task { [weak self, phone, wantedPort, transport = parameters.transport] in
            do {
                let listener = try await phone.network.listen(at: wantedPort.rawValue, by: transport)
                guard self?.keep(listener) ?? false else { return listener.close() }
                while true {
                    let (stream, peer) = try await listener.accept()
                    guard let self else { return stream.close() }
                    take(stream, from: peer)
                }
            } catch { self?.end(in: .failed(NWError(error))) }
        }
    }

    /// Ends the listener.
    public func cancel() { end(in: .cancelled) }

    public var debugDescription: String { "[NWListener on \(port?.debugDescription ?? "no port"), \(state)]" }

    // MARK: Listening

    private func keep(_ listener: any RadioListener) -> Bool {
        let isWanted = shared.withLock { shared in
            guard shared.state == .setup else { return false }
            shared.listener = listener
            return true
        }
        guard isWanted else { return false }
        guard service != nil else {
            enter(.ready)
            return true
        }
        let watch = phone.localNetworkAccess.watch { [weak self] in self?.offer() }
        shared.withLock { $0.permission = watch }
        offer()
        return true
    }

    private func take(_ stream: any RadioStream, from peer: NetworkPlace) {
        let handler = shared.withLock { shared -> (@Sendable (NWConnection) -> Void)? in
            guard shared.limit > 0 else { return nil }
            if shared.limit != NWListener.InfiniteConnectionLimit { shared.limit -= 1 }
            return shared.onConnection
        }
        guard let handler, let queue, let port = NWEndpoint.Port(rawValue: peer.port) else { return stream.close() }
        let endpoint = NWEndpoint.hostPort(host: NWEndpoint.Host(peer.address), port: port)
        let connection = NWConnection(stream, from: endpoint, of: parameters, for: app, on: phone)
        phone.deliver(to: app, on: queue) { handler(connection) }
    }

    func enter(_ state: State) {
        shared.withLock { shared in
            if shared.state != state, !shared.hasEnded { enter(state, &shared) }
        }
    }

    private func enter(_ state: State, _ shared: inout Shared) {
        shared.state = state
        guard let handler = shared.onState, let queue = shared.queue else { return }
        switch state {
        case .waiting(let error): phone.note("NWListener", "is waiting", error, toldTo: app)
        case .failed(let error): phone.note("NWListener", "has failed", error, toldTo: app)
        default: break
        }
        phone.deliver(to: app, on: queue) { handler(state) }
    }

    /// Ends everything at once: the closing below ends tasks that would report it as a failure.
    func end(in state: State, silently: Bool = false) {
        let (listener, publication, watch) = shared.update { shared in
            guard !shared.hasEnded else { return (nil, nil, nil) as Parts }
            if silently { (shared.onState, shared.onRegistration) = (nil, nil) }
            let publication = withdraw(&shared)
            enter(state, &shared)
            (shared.onState, shared.onConnection, shared.onRegistration) = (nil, nil, nil)
            defer { (shared.listener, shared.permission) = (nil, nil) }
            return (shared.listener, publication, shared.permission)
        }
        listener?.close()
        publication?.close()
        withExtendedLifetime(watch) {}
    }

    private typealias Parts = ((any RadioListener)?, (any RadioPublication)?, LinkWatch?)
}

extension NWListener.Shared {
    var hasEnded: Bool {
        switch state {
        case .cancelled, .failed: true
        case .setup, .waiting, .ready: false
        }
    }
}
