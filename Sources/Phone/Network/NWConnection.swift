import HILPhone
import HostRadio
import RadioModel

/// A TCP connection to a host on the network that the phone has joined, with TLS or without, or a UDP socket for one host.
///
/// Without a network, or if the host refuses, the connection waits. It tries again when the phone joins another
/// network. Callbacks are called on the queue that ``start(queue:)`` names, in the order of the events. A connection
/// that the app releases is cancelled.
public final class NWConnection: Sendable, CustomDebugStringConvertible {
    /// The state of a connection.
    public enum State: Sendable, Equatable {
        /// The connection is not started yet.
        case setup
        /// The connection cannot be made now. It will be tried again when the phone's network changes.
        case waiting(NWError)
        /// The connection is being made.
        case preparing
        /// Data can be sent and received.
        case ready
        /// The connection is lost, for this reason. It is not tried again.
        case failed(NWError)
        /// The app has ended the connection. No callback follows.
        case cancelled
    }

    /// Says which part of the stream the data is.
    public final class ContentContext: Sendable {
        /// Whether this is the last data in its direction.
        public let isFinal: Bool
        /// A name for logs.
        public let identifier: String

        /// Makes a context with a name of the app's choice.
        public init(identifier: String, isFinal: Bool = false) {
            self.identifier = identifier
            self.isFinal = isFinal
        }

        /// Some of the bytes of a stream, with more to come.
        public static let defaultMessage = ContentContext(identifier: "Default Message")
        /// The last bytes of a stream.
        public static let finalMessage = ContentContext(identifier: "Final Message", isFinal: true)
        /// The whole stream, which ends when the context is complete.
        public static let defaultStream = ContentContext(identifier: "Default Stream", isFinal: true)
    }

    /// The callback of the app for a send.
    public enum SendCompletion: Sendable {
        /// Called when the system has taken the data, or with an error if it cannot. It does not say that the data
        /// arrived.
        case contentProcessed(@Sendable (NWError?) -> Void)
        /// No callback; the data may be sent twice without harm.
        case idempotent
    }

    /// The host and port to connect to.
    public let endpoint: NWEndpoint
    /// The options of the connection, copied when it was made.
    public let parameters: NWParameters
    private let core: ConnectionCore

    /// Makes a connection that ``start(queue:)`` will start. Ends the program if no app runs on the phone.
    public init(to endpoint: NWEndpoint, using parameters: NWParameters) {
        let (phone, app) = Phone.running
        self.endpoint = endpoint
        self.parameters = parameters.copy()
        core = ConnectionCore(
            to: endpoint, by: parameters.transport, over: parameters.pathType, within: parameters.timeout,
            tls: parameters.tls, for: app, on: phone)
    }

    /// Makes a connection that ``start(queue:)`` will start. Ends the program if no app runs on the phone.
    public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
        self.init(to: .hostPort(host: host, port: port), using: parameters)
    }

    /// Makes a connection of a stream that a peer has made.
    init(
        _ stream: any RadioStream, from endpoint: NWEndpoint, of parameters: NWParameters, for app: RunningApp,
        on phone: Phone
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        core = ConnectionCore(
            to: endpoint, by: parameters.transport, over: .other, within: nil, accepted: stream, for: app, on: phone)
    }

    deinit { core.end(abruptly: true, silently: true) }

    /// Asks the person for the local network if this connection needs an answer and there is none yet (W8).
    ///
    /// - Returns: Whether it does, however soon the person answers.
    package func asksForLocalNetwork() -> Bool {
        guard core.needsAnswer else { return false }
        _ = core.phone.localNetworkAccess.request(for: core.app)
        return true
    }

    // MARK: Starting and ending

    /// The current state.
    public var state: State { core.state }

    /// The queue of the callbacks; nil before ``start(queue:)``.
    public var queue: DispatchQueue? { core.handlers.queue }

    /// Called after each change of ``state``.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { core.handlers.onState }
        set { core.set { $0.onState = newValue } }
    }

    /// Called with true when the connection is ready, and with false when its network is lost.
    public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { core.handlers.onViability }
        set { core.set { $0.onViability = newValue } }
    }

    /// Called with whether there is a better path. This phone has only Wi-Fi, so there never is one: it is called with
    /// false when the connection is ready, and not again.
    public var betterPathUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { core.handlers.onBetterPath }
        set { core.set { $0.onBetterPath = newValue } }
    }

    /// The network path of the connection; nil before ``start(queue:)``. When the connection is ready, it has the address of
    /// the peer.
    public var currentPath: NWPath? {
        guard queue != nil else { return nil }
        var path = core.path
        path.remoteEndpoint = core.reached
        return path
    }

    /// Starts connecting. A second call has no effect.
    public func start(queue: DispatchQueue) { core.start(on: queue) }

    /// Tries again at once if the connection is waiting.
    public func restart() { core.retry() }

    /// Ends the connection after all data that the app gave before is sent.
    public func cancel() { core.end(abruptly: false, silently: false) }

    /// Ends the connection at once and drops unsent data.
    public func forceCancel() { core.end(abruptly: true, silently: false) }

    // MARK: Sending and receiving

    /// Sends data after the data of earlier calls, as soon as the connection is ready.
    ///
    /// Over UDP each complete content is a datagram of at most 65,507 bytes; a longer one is `EMSGSIZE`. Over TCP the
    /// direction ends if `isComplete` is true and either `content` is nil or the context is final.
    ///
    /// - Parameters:
    ///   - content: The data; nil to end this direction.
    ///   - isComplete: Whether this is the last data of the context.
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        let isLast = isComplete && (content == nil || contentContext.isFinal)
        core.send(
            ConnectionCore.Send(
                content: content ?? Data(), isComplete: isComplete, isLast: isLast, completion: completion))
    }

    /// Calls `body`, which sends. It has no effect here: data that is sent together is not joined.
    public func batch(_ body: () -> Void) { body() }

    /// The longest datagram in bytes; 0 over TCP.
    public var maximumDatagramSize: Int { parameters.transport == .udp ? InternetTransport.longestDatagram : 0 }

    /// Receives data once. Lengths are in bytes, at least 1.
    ///
    /// - Parameters:
    ///   - minimumIncompleteLength: Waits for this much data, unless the stream ends before.
    ///   - maximumLength: Gives at most this much data.
    ///   - completion: Called once with the data (nil at the end of the stream), its context, whether the stream has
    ///     ended, and the error, if any.
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int,
        completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) {
        let maximum = max(1, maximumLength)
        core.receive(
            ConnectionCore.Receive(
                minimum: min(max(1, minimumIncompleteLength), maximum), maximum: maximum, completion: completion))
    }

    /// Receives one message once: a datagram, or over TCP all data until the end of the stream.
    ///
    /// - Parameter completion: As in ``receive(minimumIncompleteLength:maximumLength:completion:)``.
    public func receiveMessage(completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void) {
        core.receive(ConnectionCore.Receive(minimum: .max, maximum: .max, completion: completion))
    }

    public var debugDescription: String { "[NWConnection to \(endpoint.debugDescription), \(state)]" }
}
